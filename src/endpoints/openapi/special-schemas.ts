import { unreachable } from "../../apimachinery/errors/unreachable.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { SpecialType } from "../../apimachinery/schema/declaration.js";
import type { Dialect } from "./dialect.js";

/** The JSON form of types with their own encoding. `schemaProps` refers to a JSON schema. Only 3.0 can express alternatives. */
export function specialSchema(
  special: SpecialType,
  dialect: Dialect,
  schemaProps: () => JsonObject,
): JsonObject {
  const alternatives = (...oneOf: readonly JsonObject[]): JsonObject => (dialect === "v3" ? { oneOf } : {});
  switch (special) {
    case "Quantity":
      return {
        description:
          "An amount: a decimal number with an optional suffix, as in 500m, 1.5, 2Ki, 3M or 1e3. " +
          "Suffixes are n, u, m, k, M, G, T, P, E for powers of ten and Ki, Mi, Gi, Ti, Pi, Ei for powers of 1024.",
        ...(dialect === "v2" ? { type: "string" } : alternatives({ type: "string" }, { type: "number" })),
      };
    case "IntOrString":
      return {
        description: "A whole number, or text such as a name or a percentage.",
        format: "int-or-string",
        ...(dialect === "v2" ? { type: "string" } : alternatives({ type: "integer" }, { type: "string" })),
      };
    case "Time":
      return {
        description: "A point in time in whole seconds, as RFC 3339 text.",
        format: "date-time",
        type: "string",
      };
    case "MicroTime":
      return {
        description: "A point in time with microseconds, as RFC 3339 text.",
        format: "date-time",
        type: "string",
      };
    case "Duration":
      return { description: "A length of time, as in 1h30m or 500ms.", type: "string" };
    case "RawExtension":
      return { description: "An object of any kind, kept as it is.", type: "object" };
    case "FieldsV1":
      return {
        description:
          "A set of fields as a tree: f: names a field, k: a list item by its keys, v: one by its value.",
        type: "object",
      };
    case "JSON":
      return { description: "Any JSON value." };
    case "StringList":
      return { items: { type: "string", ...(dialect === "v3" && { default: "" }) }, type: "array" };
    case "JSONSchemaPropsOrBool":
      return {
        description: "A schema, or whether anything is allowed.",
        ...alternatives(schemaProps(), { type: "boolean" }),
      };
    case "JSONSchemaPropsOrArray":
      return {
        description: "A schema, or a list of them.",
        ...alternatives(schemaProps(), { items: schemaProps(), type: "array" }),
      };
    case "JSONSchemaPropsOrStringArray":
      return {
        description: "A schema, or a list of names.",
        ...alternatives(schemaProps(), { items: { type: "string" }, type: "array" }),
      };
    case "Unknown":
      return { type: "object" };
    default:
      return unreachable(special);
  }
}
