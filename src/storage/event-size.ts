import type { KvEvent } from "./kv.js";

/** Bytes of the events' values, including those before the events. */
export function valueBytes(events: readonly KvEvent[]): number {
  let bytes = 0;
  for (const { kv, previous } of events) bytes += kv.value.length + (previous?.value.length ?? 0);
  return bytes;
}
