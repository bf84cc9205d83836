import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { isJsonArray, objectOf } from "../../apimachinery/json/json-values.js";
import { jsonTypeName, unmarshalProblem } from "../../apimachinery/json/unmarshal-problem.js";

/** The messages of strict decoding, in Kubernetes' words. */
export function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

export function duplicateField(path: string): string {
  return `duplicate field ${JSON.stringify(path)}`;
}

/** Problems with the fields of a JSON text, in the order of the text. The contents of unknown fields are not checked. */
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

/** Unknown fields of a custom resource: those of its metadata first, then the others, each sorted. */
export function sortedUnknownFields(paths: Iterable<string>): string[] {
  const sorted = [...paths].sort(compareUtf8);
  const isOfMetadata = (path: string): boolean => path.startsWith("metadata.");
  return [...sorted.filter(isOfMetadata), ...sorted.filter((path) => !isOfMetadata(path))].map(unknownField);
}

function isInside(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path[outer.length] === "." || path[outer.length] === "[");
}

/** Errors in a JSON patch itself: an operation has four fields, of which `value` may be anything. */
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

/** Why a JSON patch cannot be checked strictly: its JSON has the wrong types. Undefined if it can be. */
export function jsonPatchTypeProblem(patch: JsonValue): string | undefined {
  if (patch === null) return undefined;
  if (!isJsonArray(patch)) return unmarshalProblem(patch, "[]handlers.jsonPatchOp");
  for (const operation of patch) {
    if (operation === null) continue;
    if (!isJsonObject(operation)) return unmarshalProblem(operation, "handlers.jsonPatchOp");
    for (const field of Object.keys(operation)) {
      const value = operation[field] ?? null;
      if (!textFields.has(field) || value === null || typeof value === "string") continue;
      const type = jsonTypeName(value);
      return `json: cannot unmarshal ${type} into Go struct field jsonPatchOp.${field} of type string`;
    }
  }
  return undefined;
}

/** Like `jsonPatchTypeProblem`, for a merge patch. */
export function mergePatchTypeProblem(patch: JsonValue): string | undefined {
  return patch === null || isJsonObject(patch)
    ? undefined
    : unmarshalProblem(patch, "map[string]interface {}");
}

const textFields: ReadonlySet<string> = new Set(["op", "path", "from"]);
const operationFields: ReadonlySet<string> = new Set([...textFields, "value"]);

/** With the keys of every object sorted, as Kubernetes prints maps: the result of a patch is read in that order. */
export function sortedByKey(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => sortedByKey(item));
  if (!isJsonObject(value)) return value;
  const sorted = new Map<string, JsonValue>();
  for (const name of Object.keys(value).sort()) sorted.set(name, sortedByKey(value[name] ?? null));
  // A field set that was kept as text has no members.
  return sorted.size === 0 ? value : objectOf(sorted);
}
