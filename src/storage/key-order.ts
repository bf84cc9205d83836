import { compareUtf8 } from "../apimachinery/collections/compare-text.js";
import type { KeyRange } from "./kv.js";

/** Whether `key` lies in [start, end), or is `start` when there is no end. */
export function isInRange(key: string, range: KeyRange): boolean {
  if (range.end === undefined) return key === range.start;
  return compareUtf8(key, range.start) >= 0 && compareUtf8(key, range.end) < 0;
}

/** A range that no key can lie in, such as [b, a). */
export function isEmptyRange(range: KeyRange): boolean {
  return range.end !== undefined && compareUtf8(range.start, range.end) >= 0;
}
