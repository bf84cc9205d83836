import { isJsonObject, type JsonValue } from "../json/json-value.js";

/** The type of a JSON value as Go names it in its errors. */
export function goType(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return Number.isSafeInteger(value) ? "int64" : "float64";
    case "bigint":
      return "int64";
    default:
      if (value === null) return "<nil>";
      return isJsonObject(value) ? "map[string]interface {}" : "[]interface {}";
  }
}
