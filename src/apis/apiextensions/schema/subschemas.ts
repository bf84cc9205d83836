import { append } from "../../../apimachinery/collections/append.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { isPlainSchema } from "./plain-schema.js";

/** The direct subschemas of every kind that OpenAPI knows, supported or not. */
export function subschemas(schema: JSONSchemaProps): readonly JSONSchemaProps[] {
  if (isPlainSchema(schema)) return none;
  const found: JSONSchemaProps[] = [];
  const { items, properties, allOf, anyOf, oneOf, not, patternProperties, definitions, dependencies } =
    schema;
  for (const name in properties) add(found, properties[name]);
  if (Array.isArray(items)) append(found, items);
  else add(found, items);
  for (const junctor of [allOf, anyOf, oneOf]) if (junctor !== undefined) append(found, junctor);
  add(found, not);
  for (const name in patternProperties) add(found, patternProperties[name]);
  for (const name in definitions) add(found, definitions[name]);
  const { additionalProperties, additionalItems } = schema;
  if (typeof additionalProperties === "object") add(found, additionalProperties);
  if (typeof additionalItems === "object") add(found, additionalItems);
  for (const name in dependencies) {
    const dependency = dependencies[name];
    if (dependency !== null && !Array.isArray(dependency)) add(found, dependency);
  }
  return found;
}

const none: readonly JSONSchemaProps[] = [];

function add(to: JSONSchemaProps[], schema: JSONSchemaProps | undefined): void {
  if (schema !== undefined) to.push(schema);
}

/** Whether `test` holds for the schema or any of its subschemas. */
export function someSchema(
  schema: JSONSchemaProps | undefined,
  test: (schema: JSONSchemaProps) => boolean,
): boolean {
  return schema !== undefined && findInSchema(schema, (one) => test(one) || undefined) === true;
}

/** The first answer of `find` for the schema and its subschemas, a schema before those within it. */
function findInSchema<T>(
  schema: JSONSchemaProps,
  find: (schema: JSONSchemaProps) => T | undefined,
): T | undefined {
  const own = find(schema);
  if (own !== undefined) return own;
  for (const inner of subschemas(schema)) {
    const found = findInSchema(inner, find);
    if (found !== undefined) return found;
  }
  return undefined;
}
