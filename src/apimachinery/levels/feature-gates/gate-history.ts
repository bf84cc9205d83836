import type { ApiLevel } from "../api-level.js";

/** What a gate is at a level. */
export interface GateState {
  readonly stage: "alpha" | "beta" | "GA" | "deprecated";
  readonly default: boolean;
  /** The gate cannot be set to another value. */
  readonly locked?: true;
}

/** The state that each level introduced, in ascending order. */
export type GateHistory = { readonly [L in ApiLevel]?: GateState } & {
  /** The first level that no longer knows the gate. Servers keep its last default. */
  readonly until?: ApiLevel;
  /** How servers behaved before the gate existed. Default: false. */
  readonly before?: boolean;
};

export const alpha = { stage: "alpha", default: false } as const;
export const alphaOn = { stage: "alpha", default: true } as const;
export const beta = { stage: "beta", default: true } as const;
export const betaOff = { stage: "beta", default: false } as const;
export const ga = { stage: "GA", default: true } as const;
/** GA, and locked. */
export const locked = { ...ga, locked: true } as const;
export const deprecated = { stage: "deprecated", default: false } as const;
export const deprecatedLocked = { ...deprecated, locked: true } as const;
export const deprecatedOn = { stage: "deprecated", default: true } as const;
export const deprecatedOnLocked = { ...deprecatedOn, locked: true } as const;

/** A table of gates by neutral names. */
export function gateTable<Name extends string>(
  table: Readonly<Record<Name, GateHistory>>,
): Readonly<Record<Name, GateHistory>> {
  return table;
}
