import { Buffer } from "node:buffer";
import { put } from "../collections/put.js";
import { isKept } from "../json/json-print.js";
import type { JsonValue } from "../json/json-value.js";

/** Up to this size insertion sort beats `Array.prototype.sort`, which allocates. */
const fewKeysMax = 16;

/** Up to this size a spread copy is faster than copying members one by one; far beyond, it takes twice as long. */
const spreadKeysMax = 64;

/** Keys in the order of their UTF-8 bytes, as Kubernetes sorts. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  if (keys.length > fewKeysMax) keys.sort();
  else sortFew(keys);
  // UTF-16 order puts U+E000 to U+FFFF after supplementary characters; UTF-8 order does not.
  if (keys.some(hasSurrogate)) keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return keys;
}

function sortFew(keys: string[]): void {
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] ?? "";
    let at = index;
    for (; at > 0; at--) {
      const before = keys[at - 1] ?? "";
      if (before <= key) break;
      keys[at] = before;
    }
    keys[at] = key;
  }
}

function hasSurrogate(key: string): boolean {
  for (let index = 0; index < key.length; index++) if (key.charCodeAt(index) >= 0xd800) return true;
  return false;
}

export function isEmpty(map: object): boolean {
  for (const _key in map) return false;
  return true;
}

/** A copy; undefined for an empty map where that means the same as absent. */
export function cloneStringMap(
  map: { [key: string]: string },
  emptyIsAbsent: boolean,
): { [key: string]: string } | undefined {
  const keys = Object.keys(map);
  return keys.length === 0 && emptyIsAbsent ? undefined : copyMembers(map, keys);
}

export function copyMembers(
  map: { [key: string]: string },
  keys: readonly string[],
): { [key: string]: string } {
  if (keys.length <= spreadKeysMax) return { ...map };
  const copy: { [key: string]: string } = {};
  for (const key of keys) put(copy, key, map[key]);
  return copy;
}

export function cloneJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (isKept(value)) return value;
  if (Array.isArray(value)) return value.map((item) => cloneJson(item) ?? null);
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, member] of Object.entries(value)) {
    const cloned = cloneJson(member);
    if (cloned !== undefined) put(copy, key, cloned);
  }
  return copy;
}
