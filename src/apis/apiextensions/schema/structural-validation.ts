import { append } from "../../../apimachinery/collections/append.js";
import { compareText } from "../../../apimachinery/collections/compare-text.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { JSONSchemaProps } from "../../gen/apiextensions-v1.js";
import { isPlainSchema } from "./plain-schema.js";
import type { PatternCheck } from "./regular-expression.js";
import { extensionsOf } from "./schema-extensions.js";
import { completenessErrors } from "./structural-completeness.js";

type Level = "root" | "item" | "field";

export interface StructuralRules {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  readonly patterns: PatternCheck;
}

/**
 * Checks that a schema is structural: fields and their types are specified outside of `allOf`, `anyOf`, `oneOf` and `not`, which
 * may only restrict values. Errors are sorted by their text. The schema has no unsupported parts.
 */
export function structuralErrors(
  schema: JSONSchemaProps,
  path: FieldPath,
  rules: StructuralRules,
): FieldError[] {
  const walk = new StructuralWalk(rules);
  walk.visit(schema, "root", path);
  append(walk.errors, completenessErrors(schema, path));
  return sortedByText(walk.errors);
}

function sortedByText(errors: readonly FieldError[]): FieldError[] {
  const keyed: { readonly error: FieldError; readonly text: string }[] = [];
  for (const error of errors) {
    const text = `${error.field}: ${error.body}`;
    keyed.push({ error, text });
  }
  const sorted = keyed.sort((a, b) => compareText(a.text, b.text));
  return sorted.map(({ error }) => error);
}

class StructuralWalk {
  readonly errors: FieldError[] = [];
  readonly #rules: StructuralRules;

  constructor(rules: StructuralRules) {
    this.#rules = rules;
  }

  visit(schema: JSONSchemaProps, level: Level, path: FieldPath): void {
    if (level !== "root" && isPlainSchema(schema)) return;
    const { errors } = this;
    const { prefix } = this.#rules;
    const { type = "", properties = {}, additionalProperties: additional } = schema;
    const extensions = extensionsOf(schema, prefix);
    const items = Array.isArray(schema.items) ? undefined : schema.items;
    if (type === "array" && items === undefined)
      errors.push(required(path.child("items"), "must be specified"));
    if (items !== undefined) this.visit(items, "item", path.child("items"));
    const propertiesPath = path.child("properties");
    for (const [name, property] of Object.entries(properties)) {
      this.visit(property, "field", propertiesPath.key(name));
    }
    const additionalPath = path.child("additionalProperties");
    if (additional !== undefined && level === "root") {
      errors.push(forbidden(additionalPath, "must not be used at the root"));
    }
    if (typeof additional === "object") this.visit(additional, "field", additionalPath);
    append(errors, intOrStringErrors(schema, path, prefix));
    this.#values(schema, path, true);
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
  }

  /** Value validations must not declare structure, except the pattern that marks an int-or-string for other tools. */
  #values(schema: JSONSchemaProps, path: FieldPath, isOutermost: boolean): void {
    const { anyOf = [], allOf = [], oneOf = [], not, pattern = "" } = schema;
    const isPattern = (parts: readonly JSONSchemaProps[]): boolean =>
      isOutermost && parts.length === 2 && isDeepEqual(parts, integerOrString);
    if (!isPattern(anyOf)) {
      for (const [index, part] of anyOf.entries()) {
        this.#nested(part, path.child("anyOf").index(index), false);
      }
    }
    for (const [index, part] of allOf.entries()) {
      const skipsAnyOf = index === 0 && isPattern(part.anyOf ?? []);
      this.#nested(part, path.child("allOf").index(index), skipsAnyOf);
    }
    for (const [index, part] of oneOf.entries()) {
      this.#nested(part, path.child("oneOf").index(index), false);
    }
    if (not !== undefined) this.#nested(not, path.child("not"), false);
    if (pattern !== "") this.#pattern(pattern, path.child("pattern"));
  }

  #pattern(pattern: string, path: FieldPath): void {
    const problem = this.#rules.patterns.problemOf(pattern);
    if (problem !== undefined) {
      const why = `must be a valid regular expression, but isn't: ${problem}`;
      this.errors.push(invalid(path, pattern, why));
    }
  }

  #nested(schema: JSONSchemaProps, path: FieldPath, skipsAnyOf: boolean): void {
    const { items, properties = {} } = schema;
    this.#values(skipsAnyOf ? { ...schema, anyOf: undefined } : schema, path, false);
    if (items !== undefined && !Array.isArray(items)) this.#nested(items, path.child("items"), false);
    for (const [name, property] of Object.entries(properties)) {
      this.#nested(property, path.child("properties").key(name), false);
    }
    for (const [name, should] of structureOf(schema, this.#rules.prefix)) {
      this.errors.push(forbidden(path.child(name), `must be ${should} to be structural`));
    }
    if (properties.metadata !== undefined) {
      const at = path.child("properties").key("metadata");
      this.errors.push(forbidden(at, "must not be specified in a nested context"));
    }
  }
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

/** The fields of a nested schema that would declare structure, and their required values. */
function structureOf(schema: JSONSchemaProps, prefix: string): (readonly [field: string, should: string])[] {
  const { type = "", title = "", description = "" } = schema;
  const extensions = extensionsOf(schema, prefix);
  const found: (readonly [string, string])[] = [];
  const refuse = (isGiven: boolean, field: string, should: string): void => {
    if (isGiven) found.push([field, should]);
  };
  refuse(type !== "", "type", "empty");
  // Since 1.31, Kubernetes ignores `false`.
  const { additionalProperties: additional } = schema;
  const isIgnored = additional === undefined || (additional === false && hasErrorTextsOf(31));
  refuse(!isIgnored, "additionalProperties", "undefined");
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
