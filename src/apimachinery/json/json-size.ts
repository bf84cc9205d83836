import type { JsonValue } from "./json-value.js";

/** Estimates the work that a JSON text causes, by counting brackets and commas. */
export interface JsonSize {
  /** Members of objects and items of lists; an empty container counts as one. */
  readonly values: number;
  /** The largest number of members or items in one object or list. */
  readonly membersMax: number;
  /** How deep lists and objects are nested. */
  readonly depth: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** One pass over the bytes, a few milliseconds per megabyte. The text need not be valid. */
export function measureJson(text: Uint8Array): JsonSize {
  let values = 0;
  let membersMax = 0;
  let depth = 0;
  let deepest = 0;
  // Counts of the open containers; deeper ones count towards the last.
  const members = new Int32Array(countedDepth + 1);
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      for (at++; at < text.length && text[at] !== quote; at++) if (text[at] === backslash) at++;
    } else if (byte === comma) {
      values++;
      const count = (members[level] ?? 0) + 1;
      members[level] = count;
      if (count > membersMax) membersMax = count;
    } else if (byte === 0x7b || byte === 0x5b) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
      level = Math.min(Math.max(depth, 0), countedDepth);
      members[level] = 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      level = Math.min(Math.max(depth, 0), countedDepth);
    }
  }
  return { values, membersMax, depth: deepest };
}

/** Deeper nesting is not accepted as JSON here. */
const countedDepth = 1000;

export interface JsonBounds {
  /** Members and items in total. */
  readonly valuesMax: number;
  /** Members or items of one object or list. */
  readonly membersMax: number;
}

/** Whether names and texts in it have more characters in all. */
export function textExceeds(value: JsonValue, charactersMax: number): boolean {
  let left = charactersMax;
  const walk = (each: JsonValue): boolean => {
    if (typeof each === "string") left -= each.length;
    if (left < 0) return true;
    if (typeof each !== "object" || each === null) return false;
    return Object.entries(each).some(([name, member]) => {
      left -= name.length;
      return walk(member ?? null);
    });
  };
  return walk(value);
}

/** Whether the value has more members or items than allowed. */
export function exceeds(value: JsonValue, { valuesMax, membersMax }: JsonBounds): boolean {
  let left = valuesMax;
  const walk = (each: JsonValue): boolean => {
    if (typeof each !== "object" || each === null) return false;
    if (Array.isArray(each)) {
      left -= each.length;
      return left < 0 || each.length > membersMax || each.some(walk);
    }
    const object = each as { readonly [name: string]: JsonValue | undefined };
    let members = 0;
    for (const name in object) {
      const member = object[name];
      if (member === undefined) continue;
      if (--left < 0 || ++members > membersMax) return true;
      if (typeof member === "object" && walk(member)) return true;
    }
    return false;
  };
  return walk(value);
}
