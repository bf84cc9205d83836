/**
 * A decoded JSON document. Integers outside ±(2^53-1) are `bigint`, so that 64-bit fields keep their exact
 * value; every other number is a `number`.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
