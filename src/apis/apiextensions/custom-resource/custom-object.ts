import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json-value.js";
import type { ApiObject } from "../../../apimachinery/meta.js";
import type { TypeMeta } from "../../../apimachinery/schema/codec.js";

/** An object of a custom resource: metadata in canonical form, and whatever else its schema allows. */
export interface CustomObject extends ApiObject {
  status?: JsonValue | undefined;
  [member: string]: unknown;
}

/** The object as a JSON object. Its members are JSON by the codec's contract; those of metadata may be undefined, which is absent. */
export function jsonOf(object: ApiObject): JsonObject {
  if (!isJsonObject(object)) throw new Error("an object is a JSON object");
  return object;
}

/** The same with its type, as schemas see it. */
export function typedJsonOf(object: ApiObject, typeMeta: TypeMeta): JsonObject {
  return { ...typeMeta, ...jsonOf(object) };
}

/** `.spec.replicas` as names. */
export function namesOfPath(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".");
}

/** The value at the end of a path; undefined where the path leaves the object. */
export function valueAt(object: ApiObject, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = jsonOf(object);
  for (const name of names) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
