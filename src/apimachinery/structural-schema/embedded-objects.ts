import { put } from "../collections/put.js";
import { hasErrorTextsOf } from "../errors/error-texts.js";
import { type FieldError, FieldPath, invalid, required } from "../errors/field-error.js";
import { messageOf } from "../errors/message-of.js";
import { printUntyped } from "../errors/printed-structs.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import { type ObjectMeta, parseApiVersion } from "../objects/meta.js";
import { DecodeError } from "../schema/codec.js";
import { isDns1035Label } from "../validation/dns-names.js";
import { validateObjectMeta } from "../validation/object-meta.js";
import { nameIsPathSegment } from "../validation/object-name.js";
import { type OwnObject, ownObject } from "./prune.js";
import type { StructuralSchema } from "./structural-schema.js";

/** Parses metadata; throws an `Error` when it is malformed. */
export type ReadMeta = (value: JsonValue) => ObjectMeta;

function embeddedObjects(value: JsonValue, schema: StructuralSchema, path: FieldPath): readonly Embedded[] {
  const found: Embedded[] = [];
  if (schema.hasEmbedded) collect(value, schema, path, found);
  return found;
}

interface Embedded {
  readonly object: JsonObject;
  readonly at: FieldPath;
}

function collect(
  value: JsonValue | undefined,
  schema: StructuralSchema,
  at: FieldPath,
  found: Embedded[],
): void {
  if (!schema.hasEmbedded || typeof value !== "object" || value === null) return;
  if (isJsonArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) collect(item, items, at.index(index), found);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.isEmbedded) found.push({ object: value, at });
  for (const name in value) {
    const property = schema.properties.get(name);
    if (property !== undefined) collect(value[name], property, at.child(name), found);
    else if (typeof schema.additional === "object")
      collect(value[name], schema.additional, at.key(name), found);
  }
}

/** An embedded object must have apiVersion, kind and valid metadata. `value` is at `path`. */
export function embeddedErrors(
  value: JsonValue,
  schema: StructuralSchema,
  readMeta: ReadMeta,
  path = FieldPath.of(),
): FieldError[] {
  const errors: FieldError[] = [];
  for (const { object, at } of embeddedObjects(value, schema, path)) {
    for (const name of ["apiVersion", "kind"]) {
      if (object[name] === undefined)
        errors.push(required(at.child(name), hasErrorTextsOf(34) ? "" : "must not be empty"));
    }
    const { apiVersion, kind, metadata } = object;
    if (apiVersion !== undefined) errors.push(...versionErrors(apiVersion, at.child("apiVersion")));
    if (kind !== undefined) errors.push(...kindErrors(kind, at.child("kind")));
    if (metadata !== undefined) errors.push(...metaErrors(metadata, at.child("metadata"), readMeta));
  }
  return errors;
}

/** The first error of the types of an embedded object's apiVersion, kind and metadata. */
export function embeddedTypeError(
  value: JsonValue,
  schema: StructuralSchema,
  readMeta: ReadMeta,
  path = FieldPath.of(),
): FieldError | undefined {
  for (const { object, at } of embeddedObjects(value, schema, path)) {
    const { apiVersion, kind, metadata } = object;
    for (const [name, member] of Object.entries({ apiVersion, kind })) {
      if (member !== undefined && typeof member !== "string")
        return invalid(at.child(name), printUntyped(member), "must be a string");
    }
    if (metadata === undefined) continue;
    const { problem } = tryReading(metadata, readMeta);
    if (problem !== undefined) return invalid(at.child("metadata"), printUntyped(metadata), problem);
  }
  return undefined;
}

export interface Coercion {
  /** Reads metadata without its unknown fields. Throws a `DecodeError`. */
  coerce(metadata: JsonValue, at: FieldPath): JsonObject;
  /** Whether members that do not fit are dropped. */
  readonly dropsMalformed: boolean;
}

/**
 * Decodes apiVersion, kind and metadata of embedded objects, in place. The caller must own the object. Throws a `DecodeError` for members
 * that do not fit, unless they are dropped.
 */
export function coerceEmbedded(object: JsonObject, schema: StructuralSchema, coercion: Coercion): void {
  for (const { object: embedded, at } of embeddedObjects(object, schema, FieldPath.of())) {
    const own = ownObject(embedded);
    if (own !== undefined) coerceOne(own, at, coercion);
  }
}

function coerceOne(object: OwnObject, at: FieldPath, { coerce, dropsMalformed }: Coercion): void {
  for (const name of ["apiVersion", "kind"]) {
    const member = object[name];
    if (member === undefined || typeof member === "string") continue;
    if (!dropsMalformed) throw misfit(at.child(name), member, "must be a string");
    delete object[name];
  }
  const { metadata } = object;
  if (metadata === undefined) return;
  const metadataPath = at.child("metadata");
  try {
    put(object, "metadata", coerce(metadata ?? {}, metadataPath));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (!dropsMalformed) throw misfit(metadataPath, metadata, error.message);
    if (isJsonObject(metadata))
      put(
        object,
        "metadata",
        wellFormedMembers(metadata, (one) => coerce(one, metadataPath)),
      );
    else delete object.metadata;
  }
}

function misfit(at: FieldPath, value: JsonValue, why: string): DecodeError {
  const { field, body } = invalid(at, printUntyped(value), why);
  return new DecodeError(`${field}: ${body}`);
}

/** The members that can be read one by one. */
function wellFormedMembers(metadata: JsonObject, coerce: (metadata: JsonObject) => JsonObject): JsonObject {
  const kept: OwnObject = {};
  for (const [name, member] of Object.entries(metadata)) {
    try {
      Object.assign(kept, coerce({ [name]: member }));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
    }
  }
  return kept;
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
  const { meta, problem } = tryReading(value, readMeta);
  if (meta === undefined) return [invalid(at, printUntyped(value), problem)];
  // A template has no name yet.
  const named = (meta.name ?? "") === "" ? { ...meta, name: "fakename" } : meta;
  return validateObjectMeta(
    named,
    { namespaced: (meta.namespace ?? "") !== "", validateName: nameIsPathSegment },
    at,
  );
}

type ReadResult =
  | { readonly meta: ObjectMeta; readonly problem?: undefined }
  | { readonly meta?: undefined; readonly problem: string };

function tryReading(value: JsonValue, readMeta: ReadMeta): ReadResult {
  try {
    return { meta: readMeta(value) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
