import { celEnvironment } from "../../../apimachinery/cel/cel-environment.js";
import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { requestTooLarge, type StatusError } from "../../../apimachinery/errors/status.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { type ApiObject, apiVersionOf, type ObjectMeta } from "../../../apimachinery/objects/meta.js";
import type { MessageCodec } from "../../../apimachinery/schema/codec.js";
import { embeddedErrors } from "../../../apimachinery/structural-schema/embedded-objects.js";
import { defaultsFit } from "../../../apimachinery/structural-schema/missing-defaults.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { keyedListErrors } from "../../../apimachinery/structural-schema/validate-lists.js";
import { validateRules } from "../../../apimachinery/structural-schema/validate-rules.js";
import { ratchetedErrors, validateValues } from "../../../apimachinery/structural-schema/validate-values.js";
import type { ValueError } from "../../../apimachinery/structural-schema/value-problem.js";
import { type CustomObject, hasSameContent, jsonOf, typedJsonOf } from "./custom-object.js";

/** How the level validates custom resources. */
export interface CustomValidation {
  readonly level: ApiLevel;
  /** The gate CustomResourceValidationExpressions: whether CEL rules are checked. */
  readonly checksRules: boolean;
  /** The gate CRDValidationRatcheting: whether values that an update leaves as they were may be invalid. */
  readonly ratchets: boolean;
  /** The server's own finalizers without a domain. */
  readonly standardFinalizers: readonly string[];
}

export interface CheckedKind {
  readonly group: string;
  readonly kind: string;
  readonly metaCodec: MessageCodec<ObjectMeta>;
  readonly validation: CustomValidation;
}

export interface CheckedVersion {
  readonly version: string;
  /** Undefined for a definition without a schema. */
  readonly schema: () => StructuralSchema | undefined;
}

/** The object that an update replaces. */
export interface Before {
  readonly old: CustomObject;
  /** Which part of the object the update may change. */
  readonly part: "all" | "status";
  /** Receives warnings of broken rules whose values have not changed. */
  readonly warn: (text: string) => void;
}

/**
 * The errors of an object against the schema of its version, those of rules among them. `scaleErrors` come after those of single
 * values, as in Kubernetes.
 */
export function schemaErrors(
  { group, kind, metaCodec, validation }: CheckedKind,
  version: CheckedVersion,
  object: CustomObject,
  update: Before | undefined,
  scaleErrors: readonly FieldError[] = [],
): FieldError[] {
  const schema = version.schema();
  if (schema === undefined) return [...scaleErrors];
  const old = update?.old;
  if (!defaultsFit(jsonOf(object), schema)) {
    // An object from before the defaults may stay without them, so that it can be made smaller, lose its finalizers and be deleted.
    const wasWhole = old === undefined || defaultsFit(jsonOf(old), schema);
    if (wasWhole) throw defaultsTooLarge();
    if (hasSameContent(object, old)) return [...scaleErrors];
  }
  const { checksRules, level } = validation;
  const onlyStatus = update?.part === "status";
  const ratchets = validation.ratchets && (!onlyStatus || isAtLeast(level, "1.33"));
  const typeMeta = { apiVersion: apiVersionOf({ group, version: version.version }), kind };
  const typed = typedJsonOf(withoutManagers(object), typeMeta);
  const before = (): JsonObject | undefined => old && typedJsonOf(withoutManagers(old), typeMeta);
  const valueErrors =
    onlyStatus && isAtLeast(level, "1.28")
      ? statusErrors(typed, before, schema, { level, ratchets })
      : valueErrorsOf(typed, before, schema, ratchets);
  const errors: FieldError[] = [...valueErrors, ...scaleErrors];
  const json = jsonOf(object);
  if (schema.hasEmbedded && !onlyStatus)
    append(
      errors,
      embeddedErrors(json, schema, (value) => metaCodec.fromJson(value)),
    );
  if (!onlyStatus || isAtLeast(level, "1.26")) append(errors, listErrors(json, old, schema));
  if (!checksRules || !schema.hasRules) return errors;
  // A missing name is reported with the metadata, but counts here as a missing required field.
  const breaksDeclaration =
    (object.metadata.name ?? "") === "" ||
    valueErrors.some((error) => error.breaksDeclaration) ||
    errors.some(({ type }) => type === "FieldValueRequired");
  if (breaksDeclaration) return [...errors, rulesNotChecked()];
  const environment = celEnvironment({ level, isStored: true, purpose: "rules" });
  const options = { environment: () => environment, ratchets, warn: update?.warn };
  return [...errors, ...validateRules(typed, before(), schema, options)];
}

function valueErrorsOf(
  object: JsonObject,
  before: () => JsonObject | undefined,
  schema: StructuralSchema,
  ratchets: boolean,
): ValueError[] {
  const errors = validateValues(object, schema);
  return ratchets && errors.length > 0 ? ratchetedErrors(object, before(), schema) : errors;
}

/** Errors of the status alone, because its writer cannot fix what has become invalid elsewhere since the definition changed. */
function statusErrors(
  { status }: JsonObject,
  before: () => JsonObject | undefined,
  { properties }: StructuralSchema,
  { level, ratchets }: { readonly level: ApiLevel; readonly ratchets: boolean },
): ValueError[] {
  const schema = properties.get("status");
  if (schema === undefined || status === undefined) return [];
  const field = isAtLeast(level, "1.31") ? "status" : undefined;
  const errors = validateValues(status, schema, field);
  return ratchets && errors.length > 0 ? ratchetedErrors(status, before()?.status, schema, field) : errors;
}

/** Lists stored before their schema had keys may keep duplicate items. */
function listErrors(json: JsonObject, old: CustomObject | undefined, schema: StructuralSchema): FieldError[] {
  const keepsItems = old !== undefined && keyedListErrors(jsonOf(old), schema).length > 0;
  return keepsItems ? [] : keyedListErrors(json, schema);
}

const defaultsTooLarge = (): StatusError =>
  requestTooLarge(
    "Request entity too large: the defaults of the definition would add more bytes than the object has, and more than 256 KiB, or make it too large to be stored",
  );

/** CEL rules may assume that values have their declared types and sizes. */
function rulesNotChecked(): FieldError {
  const why =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return invalid(FieldPath.of("<nil>"), undefined, why);
}

/** Schemas may restrict only the name, and managed fields may be large. */
function withoutManagers(object: ApiObject): ApiObject {
  const { managedFields: _none, ...metadata } = object.metadata;
  return { ...object, metadata };
}
