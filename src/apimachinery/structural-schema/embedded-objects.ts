import { type FieldError, FieldPath, invalid, required } from "../field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { type ObjectMeta, parseApiVersion } from "../meta.js";
import { isJsonArray } from "../patch/json-values.js";
import { printUntyped } from "../printed-structs.js";
import { isDns1035Label } from "../validation/dns-names.js";
import { validateObjectMeta } from "../validation/object-meta.js";
import { nameIsPathSegment } from "../validation/object-name.js";
import { ownObject, put } from "./prune.js";
import type { StructuralSchema } from "./structural-schema.js";

/** Parses metadata; throws an `Error` when it is malformed. */
export type ReadMeta = (value: JsonValue) => ObjectMeta;

/** Calls `visit` with every embedded object of a value and its path. */
function eachEmbedded(
  value: JsonValue | undefined,
  schema: StructuralSchema,
  at: FieldPath,
  visit: (object: JsonObject, at: FieldPath) => void,
): void {
  if (!schema.hasEmbedded || typeof value !== "object" || value === null) return;
  if (isJsonArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) eachEmbedded(item, items, at.index(index), visit);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.isEmbedded) visit(value, at);
  for (const name in value) {
    const property = schema.properties.get(name);
    if (property !== undefined) eachEmbedded(value[name], property, at.child(name), visit);
    else if (typeof schema.additional === "object")
      eachEmbedded(value[name], schema.additional, at.key(name), visit);
  }
}

/** An embedded object must have apiVersion, kind and valid metadata. */
export function validateEmbedded(
  object: JsonObject,
  schema: StructuralSchema,
  readMeta: ReadMeta,
): FieldError[] {
  const errors: FieldError[] = [];
  eachEmbedded(object, schema, FieldPath.of(), (embedded, at) => {
    for (const name of ["apiVersion", "kind"]) {
      if (embedded[name] === undefined) errors.push(required(at.child(name), "must not be empty"));
    }
    const { apiVersion, kind, metadata } = embedded;
    if (apiVersion !== undefined) errors.push(...versionErrors(apiVersion, at.child("apiVersion")));
    if (kind !== undefined) errors.push(...kindErrors(kind, at.child("kind")));
    if (metadata !== undefined) errors.push(...metaErrors(metadata, at.child("metadata"), readMeta));
  });
  return errors;
}

/** Drops unknown fields from embedded metadata, in place. The caller must own the object. */
export function coerceEmbedded(
  object: JsonObject,
  schema: StructuralSchema,
  coerce: (metadata: JsonValue, at: FieldPath) => JsonValue,
): void {
  eachEmbedded(object, schema, FieldPath.of(), (embedded, at) => {
    const { metadata } = embedded;
    const own = ownObject(embedded);
    if (metadata === undefined || metadata === null || own === undefined) return;
    put(own, "metadata", coerce(metadata, at.child("metadata")));
  });
}

function versionErrors(value: JsonValue, at: FieldPath): FieldError[] {
  if (typeof value !== "string") return [invalid(at, printUntyped(value), "must be a string")];
  if (value === "") return [invalid(at, value, "must not be empty")];
  return parseApiVersion(value) === undefined
    ? [invalid(at, value, `unexpected GroupVersion string: ${value}`)]
    : [];
}

function kindErrors(value: JsonValue, at: FieldPath): FieldError[] {
  if (typeof value !== "string") return [invalid(at, printUntyped(value), "must be a string")];
  if (value === "") return [invalid(at, value, "must not be empty")];
  const problems = isDns1035Label(value.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(at, value, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}

function metaErrors(value: JsonValue, at: FieldPath, readMeta: ReadMeta): FieldError[] {
  let meta: ObjectMeta;
  try {
    meta = readMeta(value);
  } catch (error) {
    return [invalid(at, printUntyped(value), error instanceof Error ? error.message : String(error))];
  }
  // A template has no name yet.
  const named = (meta.name ?? "") === "" ? { ...meta, name: "fakename" } : meta;
  return validateObjectMeta(
    named,
    { namespaced: (meta.namespace ?? "") !== "", validateName: nameIsPathSegment },
    at,
  );
}
