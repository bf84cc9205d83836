import { append } from "../../../apimachinery/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/field-error.js";
import type { JSONSchemaProps, ValidationRule } from "../../gen/apiextensions-v1.js";
import { listErrors, mapKeyErrors } from "./list-validation.js";
import { isPlainSchema } from "./plain-schema.js";
import { extensionsOf } from "./schema-extensions.js";

export const schemaTypes: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

export interface SchemaRules {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  readonly validTypes: boolean;
  readonly atomicSetItems: boolean;
  readonly mapListKeys: boolean;
}

/** Rules that depend on the position in the whole schema. */
interface Position {
  readonly isRoot: boolean;
  readonly insideMetadata: boolean;
  /** Why a default is not allowed here. */
  readonly noDefaults: string | undefined;
}

export interface OpenApiFindings {
  readonly errors: readonly FieldError[];
  /** Whether the schema has fields with which it has no structure to validate. */
  readonly isUnsupported: boolean;
  readonly hasRules: boolean;
}

/** What one walk over a schema needs, and what it notes on the way. */
interface Walk {
  readonly rules: SchemaRules;
  isUnsupported: boolean;
  hasRules: boolean;
}

/** Checks the parts of OpenAPI v3 that schemas of custom resources may use, structural or not. */
export function validateOpenApiSchema(
  schema: JSONSchemaProps,
  path: FieldPath,
  rules: SchemaRules,
): OpenApiFindings {
  const walk: Walk = { rules, isUnsupported: false, hasRules: false };
  const position = { isRoot: true, insideMetadata: false, noDefaults: undefined };
  const errors = validate(schema, path, position, walk);
  return { errors, isUnsupported: walk.isUnsupported, hasRules: walk.hasRules };
}

function validate(schema: JSONSchemaProps, path: FieldPath, position: Position, walk: Walk): FieldError[] {
  const { rules } = walk;
  const { isRoot, insideMetadata } = position;
  if (!isRoot && isPlainSchema(schema)) return [];
  const extensions = extensionsOf(schema, rules.prefix);
  const inner: Position = isRoot ? { ...position, isRoot: false } : position;
  const descend = (into: JSONSchemaProps, at: FieldPath, from: Position = inner): FieldError[] =>
    validate(into, at, from, walk);
  const extensionPath = (name: string): FieldPath => path.child(`${rules.prefix}${name}`);

  const unsupported = isUnsupported(schema);
  if (unsupported) walk.isUnsupported = true;
  if (extensions.validations.length > 0) walk.hasRules = true;
  const errors = unsupportedErrors(schema, path, position, rules, unsupported);
  if (schema.uniqueItems === true) {
    const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbidden(path.child("uniqueItems"), why));
  }
  const { additionalProperties: additional, properties = {} } = schema;
  if (additional !== undefined) {
    const at = path.child("additionalProperties");
    if (Object.keys(properties).length > 0 && additional !== true) {
      errors.push(forbidden(at, "additionalProperties and properties are mutual exclusive"));
    }
    if (typeof additional === "object") {
      const why = insideMetadata ? "inside additionalProperties applying to object metadata" : undefined;
      append(errors, descend(additional, at, { ...inner, noDefaults: why ?? inner.noDefaults }));
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const isMetadata = (isRoot || extensions.embeddedResource) && metadataFields.includes(name);
    const noDefaults = isMetadata && isRoot ? `in top-level ${name}` : inner.noDefaults;
    const from = isMetadata ? { ...inner, insideMetadata: true, noDefaults } : inner;
    append(errors, descend(property, path.child("properties").key(name), from));
  }
  if (schema.not !== undefined) append(errors, descend(schema.not, path.child("not")));
  for (const junctor of ["allOf", "oneOf", "anyOf"] as const) {
    for (const [index, part] of (schema[junctor] ?? []).entries()) {
      append(errors, descend(part, path.child(junctor).index(index)));
    }
  }
  for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
    append(errors, descend(definition, path.child("definitions").key(name)));
  }
  if (Array.isArray(schema.items)) {
    for (const [index, item] of schema.items.entries()) {
      append(errors, descend(item, path.child("items").index(index)));
    }
  } else if (schema.items !== undefined) {
    append(errors, descend(schema.items, path.child("items")));
  }
  for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(dependency)) append(errors, descend(dependency, path.child("dependencies").key(name)));
  }
  if (extensions.preserveUnknownFields === false) {
    errors.push(invalid(extensionPath("preserve-unknown-fields"), false, "must be true or undefined"));
  }
  append(errors, mapTypeErrors(schema, extensions.mapType, path, rules.prefix));
  append(errors, listErrors(schema, path, rules));
  append(errors, ruleErrors(extensions.validations, extensionPath("validations")));
  if (rules.mapListKeys) append(errors, mapKeyErrors(schema, path, rules.prefix));
  return errors;
}

