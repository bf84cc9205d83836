import type { PriorityLevelConfiguration } from "../../gen/flowcontrol-v1beta2.js";

export function setPriorityLevelDefaults({ spec: { limited } }: PriorityLevelConfiguration): void {
  if (limited === undefined) return;
  limited.assuredConcurrencyShares ||= 30;
  const { queuing } = limited.limitResponse;
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
