import type { Buffer } from "node:buffer";
import { IdleEviction } from "../../apimachinery/collections/idle-eviction.js";

/** For one representation of a version. */
const keptBytesMax = 1024 * 1024;
const recent = new IdleEviction<() => void>(5_000, (forget) => forget());

/**
 * Encodes each event once for all watchers. They get it at nearly the same moment, while the watch cache keeps the event much longer. So
 * encodings are dropped when nothing new was encoded for some seconds, and after a megabyte.
 */
export function encodeOnce<Event extends object>(encode: (event: Event) => Buffer): (event: Event) => Buffer {
  let memo = new WeakMap<Event, Buffer>();
  let bytesKept = 0;
  const forget = (): void => {
    memo = new WeakMap();
    bytesKept = 0;
  };
  return (event) => {
    const known = memo.get(event);
    if (known !== undefined) return known;
    const bytes = encode(event);
    if (bytesKept > keptBytesMax) forget();
    bytesKept += bytes.length;
    memo.set(event, bytes);
    recent.used(forget);
    return bytes;
  };
}
