import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  hasErrors,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { hasDivisibleSetItems, listErrors, mapKeyErrors } from "./list-validation.js";
import { isPlainSchema } from "./plain-schema.js";
import { ruleErrors } from "./rule-text-validation.js";
import { extensionsOf, type SchemaExtensions } from "./schema-extensions.js";

export const schemaTypes: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

export interface SchemaRules {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  /** Whether a schema must meet a rule that it breaks: a stored schema need not meet all rules. */
  requires(rule: "validTypes" | "atomicSetItems" | "mapListKeys"): boolean;
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
  /** Whether the schema uses fields that rule out a structural schema. */
  readonly isUnsupported: boolean;
  readonly hasDefaults: boolean;
  readonly hasRules: boolean;
}

/** Checks the parts of OpenAPI v3 that schemas of custom resources may use, structural or not. */
export function validateOpenApiSchema(
  schema: JSONSchemaProps,
  path: FieldPath,
  rules: SchemaRules,
): OpenApiFindings {
  const walk = new OpenApiWalk(rules);
  walk.visit(schema, path, { isRoot: true, insideMetadata: false, noDefaults: undefined });
  return walk;
}

class OpenApiWalk implements OpenApiFindings {
  readonly errors: FieldError[] = [];
  isUnsupported = false;
  hasDefaults = false;
  hasRules = false;
  readonly #rules: SchemaRules;

  constructor(rules: SchemaRules) {
    this.#rules = rules;
  }

  visit(schema: JSONSchemaProps, path: FieldPath, position: Position): void {
    const extensions = extensionsOf(schema, this.#rules.prefix);
    const inner: Position = position.isRoot ? { ...position, isRoot: false } : position;
    this.#checkSelf(schema, path, position, extensions);
    this.#visitAdditional(schema, path, inner);
    this.#visitProperties(schema, path.child("properties"), inner, {
      isRoot: position.isRoot,
      isObject: position.isRoot || extensions.embeddedResource,
    });
    this.#visitOthers(schema, path, inner);
    this.#checkExtensions(schema, path, extensions);
  }

  /** Checks what does not depend on the schemas inside. */
  #checkSelf(
    schema: JSONSchemaProps,
    path: FieldPath,
    position: Position,
    { validations }: SchemaExtensions,
  ): void {
    const { errors } = this;
    if (schema.default !== undefined) this.hasDefaults = true;
    if (validations.length > 0) this.hasRules = true;
    const { type = "" } = schema;
    const hasBadType = type !== "" && !schemaTypes.includes(type);
    if (hasBadType && this.#rules.requires("validTypes")) {
      errors.push(notSupported(path.child("type"), type, schemaTypes));
    }
    const unsupported = isUnsupported(schema);
    if (unsupported) this.isUnsupported = true;
    append(errors, unsupportedErrors(schema, path, position, this.#rules.prefix, unsupported));
    if (schema.uniqueItems === true) {
      const why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
      errors.push(forbidden(path.child("uniqueItems"), why));
    }
  }

  #visitAdditional(
    { additionalProperties: additional, properties = {} }: JSONSchemaProps,
    path: FieldPath,
    inner: Position,
  ): void {
    if (additional === undefined) return;
    const at = path.child("additionalProperties");
    if (hasMembers(properties) && additional !== true) {
      this.errors.push(forbidden(at, "additionalProperties and properties are mutual exclusive"));
    }
    if (typeof additional !== "object") return;
    const why = inner.insideMetadata ? "inside additionalProperties applying to object metadata" : undefined;
    this.#descend(additional, at, { ...inner, noDefaults: why ?? inner.noDefaults });
  }

  /** Metadata of the root or of another whole object. */
  #visitProperties(
    { properties = {} }: JSONSchemaProps,
    path: FieldPath,
    inner: Position,
    { isRoot, isObject }: { readonly isRoot: boolean; readonly isObject: boolean },
  ): void {
    for (const name of Object.keys(properties)) {
      const isMetadata = isObject && metadataFields.includes(name);
      const noDefaults = isMetadata && isRoot ? `in top-level ${name}` : inner.noDefaults;
      const from = isMetadata ? { ...inner, insideMetadata: true, noDefaults } : inner;
      this.#descend(properties[name], path.key(name), from);
    }
  }

  #visitOthers(schema: JSONSchemaProps, path: FieldPath, inner: Position): void {
    this.#descend(schema.not, path.child("not"), inner);
    for (const junctor of ["allOf", "oneOf", "anyOf"] as const) {
      this.#descendAll(schema[junctor], path.child(junctor), inner);
    }
    for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
      this.#descend(definition, path.child("definitions").key(name), inner);
    }
    if (Array.isArray(schema.items)) this.#descendAll(schema.items, path.child("items"), inner);
    else this.#descend(schema.items, path.child("items"), inner);
    for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
      if (dependency === null || Array.isArray(dependency)) continue;
      this.#descend(dependency, path.child("dependencies").key(name), inner);
    }
  }

  #descend(schema: JSONSchemaProps | undefined, path: FieldPath, position: Position): void {
    if (schema === undefined) return;
    if (!isPlainSchema(schema)) this.visit(schema, path, position);
  }

  #descendAll(schemas: readonly JSONSchemaProps[] | undefined, path: FieldPath, position: Position): void {
    if (schemas === undefined) return;
    for (const [index, schema] of schemas.entries()) this.#descend(schema, path.index(index), position);
  }

  #checkExtensions(schema: JSONSchemaProps, path: FieldPath, extensions: SchemaExtensions): void {
    const { errors } = this;
    const rules = this.#rules;
    const { prefix } = rules;
    if (extensions.preserveUnknownFields === false) {
      const at = path.child(`${prefix}preserve-unknown-fields`);
      errors.push(invalid(at, false, "must be true or undefined"));
    }
    append(errors, mapTypeErrors(schema, extensions.mapType, path, prefix));
    const mayDivideItems = hasDivisibleSetItems(schema, prefix) && !rules.requires("atomicSetItems");
    append(errors, listErrors(schema, path, prefix, mayDivideItems));
    append(errors, ruleErrors(schema, extensions.validations, path.child(`${prefix}validations`)));
    if (extensions.listType === undefined) return;
    const hasBadKeys = hasErrors(() => mapKeyErrors(schema, path, prefix));
    if (hasBadKeys && rules.requires("mapListKeys")) append(errors, mapKeyErrors(schema, path, prefix));
  }
}

const metadataFields = ["metadata", "kind", "apiVersion"];

function unsupportedErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  { insideMetadata, noDefaults }: Position,
  prefix: string,
  unsupported: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const { type = "" } = schema;
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
  if (insideMetadata && extensionsOf(schema, prefix).embeddedResource) {
    const at = path.child(`${prefix}embedded-resource`);
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

/** Why a schema cannot be structural, in Kubernetes' words; its subschemas are ignored. */
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
