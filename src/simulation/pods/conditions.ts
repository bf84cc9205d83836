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
