import type { KvEvent } from "./kv.js";

/** The bytes of the values that the events hold, those before them included. */
export function valueBytes(events: readonly KvEvent[]): number {
  let bytes = 0;
  for (const { kv, previous } of events) bytes += kv.value.length + (previous?.value.length ?? 0);
  return bytes;
}
