import { goType } from "../errors/go-type.js";
import { goMapText } from "../errors/shown-value.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, ownField } from "../json/json-values.js";
import { PatchError } from "./patch-error.js";
import { identityOf } from "./strategic-order.js";

type JsonList = readonly JsonValue[];

/** The kind of all items. Throws `PatchError` if they differ in kind, or are lists themselves. */
export function itemKind(...lists: readonly JsonList[]): string {
  let kind: string | undefined;
  for (const item of lists.flat(1)) {
    const current = isJsonArray(item) ? "list" : isJsonObject(item) ? "map" : kindOfScalar(item);
    kind ??= current;
    if (kind === "list") throw new PatchError("rejected", "lists of lists are not supported");
    if (kind !== current) {
      throw new PatchError("failed", `list element types are not identical: ${goMapText(lists)}`);
    }
  }
  return kind ?? "none";
}

function kindOfScalar(value: JsonValue): string {
  return typeof value === "bigint" ? "number" : value === null ? "null" : typeof value;
}

export function requireKey(item: JsonValue, key: string): void {
  if (!isJsonObject(item)) throw wrongType("map[string]interface {}", item);
  if (ownField(item, key) === undefined) {
    throw new PatchError("failed", `map: ${goMapText(item)} does not contain declared merge key: ${key}`);
  }
}

export function withoutRepeats(items: JsonList): JsonList {
  const seen = new Set<string>();
  return items.filter((item) => {
    const identity = identityOf(item, undefined);
    return !seen.has(identity) && seen.add(identity);
  });
}

export function requireList(value: JsonValue): JsonList {
  if (!isJsonArray(value)) throw wrongType("[]interface {}", value);
  return value;
}

function wrongType(expected: string, actual: JsonValue): PatchError {
  const received = actual === null ? "%!s(<nil>)" : goType(actual);
  return new PatchError("failed", `expected a ${expected}, but received a ${received}`);
}
