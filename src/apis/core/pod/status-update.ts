import type { PodStatus } from "../../gen/core-v1.js";

/** A writer that does not know of observed generations leaves them out; the last ones stay. In place. */
export function keepObservedGenerations(status: PodStatus, old: PodStatus): void {
  status.observedGeneration ||= old.observedGeneration;
  // There may be several conditions of one type.
  const known = new Map<string, (number | bigint | undefined)[]>();
  for (const { type, observedGeneration } of old.conditions ?? []) {
    known.set(type, [...(known.get(type) ?? []), observedGeneration]);
  }
  for (const condition of status.conditions ?? []) {
    const generation = known.get(condition.type)?.shift();
    condition.observedGeneration ||= generation;
  }
}
