import type { JsonObject } from "../json/json-value.js";
import type { TypeMeta } from "../schema/codec.js";

/** The object form of every version is JSON but for its type: the whole object, sharing its members. */
export function jsonWithType(object: object, { kind, apiVersion }: TypeMeta): JsonObject {
  return { kind, apiVersion, ...object };
}
