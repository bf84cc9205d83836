import { timeText } from "../machinery/times.js";

export interface ConditionLike {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

export function conditionOf<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The conditions with one of them set; its transition time changes only with its status. */
export function withCondition<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  wanted: C,
  now: number,
): C[] {
  const before = conditionOf(conditions, wanted.type);
  const isSame = before?.status === wanted.status;
  const lastTransitionTime = isSame ? before.lastTransitionTime : timeText(now);
  const after = { ...wanted, lastTransitionTime };
  if (before === undefined) return [...(conditions ?? []), after];
  return (conditions ?? []).map((condition) => (condition === before ? after : condition));
}

export function withoutCondition<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  type: string,
): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
