import { append } from "../../../apimachinery/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/field-error.js";
import { isDeepEqual } from "../../definition/base-strategy.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { isPlainSchema } from "./plain-schema.js";
import { patternProblem } from "./regular-expression.js";
import { extensionsOf } from "./schema-extensions.js";
import { completenessErrors } from "./structural-completeness.js";

type Level = "root" | "item" | "field";

/**
 * Checks that a schema is structural: fields and their types are specified outside of `allOf`, `anyOf`, `oneOf` and `not`, which
 * may only restrict values. Errors are sorted by their text. The schema has no unsupported parts.
 */
export function validateStructural(schema: JSONSchemaProps, path: FieldPath, prefix: string): FieldError[] {
  const errors = [
    ...structureErrors(schema, "root", path, prefix),
    ...completenessErrors(schema, schema, path, path),
  ];
  const text = ({ field, body }: FieldError): string => `${field}: ${body}`;
  return errors.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

function structureErrors(
  schema: JSONSchemaProps,
  level: Level,
  path: FieldPath,
  prefix: string,
): FieldError[] {
  if (level !== "root" && isPlainSchema(schema)) return [];
  const { type = "", properties = {}, additionalProperties: additional } = schema;
  const extensions = extensionsOf(schema, prefix);
  const items = Array.isArray(schema.items) ? undefined : schema.items;
  const errors: FieldError[] = [];
  if (type === "array" && items === undefined)
    errors.push(required(path.child("items"), "must be specified"));
  if (items !== undefined) append(errors, structureErrors(items, "item", path.child("items"), prefix));
  for (const [name, property] of Object.entries(properties)) {
    append(errors, structureErrors(property, "field", path.child("properties").key(name), prefix));
  }
  const additionalPath = path.child("additionalProperties");
  if (additional !== undefined && level === "root") {
    errors.push(forbidden(additionalPath, "must not be used at the root"));
  }
  if (typeof additional === "object") {
    append(errors, structureErrors(additional, "field", additionalPath, prefix));
  }
  append(errors, intOrStringErrors(schema, path, prefix));
  append(errors, valueErrors(schema, path, prefix, true));
  append(errors, typeErrors(schema, level, path, prefix));
  if (extensions.embeddedResource && additional !== undefined) {
    errors.push(forbidden(additionalPath, `must not be used if ${prefix}embedded-resource is set`));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(path.child("type"), type, "must be object at the root"));
  }
  append(errors, metadataErrors(schema, level, path, prefix));
  if (
    extensions.embeddedResource &&
    extensions.preserveUnknownFields !== true &&
    Object.keys(properties).length === 0
  ) {
    const why = `must not be empty if ${prefix}embedded-resource is true without ${prefix}preserve-unknown-fields`;
    errors.push(required(path.child("properties"), why));
  }
  return errors;
}

const missingType = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
} as const satisfies Record<Level, string>;

function typeErrors(schema: JSONSchemaProps, level: Level, path: FieldPath, prefix: string): FieldError[] {
  const { type = "" } = schema;
  const extensions = extensionsOf(schema, prefix);
  const at = path.child("type");
  if (extensions.embeddedResource && type !== "object") {
    const why = `must be object if ${prefix}embedded-resource is true`;
    return [type === "" ? required(at, why) : invalid(at, type, why)];
  }
  const isAnything = extensions.intOrString || extensions.preserveUnknownFields === true;
  return type === "" && !isAnything ? [required(at, missingType[level])] : [];
}

function intOrStringErrors(schema: JSONSchemaProps, path: FieldPath, prefix: string): FieldError[] {
  const { intOrString, preserveUnknownFields, embeddedResource } = extensionsOf(schema, prefix);
  if (!intOrString) return [];
  const why = `must be false if ${prefix}int-or-string is true`;
  return [
    ...(preserveUnknownFields === true
      ? [invalid(path.child(`${prefix}preserve-unknown-fields`), true, why)]
      : []),
    ...(embeddedResource ? [invalid(path.child(`${prefix}embedded-resource`), true, why)] : []),
  ];
}

/** For embedded objects: metadata is implied, and only its names may be restricted. */
function metadataErrors(
  schema: JSONSchemaProps,
  level: Level,
  path: FieldPath,
  prefix: string,
): FieldError[] {
  const { properties = {} } = schema;
  const isObject = level === "root" || extensionsOf(schema, prefix).embeddedResource;
  const errors: FieldError[] = [];
  for (const name of ["kind", "apiVersion"]) {
    const type = properties[name]?.type ?? "";
    if (isObject && properties[name] !== undefined && type !== "string") {
      errors.push(invalid(path.child("properties").key(name).child("type"), type, "must be string"));
    }
  }
  const { metadata } = properties;
  if (metadata === undefined) return errors;
  const at = path.child("properties").key("metadata");
  const type = metadata.type ?? "";
  if (isObject && type !== "object") errors.push(invalid(at.child("type"), type, "must be object"));
  if (level === "root" && !restrictsNamesOnly(metadata)) {
    const why =
      "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(forbidden(at, why));
  }
  return errors;
}

