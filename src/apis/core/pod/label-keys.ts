import type { ApiContext } from "../../definition/api-context.js";
import type { Pod, PodAffinityTerm } from "../../gen/core-v1.js";
import type { LabelSelector } from "../../gen/meta-v1.js";
import { podAffinityTerms } from "../pod-spec/affinity-terms.js";

/**
 * Adds the pod's own label values for `matchLabelKeys` and `mismatchLabelKeys` to the selectors of affinity terms and spread constraints.
 * In place.
 */
export function mergeLabelKeys({ isEnabled }: ApiContext, { metadata, spec }: Pod): void {
  const labels = metadata.labels ?? {};
  if (isEnabled("MatchLabelKeysInPodAffinity")) {
    for (const term of podAffinityTerms(spec)) mergeIntoTerm(term, labels);
  }
  const spreads =
    isEnabled("MatchLabelKeysInPodTopologySpread") &&
    isEnabled("MatchLabelKeysInPodTopologySpreadSelectorMerge");
  if (!spreads) return;
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) {
    merge(labelSelector, matchLabelKeys, "In", labels);
  }
}

function mergeIntoTerm(
  { labelSelector, matchLabelKeys, mismatchLabelKeys }: PodAffinityTerm,
  labels: Labels,
): void {
  merge(labelSelector, matchLabelKeys, "In", labels);
  merge(labelSelector, mismatchLabelKeys, "NotIn", labels);
}

type Labels = Readonly<Record<string, string>>;

/** A term without a selector selects nothing. */
function merge(
  selector: LabelSelector | undefined,
  keys: readonly string[] | undefined,
  operator: "In" | "NotIn",
  labels: Labels,
): void {
  if (selector === undefined || keys === undefined) return;
  const added = keys
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key] ?? ""] }));
  if (added.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}
