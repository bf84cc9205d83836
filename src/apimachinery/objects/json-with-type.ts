import type { JsonObject } from "../json/json-value.js";

/** The object form of every version is JSON without its type: this adds the type, and shares the members. */
export function jsonWithType(
  object: object,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
): JsonObject {
  return { kind, apiVersion, ...object };
}
