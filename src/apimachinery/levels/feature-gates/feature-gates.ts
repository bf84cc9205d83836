import { type ApiLevel, apiLevels, isAtLeast } from "../api-level.js";
import type { GateHistory, GateState } from "./gate-history.js";
import { gatesElsewhere } from "./gates-elsewhere.js";
import { serverGates } from "./server-gates.js";

const histories = { ...serverGates, ...gatesElsewhere };

/** A gate's neutral name. */
export type FeatureGateName = keyof typeof histories;

/** Every gate of any level, in the order of their names. */
// Object.keys gives string[]; these are the keys of the table that FeatureGateName is made from.
export const featureGateNames: readonly FeatureGateName[] = (
  Object.keys(histories) as FeatureGateName[]
).sort();

/** Undefined at levels that do not know the gate. */
export function gateAt(name: FeatureGateName, level: ApiLevel): GateState | undefined {
  const { until }: GateHistory = histories[name];
  return until !== undefined && isAtLeast(level, until) ? undefined : lastState(name, level);
}

/** The gate's default at a level; before the level that adds the gate and after the one that removes it, what servers of the level do. */
export function gateDefault(name: FeatureGateName, level: ApiLevel): boolean {
  const { before = false }: GateHistory = histories[name];
  return lastState(name, level)?.default ?? before;
}

function lastState(name: FeatureGateName, level: ApiLevel): GateState | undefined {
  const history: GateHistory = histories[name];
  const changedAt = apiLevels.findLast((known) => isAtLeast(level, known) && history[known] !== undefined);
  return changedAt === undefined ? undefined : history[changedAt];
}
