import type { JsonObject } from "../json/json-value.js";

/** Adds kind and apiVersion to a decoded object, which lacks them. The result shares the object's members. */
export function jsonWithType(
  object: object,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
): JsonObject {
  return { kind, apiVersion, ...object };
}
