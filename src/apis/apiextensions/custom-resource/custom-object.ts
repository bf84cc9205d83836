import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import { jsonEqual } from "../../../apimachinery/json/json-values.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { TypeMeta } from "../../../apimachinery/schema/codec.js";

/** A custom resource: metadata in canonical form, and any other fields that its schema allows. */
export interface CustomObject extends ApiObject {
  status?: JsonValue | undefined;
  [member: string]: unknown;
}

/** The object as JSON. The codec guarantees JSON members; those of metadata may be undefined, which means absent. */
export function jsonOf(object: ApiObject): JsonObject {
  if (!isJsonObject(object)) throw new Error("an object must be a JSON object");
  return object;
}

/** The object with its apiVersion and kind, as schemas see it. */
export function typedJsonOf(object: ApiObject, typeMeta: TypeMeta): JsonObject {
  return { ...typeMeta, ...jsonOf(object) };
}

/** Compares everything but metadata. */
export function hasSameContent(object: CustomObject, old: CustomObject): boolean {
  const { metadata: _ours, ...now } = jsonOf(object);
  const { metadata: _theirs, ...before } = jsonOf(old);
  return jsonEqual(now, before);
}

/** The steps of `.spec.replicas`. */
export function namesOfPath(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

/** The value at the end of a path; undefined when the path does not exist. */
export function valueAt(object: ApiObject, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = jsonOf(object);
  for (const name of names) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
