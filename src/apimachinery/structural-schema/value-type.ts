import type { JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import type { StructuralSchema } from "./structural-schema.js";

export function hasType(schema: StructuralSchema): boolean {
  return schema.type !== undefined || schema.isIntOrString;
}

export function fitsType(value: JsonValue, actual: string, schema: StructuralSchema): boolean {
  if (schema.isIntOrString) return actual === "string" || isInteger(value);
  if (actual === schema.type || onlyFormatCounts(actual, schema)) return true;
  if (schema.type === "integer") return isInteger(value);
  return schema.type === "number" && actual === "integer";
}

/** Kubernetes leaves strings and lists to the format where there is one, and formats look at strings only. */
function onlyFormatCounts(actual: string, { type, format }: StructuralSchema): boolean {
  if (format === "" || type === "integer" || type === "number") return false;
  return actual === "string" || actual === "array";
}

export function isInteger(value: JsonValue): boolean {
  return typeof value === "bigint" ? isInt64(value) : Number.isSafeInteger(value);
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

export function typeName(value: JsonValue): string {
  if (isJsonArray(value)) return "array";
  if (isInteger(value)) return "integer";
  return typeof value === "bigint" ? "number" : typeof value;
}
