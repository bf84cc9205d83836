import type { LabelSelector } from "../../gen/meta-v1.js";
import type { PodDisruptionBudget } from "../../gen/policy-v1.js";
import type { PodDisruptionBudget as PodDisruptionBudgetV1beta1 } from "../../gen/policy-v1beta1.js";

export interface PodDisruptionBudgetConversion {
  toHub(object: PodDisruptionBudgetV1beta1): PodDisruptionBudget;
  fromHub(hub: PodDisruptionBudget): PodDisruptionBudgetV1beta1;
}

/**
 * An empty selector matches nothing in v1beta1 and everything in v1. The other version says the same by requiring that a label which no
 * pod has exists, or does not exist.
 */
export function podDisruptionBudgetConversion(domain: string): PodDisruptionBudgetConversion {
  const key = `pdb.${domain}/deprecated-v1beta1-empty-selector-match`;
  return {
    toHub: ({ spec, ...rest }) => ({ ...rest, spec: { ...spec, selector: selectorToHub(spec.selector) } }),
    fromHub: ({ spec, ...rest }) => ({
      ...rest,
      spec: { ...spec, selector: selectorFromHub(spec.selector) },
    }),
  };

  function selectorToHub(selector: LabelSelector | undefined): LabelSelector | undefined {
    if (selector === undefined) return undefined;
    if (isEmpty(selector)) return { matchExpressions: [{ key, operator: "Exists" }] };
    return isMarked(selector, "DoesNotExist") ? {} : selector;
  }

  function selectorFromHub(selector: LabelSelector | undefined): LabelSelector | undefined {
    if (selector === undefined) return undefined;
    if (isEmpty(selector)) return { matchExpressions: [{ key, operator: "DoesNotExist" }] };
    return isMarked(selector, "Exists") ? {} : selector;
  }

  function isMarked(selector: LabelSelector, operator: string): boolean {
    const [only, ...others] = selector.matchExpressions ?? [];
    return (
      Object.keys(selector.matchLabels ?? {}).length === 0 &&
      others.length === 0 &&
      only?.key === key &&
      only.operator === operator &&
      (only.values ?? []).length === 0
    );
  }
}

function isEmpty({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}
