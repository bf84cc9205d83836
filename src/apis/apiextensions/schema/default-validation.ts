import { append } from "../../../apimachinery/append.js";
import { aggregate, type FieldError, type FieldPath, invalid } from "../../../apimachinery/field-error.js";
import type { JsonObject, JsonValue } from "../../../apimachinery/json-value.js";
import { printUntyped } from "../../../apimachinery/printed-structs.js";
import { Pace, type Steps } from "../../../apimachinery/steps.js";
import {
  embeddedErrors,
  embeddedTypeError,
  type ReadMeta,
} from "../../../apimachinery/structural-schema/embedded-objects.js";
import { valuePruningSteps } from "../../../apimachinery/structural-schema/prune.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { ruleSteps } from "../../../apimachinery/structural-schema/validate-rules.js";
import { validationSteps } from "../../../apimachinery/structural-schema/validate-values.js";

export interface DefaultRules {
  readonly readMeta: ReadMeta;
  requires(rule: "prunedDefaults"): Steps<boolean>;
}

/** What a default below a schema is part of. */
interface Surroundings {
  /** The resource or embedded object that it is in. */
  readonly resource: StructuralSchema;
  /** Whether it is in the type or metadata of that. */
  readonly insideMeta: boolean;
  /** That object, with nothing but the default. */
  readonly around: (value: JsonValue) => JsonValue;
}

/**
 * Defaults must be valid, contain no fields that pruning would drop, and be part of valid metadata. `schema` is the root. Source:
 * kube-apiserver 1.23, validation of defaults.
 */
export function* defaultErrors(
  schema: StructuralSchema,
  path: FieldPath,
  rules: DefaultRules,
): Steps<FieldError[]> {
  if (!schema.hasDefaults) return [];
  const check = new DefaultCheck(rules);
  const root = { ...schema, isEmbedded: true, hasEmbedded: true };
  yield* check.visit(root, path, { resource: root, insideMeta: false, around: withType });
  return check.errors;
}

/** Whether a default has fields that pruning would drop. */
export function* hasUnprunedDefaults(schema: StructuralSchema): Steps<boolean> {
  if (!schema.hasDefaults) return false;
  if (schema.default !== undefined && (yield* hasUnknownFields(schema.default, schema))) return true;
  for (const property of schema.properties.values()) if (yield* hasUnprunedDefaults(property)) return true;
  return schema.items !== undefined && (yield* hasUnprunedDefaults(schema.items));
}

class DefaultCheck {
  readonly errors: FieldError[] = [];
  readonly #rules: DefaultRules;
  readonly #pace = new Pace();

  constructor(rules: DefaultRules) {
    this.#rules = rules;
  }

  *visit(schema: StructuralSchema, path: FieldPath, outer: Surroundings): Steps<void> {
    if (!schema.hasDefaults) return;
    const { default: value, isEmbedded, items } = schema;
    const own = isEmbedded ? { resource: schema, insideMeta: false, around: withType } : outer;
    if (value !== undefined) {
      if (this.#pace.isOver(workPerDefault)) yield;
      yield* this.#check(value, schema, path.child("default"), own);
    }
    if (items !== undefined) {
      yield* this.visit(items, path.child("items"), { ...own, around: (item) => own.around([item]) });
    }
    for (const [name, property] of schema.properties) {
      if (!property.hasDefaults) continue;
      const insideMeta = own.insideMeta || (isEmbedded && metaFields.includes(name));
      const around = (member: JsonValue): JsonValue => own.around({ [name]: member });
      yield* this.visit(property, path.child("properties").key(name), { ...own, insideMeta, around });
    }
  }

  *#check(value: JsonValue, schema: StructuralSchema, at: FieldPath, outer: Surroundings): Steps<void> {
    const { errors } = this;
    const { readMeta } = this.#rules;
    if (outer.insideMeta) {
      const object = outer.around(value);
      const typeError = yield* embeddedTypeError(object, outer.resource, readMeta);
      const found =
        typeError === undefined ? yield* embeddedErrors(object, outer.resource, readMeta) : [typeError];
      if (found.length > 0) {
        errors.push(invalid(at, printUntyped(value), `must result in valid metadata: ${aggregate(found)}`));
        return;
      }
    } else {
      if ((yield* hasUnknownFields(value, schema)) && (yield* this.#rules.requires("prunedDefaults"))) {
        errors.push(invalid(at, printUntyped(value), "must not have unknown fields"));
      }
      const typeError = yield* embeddedTypeError(value, schema, readMeta, at);
      if (typeError !== undefined) {
        errors.push(typeError);
        return;
      }
      const found = yield* embeddedErrors(value, schema, readMeta, at);
      if (found.length > 0) {
        append(errors, found);
        return;
      }
    }
    const found = yield* validationSteps(value, schema);
    if (found.length === 0 && schema.hasRules) {
      const broken = yield* ruleSteps(value, undefined, schema, false);
      append(errors, below(broken, at));
    } else append(errors, below(found, at));
  }
}

const workPerDefault = 10;
const metaFields = ["metadata", "apiVersion", "kind"];

/** An object has a type: any, where it is not the default's own. */
function withType(object: JsonValue): JsonValue {
  return { apiVersion: "validation/v1", kind: "Validation", ...(object as JsonObject) };
}

function* hasUnknownFields(value: JsonValue, schema: StructuralSchema): Steps<boolean> {
  let isPruned = false;
  yield* valuePruningSteps(value, schema, () => {
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
