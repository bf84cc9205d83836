import type { KeyRange } from "./kv.js";

/**
 * Orders keys as their UTF-8 bytes, which is what every engine sorts by. JavaScript's own `<` compares UTF-16
 * units and puts U+1F600 before U+FF5E; only surrogates make the difference.
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA === unitB) continue;
    const surrogateA = isSurrogate(unitA);
    if (surrogateA !== isSurrogate(unitB)) return surrogateA ? 1 : -1;
    return unitA - unitB;
  }
  return a.length - b.length;
}

/** Whether `key` lies in [start, end), or is `start` when there is no end. */
export function isInRange(key: string, range: KeyRange): boolean {
  if (range.end === undefined) return key === range.start;
  return compareKeys(key, range.start) >= 0 && compareKeys(key, range.end) < 0;
}

/** A range that no key can lie in, such as [b, a). */
export function isEmptyRange(range: KeyRange): boolean {
  return range.end !== undefined && compareKeys(range.start, range.end) >= 0;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}
