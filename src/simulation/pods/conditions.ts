import {
  type ConditionLike,
  withCondition as withConditionAt,
} from "../../apimachinery/objects/conditions.js";
import { timeText } from "../machinery/times.js";

export function conditionOf<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The conditions with one of them set at `now`, in milliseconds. */
export function withCondition<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  wanted: C,
  now: number,
): C[] {
  return withConditionAt(conditions, wanted, timeText(now));
}

export function withoutCondition<C extends ConditionLike>(
  conditions: readonly C[] | undefined,
  type: string,
): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/**
 * Merges the conditions that a controller decided (`wanted`) into those stored now (`newest`), which others may have changed since the
 * controller read `seen`.
 */
export function mergedConditions<C extends ConditionLike>(
  newest: readonly C[] | undefined,
  seen: readonly C[] | undefined,
  wanted: readonly C[] | undefined,
): C[] | undefined {
  if (newest === undefined && wanted === undefined) return undefined;
  const kept = (wanted ?? []).flatMap((condition) => {
    if (seen?.includes(condition) !== true) return [condition];
    return conditionOf(newest, condition.type) ?? [];
  });
  const added = (newest ?? []).filter(
    ({ type }) => conditionOf(seen, type) === undefined && conditionOf(wanted, type) === undefined,
  );
  return [...kept, ...added];
}