const metadataFields = ["metadata", "kind", "apiVersion"];

function unsupportedErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  { insideMetadata, noDefaults }: Position,
  rules: SchemaRules,
  unsupported: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const { type = "" } = schema;
  if (rules.validTypes && type !== "" && !schemaTypes.includes(type)) {
    errors.push(notSupported(path.child("type"), type, schemaTypes));
  }
  if (schema.default !== undefined && noDefaults !== undefined) {
    errors.push(forbidden(path.child("default"), `must not be set ${noDefaults}`));
  }
  if (unsupported) {
    for (const name of unsupportedFields(schema)) {
      errors.push(forbidden(path.child(name), `${name} is not supported`));
    }
  }
  if (type === "null") {
    errors.push(forbidden(path.child("type"), "type cannot be set to null, use nullable as an alternative"));
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.push(forbidden(path.child("items"), "items must be a schema object and not an array"));
  }
  if (insideMetadata && extensionsOf(schema, rules.prefix).embeddedResource) {
    const at = path.child(`${rules.prefix}embedded-resource`);
    errors.push(forbidden(at, "must not be used inside of resource meta"));
  }
  return errors;
}

function unsupportedFields(schema: JSONSchemaProps): string[] {
  const { id = "", additionalItems, patternProperties, definitions, dependencies, $ref } = schema;
  return [
    ...(id === "" ? [] : ["id"]),
    ...(additionalItems === undefined ? [] : ["additionalItems"]),
    ...(hasMembers(patternProperties) ? ["patternProperties"] : []),
    ...(hasMembers(definitions) ? ["definitions"] : []),
    ...(dependencies === undefined ? [] : ["dependencies"]),
    ...($ref === undefined ? [] : ["$ref"]),
  ];
}

/** Why a schema has no structure to validate, in Kubernetes' words; its subschemas are not looked at. */
export function unsupportedProblem(schema: JSONSchemaProps): string | undefined {
  const {
    id = "",
    $schema = "",
    $ref,
    patternProperties,
    dependencies,
    additionalItems,
    definitions,
  } = schema;
  const { items } = schema;
  const not = (part: string): string => `OpenAPIV3Schema '${part}' is not supported`;
  if (id !== "") return not("id");
  if ($schema !== "") return not("schema");
  if ($ref !== undefined) return not("$ref");
  if (hasMembers(patternProperties)) return not("patternProperties");
  if (dependencies !== undefined) return not("dependencies");
  if (additionalItems !== undefined) return not("additionalItems");
  if (hasMembers(definitions)) return not("definitions");
  if (Array.isArray(items) && items.length > 0)
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  return undefined;
}

export function isUnsupported(schema: JSONSchemaProps): boolean {
  return unsupportedProblem(schema) !== undefined;
}

function hasMembers(map: object | undefined): boolean {
  for (const _name in map) return true;
  return false;
}

function mapTypeErrors(
  schema: JSONSchemaProps,
  mapType: string | undefined,
  path: FieldPath,
  prefix: string,
): FieldError[] {
  if (mapType === undefined) return [];
  const errors: FieldError[] = [];
  const { type = "" } = schema;
  if (type !== "object") {
    const why = `must be object if ${prefix}map-type is specified`;
    errors.push(type === "" ? required(path.child("type"), why) : invalid(path.child("type"), type, why));
  }
  const mapTypes = ["atomic", "granular"];
  if (!mapTypes.includes(mapType))
    errors.push(notSupported(path.child(`${prefix}map-type`), mapType, mapTypes));
  return errors;
}

/** Checks only the strings; expressions are compiled elsewhere. */
function ruleErrors(rules: readonly ValidationRule[], path: FieldPath): FieldError[] {
  return rules.flatMap(({ rule, message = "" }, index) => {
    const at = path.index(index);
    const [trimmedRule, trimmedMessage] = [rule.trim(), message.trim()];
    if (trimmedRule === "") return [required(at.child("rule"), "rule is not specified")];
    const messagePath = at.child("message");
    if (message !== "" && trimmedMessage === "") {
      return [invalid(messagePath, message, "message must be non-empty if specified")];
    }
    if (/[\n\r]/.test(trimmedMessage)) {
      return [invalid(messagePath, message, "message must not contain line breaks")];
    }
    if (/[\n\r]/.test(trimmedRule) && trimmedMessage === "") {
      return [required(messagePath, "message must be specified if rule contains line breaks")];
    }
    return [];
  });
}
