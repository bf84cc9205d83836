import { append } from "../../../apimachinery/append.js";
import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/field-error.js";
import { isJsonObject, type JsonValue } from "../../../apimachinery/json-value.js";
import { printUntyped } from "../../../apimachinery/printed-structs.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { validateValues } from "../../../apimachinery/structural-schema/validate-values.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { isPlainSchema } from "./plain-schema.js";
import { prune } from "./prune.js";
import { extensionsOf } from "./schema-extensions.js";

/** Defaults must be valid and contain no fields that pruning would drop. The schema is structural. */
export function validateDefaults(schema: JSONSchemaProps, path: FieldPath, prefix: string): FieldError[] {
  return validate(schema, path, prefix, true, false);
}

function validate(
  schema: JSONSchemaProps,
  path: FieldPath,
  prefix: string,
  isResource: boolean,
  insideMetadata: boolean,
): FieldError[] {
  const { default: value, items, properties = {} } = schema;
  const errors: FieldError[] = [];
  if (value !== undefined && (isResource || !insideMetadata)) {
    let unknown = 0;
    prune(value, schema, { prefix, isResource, onDrop: () => unknown++ });
    if (unknown > 0) {
      errors.push(invalid(path.child("default"), printUntyped(value), "must not have unknown fields"));
    } else append(errors, valueErrors(value, schema, path.child("default"), prefix));
  }
  const descend = (inner: JSONSchemaProps, at: FieldPath, isMetadata: boolean): void => {
    if (isPlainSchema(inner)) return;
    const { embeddedResource } = extensionsOf(inner, prefix);
    const within = embeddedResource ? false : isMetadata || (insideMetadata && !isResource);
    append(errors, validate(inner, at, prefix, embeddedResource, within));
  };
  if (items !== undefined && !Array.isArray(items)) descend(items, path.child("items"), false);
  for (const [name, property] of Object.entries(properties)) {
    const isMetadata = isResource && ["metadata", "apiVersion", "kind"].includes(name);
    descend(property, path.child("properties").key(name), isMetadata);
  }
  return errors;
}

/** Validates a default against its own schema. */
function valueErrors(
  value: JsonValue,
  schema: JSONSchemaProps,
  path: FieldPath,
  prefix: string,
): FieldError[] {
  const json: unknown = schema;
  if (!isJsonObject(json)) return [];
  return validateValues(value, parseStructuralSchema(json, prefix)).map(({ type, field, body }) => ({
    type,
    field: field === "<nil>" ? String(path) : `${path}${field.startsWith("[") ? "" : "."}${field}`,
    body,
  }));
}