function restrictsNamesOnly(metadata: JSONSchemaProps): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const names = Object.keys(properties);
  return (
    names.every((name) => name === "name" || name === "generateName") &&
    Object.values(rest).every((value) => isUnset(value))
  );
}

/** Zero values count as unset. */
function isUnset(value: unknown): boolean {
  if (value === undefined || value === false || value === "") return true;
  return Array.isArray(value) && value.length === 0;
}

const integerOrString: readonly JSONSchemaProps[] = [{ type: "integer" }, { type: "string" }];

/** Value validations must not declare structure, except the pattern that marks an int-or-string for other tools. */
function valueErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  prefix: string,
  isOutermost: boolean,
): FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = "" } = schema;
  const isPattern = (parts: readonly JSONSchemaProps[]): boolean =>
    isOutermost && parts.length === 2 && isDeepEqual(parts, integerOrString);
  const errors: FieldError[] = [];
  if (!isPattern(anyOf)) {
    for (const [index, part] of anyOf.entries()) {
      append(errors, nestedErrors(part, path.child("anyOf").index(index), prefix, false));
    }
  }
  for (const [index, part] of allOf.entries()) {
    const skipsAnyOf = index === 0 && isPattern(part.anyOf ?? []);
    append(errors, nestedErrors(part, path.child("allOf").index(index), prefix, skipsAnyOf));
  }
  for (const [index, part] of oneOf.entries()) {
    append(errors, nestedErrors(part, path.child("oneOf").index(index), prefix, false));
  }
  if (not !== undefined) append(errors, nestedErrors(not, path.child("not"), prefix, false));
  const problem = pattern === "" ? undefined : patternProblem(pattern);
  if (problem !== undefined) {
    const why = `must be a valid regular expression, but isn't: ${problem}`;
    errors.push(invalid(path.child("pattern"), pattern, why));
  }
  return errors;
}

function nestedErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  prefix: string,
  skipsAnyOf: boolean,
): FieldError[] {
  const { items, properties = {} } = schema;
  const values = skipsAnyOf ? { ...schema, anyOf: undefined } : schema;
  const errors = valueErrors(values, path, prefix, false);
  if (items !== undefined && !Array.isArray(items)) {
    append(errors, nestedErrors(items, path.child("items"), prefix, false));
  }
  for (const [name, property] of Object.entries(properties)) {
    append(errors, nestedErrors(property, path.child("properties").key(name), prefix, false));
  }
  for (const [name, should] of structureOf(schema, prefix)) {
    errors.push(forbidden(path.child(name), `must be ${should} to be structural`));
  }
  if (properties.metadata !== undefined) {
    const at = path.child("properties").key("metadata");
    errors.push(forbidden(at, "must not be specified in a nested context"));
  }
  return errors;
}

/** The fields of a nested schema that would declare structure, and their required values. */
function structureOf(schema: JSONSchemaProps, prefix: string): (readonly [field: string, should: string])[] {
  const { type = "", title = "", description = "" } = schema;
  const extensions = extensionsOf(schema, prefix);
  const found: (readonly [string, string])[] = [];
  const refuse = (isGiven: boolean, field: string, should: string): void => {
    if (isGiven) found.push([field, should]);
  };
  refuse(type !== "", "type", "empty");
  refuse(schema.additionalProperties !== undefined, "additionalProperties", "undefined");
  refuse(schema.default !== undefined, "default", "undefined");
  refuse(title !== "", "title", "empty");
  refuse(description !== "", "description", "empty");
  refuse(schema.nullable === true, "nullable", "false");
  refuse(extensions.preserveUnknownFields === true, `${prefix}preserve-unknown-fields`, "false");
  refuse(extensions.embeddedResource, `${prefix}embedded-resource`, "false");
  refuse(extensions.intOrString, `${prefix}int-or-string`, "false");
  refuse(extensions.listMapKeys.length > 0, `${prefix}list-map-keys`, "empty");
  refuse(extensions.listType !== undefined, `${prefix}list-type`, "undefined");
  refuse(extensions.mapType !== undefined, `${prefix}map-type`, "undefined");
  refuse(extensions.validations.length > 0, `${prefix}validations`, "empty");
  return found;
}
