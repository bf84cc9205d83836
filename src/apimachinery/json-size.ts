import type { JsonValue } from "./json-value.js";

/** Estimates the work that a JSON text causes, by counting brackets and commas. */
export interface JsonSize {
  /** Members of objects and items of lists; an empty container counts as one. */
  readonly values: number;
  /** How deep lists and objects are nested. */
  readonly depth: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** One pass over the bytes, a few milliseconds per megabyte. The text need not be valid. */
export function measureJson(text: Uint8Array): JsonSize {
  let values = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      for (at++; at < text.length && text[at] !== quote; at++) if (text[at] === backslash) at++;
    } else if (byte === comma) {
      values++;
    } else if (byte === 0x7b || byte === 0x5b) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  return { values, depth: deepest };
}

/** Whether there are more than `max` members and items in it. */
export function holdsMoreThan(value: JsonValue, max: number): boolean {
  let left = max;
  const walk = (each: JsonValue): boolean => {
    if (typeof each !== "object" || each === null) return false;
    for (const member of Object.values(each)) if (--left < 0 || walk(member)) return true;
    return false;
  };
  return walk(value);
}
