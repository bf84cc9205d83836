import type { JsonValue } from "./json-value.js";

/** Why a value does not fit a Go type, in the words of Kubernetes' JSON decoder. */
export function unmarshalProblem(value: JsonValue, goType: string): string {
  return `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${goType}`;
}

/** What that decoder calls the type of a value. */
export function jsonTypeName(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "number";
    case "string":
      return "string";
    default:
      return "object";
  }
}
