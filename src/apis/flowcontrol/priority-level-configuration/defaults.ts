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

/** `zeroShares` is the annotation that tells zero from unset. */
export function setBetaPriorityLevelDefaults(
  { metadata, spec: { limited } }: BetaPriorityLevel,
  zeroShares: string,
): void {
  if (limited === undefined) return;
  if (metadata.annotations?.[zeroShares] === undefined) limited.assuredConcurrencyShares ||= defaultShares;
  setQueuingDefaults(limited.limitResponse);
}

function setQueuingDefaults({ queuing }: LimitResponse): void {
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
