import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";

/** Schemas that stand directly in another one, of every kind that OpenAPI knows, supported or not. */
export function* subschemas(schema: JSONSchemaProps): Generator<JSONSchemaProps> {
  if (Array.isArray(schema.items)) yield* schema.items;
  else if (schema.items !== undefined) yield schema.items;
  for (const junctor of [schema.allOf, schema.anyOf, schema.oneOf]) yield* junctor ?? [];
  if (schema.not !== undefined) yield schema.not;
  for (const named of [schema.properties, schema.patternProperties, schema.definitions]) {
    yield* Object.values(named ?? {});
  }
  for (const additional of [schema.additionalProperties, schema.additionalItems]) {
    if (typeof additional === "object") yield additional;
  }
  for (const dependency of Object.values(schema.dependencies ?? {})) {
    if (!Array.isArray(dependency)) yield dependency;
  }
}

/** Whether `test` holds for the schema or anything in it. */
export function someSchema(
  schema: JSONSchemaProps | undefined,
  test: (schema: JSONSchemaProps) => boolean,
): boolean {
  if (schema === undefined) return false;
  if (test(schema)) return true;
  for (const inner of subschemas(schema)) if (someSchema(inner, test)) return true;
  return false;
}
