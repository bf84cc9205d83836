import { parseJson } from "../apimachinery/json-parse.js";
import { isJsonObject, type JsonValue } from "../apimachinery/json-value.js";

/** What strict decoding complains of, in Kubernetes' words. */
export function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

export function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`;
}

/**
 * Complaints about the fields of a JSON text, in the order in which they stand there. What is inside an unknown field is not
 * looked at.
 */
export function strictErrorsInOrder(
  text: Uint8Array,
  unknown: ReadonlySet<string>,
  duplicates: ReadonlySet<string>,
): readonly string[] {
  const errors = new Set<string>();
  let insideUnknown: string | undefined;
  parseJson(text, {
    onMember(path, isRepeated) {
      if (insideUnknown !== undefined && isInside(path, insideUnknown)) return;
      insideUnknown = unknown.has(path) ? path : undefined;
      if (insideUnknown !== undefined) errors.add(unknownField(path));
      else if (isRepeated && duplicates.has(path)) errors.add(duplicateField(path));
    },
  });
  return [...errors];
}

function isInside(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path[outer.length] === "." || path[outer.length] === "[");
}

/** Complaints about a JSON patch as such: operations have four fields, of which `value` may hold anything. */
export function jsonPatchStrictErrors(text: Uint8Array): readonly string[] {
  const unknown = new Set<string>();
  const duplicates = new Set<string>();
  parseJson(text, {
    onMember(path, isRepeated) {
      const field = /^\[\d+\]\.([^.[]*)$/.exec(path)?.[1];
      if (field !== undefined && !operationFields.has(field)) unknown.add(path);
      else if (isRepeated) duplicates.add(path);
    },
  });
  return strictErrorsInOrder(text, unknown, duplicates).map((error) => `json patch ${error}`);
}

const operationFields: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/** With the keys of every object in order, as Kubernetes' maps print: what comes of a patch is read in that order. */
export function sortedByKey(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => sortedByKey(item));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortedByKey(member ?? null)]));
}

/** A value as Go prints maps of anything (`%+v`): `map[a:[1 2] b:<nil>]`. */
export function goMapText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => goMapText(item)).join(" ")}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${goMapText(member)}`).join(" ")}]`;
}
