/** What the conditions of all kinds have in common. */
export interface ConditionLike {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
  reason?: string | undefined;
  message?: string | undefined;
}

/** Sets a condition, in place of the one of its type. `lastTransitionTime` becomes `now` only if the status changes. */
export function withCondition<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  wanted: C,
  now: string,
): C[] {
  const before = conditions?.find(({ type }) => type === wanted.type);
  const isSame = before?.status === wanted.status;
  const after = { ...wanted, lastTransitionTime: isSame ? before.lastTransitionTime : now };
  if (conditions === undefined || before === undefined) return [...(conditions ?? []), after];
  return conditions.map((condition) => (condition === before ? after : condition));
}
