import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { LimitResponse, PriorityLevelConfiguration } from "../../gen/flowcontrol-v1.js";
import type { PriorityLevelConfiguration as BetaPriorityLevel } from "../../gen/flowcontrol-v1beta2.js";

export const defaultShares = 30;

export function setPriorityLevelDefaults({ spec: { limited, exempt } }: PriorityLevelConfiguration): void {
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (limited === undefined) return;
  limited.nominalConcurrencyShares ??= defaultShares;
  limited.lendablePercent ??= 0;
  setQueuingDefaults(limited.limitResponse);
}

/** `zeroShares` is the annotation that distinguishes zero from unset. */
export function setV1beta3PriorityLevelDefaults(
  object: PriorityLevelConfiguration,
  zeroShares: string,
): void {
  const { limited } = object.spec;
  if (limited !== undefined && object.metadata.annotations?.[zeroShares] === undefined) {
    limited.nominalConcurrencyShares ||= defaultShares;
  }
  setPriorityLevelDefaults(object);
}

/** `zeroShares` is the annotation that distinguishes zero from unset. */
export function setBetaPriorityLevelDefaults(
  { metadata, spec: { limited } }: BetaPriorityLevel,
  zeroShares: string,
  level: ApiLevel,
): void {
  if (limited === undefined) return;
  if (metadata.annotations?.[zeroShares] === undefined) limited.assuredConcurrencyShares ||= defaultShares;
  if (isAtLeast(level, "1.26")) limited.lendablePercent ??= 0;
  setQueuingDefaults(limited.limitResponse);
}

function setQueuingDefaults({ queuing }: LimitResponse): void {
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
