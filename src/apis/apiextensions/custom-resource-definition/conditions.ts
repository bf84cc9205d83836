import type { Naming } from "../../../naming/naming.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "../../gen/apiextensions-v1.js";

/** Keeps a definition until all objects of its kind are deleted. */
export function cleanupFinalizer(naming: Naming): string {
  return `customresourcecleanup.${naming.group("apiextensions")}`;
}

export function conditionOf(
  { status }: Pick<CustomResourceDefinition, "status">,
  type: string,
): CustomResourceDefinitionCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(definition: Pick<CustomResourceDefinition, "status">, type: string): boolean {
  return conditionOf(definition, type)?.status === "True";
}

/**
 * `conditions` with `condition` added or replaced; `lastTransitionTime` is when its status last changed. Returns the same list when
 * nothing changes.
 */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  condition: Omit<CustomResourceDefinitionCondition, "lastTransitionTime">,
  now: string,
): readonly CustomResourceDefinitionCondition[] {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const former = conditions[at];
  const { status, reason, message } = condition;
  if (former?.status === status && former.reason === reason && former.message === message) return conditions;
  const lastTransitionTime = former?.status === status ? former.lastTransitionTime : now;
  const changed = { ...former, ...condition, lastTransitionTime };
  return former === undefined ? [...conditions, changed] : conditions.with(at, changed);
}
