import { addToList } from "../../../apimachinery/collections/groups.js";
import type { PodStatus } from "../../gen/core-v1.js";

/** A writer that does not know of observed generations leaves them out; the last ones stay. In place. */
export function keepObservedGenerations(status: PodStatus, old: PodStatus): void {
  status.observedGeneration ||= old.observedGeneration;
  // There may be several conditions of one type.
  const known = new Map<string, (number | bigint | undefined)[]>();
  const seen = new Map<string, number>();
  for (const { type, observedGeneration } of old.conditions ?? []) addToList(known, type, observedGeneration);
  for (const condition of status.conditions ?? []) {
    const index = seen.get(condition.type) ?? 0;
    seen.set(condition.type, index + 1);
    condition.observedGeneration ||= known.get(condition.type)?.[index];
  }
}
