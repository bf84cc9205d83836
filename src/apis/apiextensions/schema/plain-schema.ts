import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";

const plainTypes: ReadonlySet<string | undefined> = new Set([
  "boolean",
  "integer",
  "number",
  "object",
  "string",
]);

/** Fields that contain no schemas and have no rules. */
const plainFields: ReadonlySet<string> = new Set([
  "description",
  "type",
  "format",
  "title",
  "enum",
  "required",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "maxItems",
  "minItems",
  "maxProperties",
  "minProperties",
  "multipleOf",
  "externalDocs",
  "example",
]);

/**
 * Whether a schema below the root cannot have errors. Most fields of a definition have a type, a description and a few limits, and
 * recognizing them takes less time than any other check.
 */
export function isPlainSchema(schema: JSONSchemaProps): boolean {
  if (!plainTypes.has(schema.type)) return false;
  for (const name in schema) if (!plainFields.has(name)) return false;
  return true;
}
