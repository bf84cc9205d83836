import type { JsonObject } from "../json/json-value.js";

/** The object form of every version is JSON but for its type: the whole object, sharing its members. */
export function jsonWithType(
  object: object,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
): JsonObject {
  return { kind, apiVersion, ...object };
}
