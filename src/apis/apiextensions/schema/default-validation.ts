import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { printUntyped } from "../../../apimachinery/errors/printed-structs.js";
import { aggregate } from "../../../apimachinery/errors/shown-errors.js";
import type { JsonObject, JsonValue } from "../../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { RuleEnvironment } from "../../../apimachinery/structural-schema/compiled-rules.js";
import {
  embeddedErrors,
  embeddedTypeError,
  type ReadMeta,
} from "../../../apimachinery/structural-schema/embedded-objects.js";
import { pruneValue } from "../../../apimachinery/structural-schema/prune.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { validateRules } from "../../../apimachinery/structural-schema/validate-rules.js";
import { validateValues } from "../../../apimachinery/structural-schema/validate-values.js";

export interface DefaultRules {
  readonly readMeta: ReadMeta;
  readonly environment: RuleEnvironment;
  readonly level: ApiLevel;
  requires(rule: "prunedDefaults"): boolean;
}

/** Where in an object a default is. */
interface Surroundings {
  /** The schema of the resource or embedded object around the default. */
  readonly resource: StructuralSchema;
  /** Whether the default is in that object's apiVersion, kind or metadata. */
  readonly insideMeta: boolean;
  /** Makes such an object around the default. */
  readonly around: (value: JsonValue) => JsonValue;
}

/**
 * Defaults must be valid, contain no fields that pruning would drop, and be part of valid metadata. `schema` is the root. Source:
 * kube-apiserver 1.23, validation of defaults.
 */
export function defaultErrors(schema: StructuralSchema, path: FieldPath, rules: DefaultRules): FieldError[] {
  if (!schema.hasDefaults) return [];
  const check = new DefaultCheck(rules);
  const root = { ...schema, isEmbedded: true, hasEmbedded: true };
  check.visit(root, path, { resource: root, insideMeta: false, around: withType });
  return check.errors;
}

/** Whether a default has fields that pruning would drop. */
export function hasUnprunedDefaults(schema: StructuralSchema): boolean {
  if (!schema.hasDefaults) return false;
  if (schema.default !== undefined && hasUnknownFields(schema.default, schema)) return true;
  for (const property of schema.properties.values()) if (hasUnprunedDefaults(property)) return true;
  return schema.items !== undefined && hasUnprunedDefaults(schema.items);
}

class DefaultCheck {
  readonly errors: FieldError[] = [];
  readonly #rules: DefaultRules;

  constructor(rules: DefaultRules) {
    this.#rules = rules;
  }

  visit(schema: StructuralSchema, path: FieldPath, outer: Surroundings): void {
    if (!schema.hasDefaults) return;
    const { default: value, isEmbedded, items } = schema;
    const own = isEmbedded ? { resource: schema, insideMeta: false, around: withType } : outer;
    if (value !== undefined) {
      this.#check(value, schema, path.child("default"), own);
    }
    if (items !== undefined) {
      this.visit(items, path.child("items"), { ...own, around: (item) => own.around([item]) });
    }
    for (const [name, property] of schema.properties) {
      if (!property.hasDefaults) continue;
      const insideMeta = own.insideMeta || (isEmbedded && metaFields.includes(name));
      const around = (member: JsonValue): JsonValue => own.around({ [name]: member });
      this.visit(property, path.child("properties").key(name), { ...own, insideMeta, around });
    }
  }

  #check(value: JsonValue, schema: StructuralSchema, at: FieldPath, outer: Surroundings): void {
    const { errors } = this;
    const isUnpruned = !outer.insideMeta && hasUnknownFields(value, schema);
    if (isUnpruned && this.#rules.requires("prunedDefaults")) {
      errors.push(invalid(at, printUntyped(value), "must not have unknown fields"));
    }
    const ofObjects = outer.insideMeta
      ? this.#metaErrors(value, at, outer)
      : this.#objectErrors(value, schema, at);
    if (ofObjects.length > 0) {
      append(errors, ofObjects);
      return;
    }
    const found = validateValues(value, schema, String(at));
    if (found.length > 0) append(errors, found);
    else if (schema.hasRules) append(errors, below(this.#brokenRules(value, schema), at));
  }

  /** A default in metadata is validated together with the object around it. */
  #metaErrors(value: JsonValue, at: FieldPath, { around, resource }: Surroundings): FieldError[] {
    const { readMeta } = this.#rules;
    const object = around(value);
    const typeError = embeddedTypeError(object, resource, readMeta);
    const found = typeError === undefined ? embeddedErrors(object, resource, readMeta) : [typeError];
    if (found.length === 0) return [];
    return [invalid(at, printUntyped(value), `must result in valid metadata: ${aggregate(found)}`)];
  }

  /** Errors of objects embedded in the value. */
  #objectErrors(value: JsonValue, schema: StructuralSchema, at: FieldPath): FieldError[] {
    const { readMeta } = this.#rules;
    const typeError = embeddedTypeError(value, schema, readMeta, at);
    return typeError === undefined ? embeddedErrors(value, schema, readMeta, at) : [typeError];
  }

  /** Rules with `oldSelf` run too: on an update, the default may be both the old and the new value. */
  #brokenRules(value: JsonValue, schema: StructuralSchema): FieldError[] {
    const { environment, level } = this.#rules;
    const options = { isResource: false, environment };
    const broken = validateRules(value, value, schema, options);
    if (broken.length > 0 || !isAtLeast(level, "1.30")) return broken;
    return validateRules(value, undefined, schema, options);
  }
}

const metaFields = ["metadata", "apiVersion", "kind"];

/** Adds apiVersion and kind, which an object needs, unless the default has its own. */
function withType(object: JsonValue): JsonValue {
  return { apiVersion: "validation/v1", kind: "Validation", ...(object as JsonObject) };
}

function hasUnknownFields(value: JsonValue, schema: StructuralSchema): boolean {
  let isPruned = false;
  pruneValue(value, schema, () => {
    isPruned = true;
  });
  return isPruned;
}

/** Errors of a value, which is at `path`. */
function below(errors: readonly FieldError[], path: FieldPath): FieldError[] {
  const prefix = errors.length === 0 ? "" : String(path);
  return errors.map(({ type, field, body }) => ({
    type,
    field: field === "<nil>" ? prefix : `${prefix}${field.startsWith("[") ? "" : "."}${field}`,
    body,
  }));
}
