import { celEnvironment } from "../../../apimachinery/cel/cel-environment.js";
import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { requestTooLarge, type StatusError } from "../../../apimachinery/errors/status.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { jsonEqual } from "../../../apimachinery/json/json-values.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { type ApiObject, apiVersionOf, type ObjectMeta } from "../../../apimachinery/objects/meta.js";
import type { MessageCodec } from "../../../apimachinery/schema/codec.js";
import { embeddedErrors } from "../../../apimachinery/structural-schema/embedded-objects.js";
import { defaultsFit } from "../../../apimachinery/structural-schema/missing-defaults.js";
import { ownObject, pruneObject } from "../../../apimachinery/structural-schema/prune.js";
import { setDefaults, setMemberDefault } from "../../../apimachinery/structural-schema/set-defaults.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { keyedListErrors } from "../../../apimachinery/structural-schema/validate-lists.js";
import { validateRules } from "../../../apimachinery/structural-schema/validate-rules.js";
import { ratchetedErrors, validateValues } from "../../../apimachinery/structural-schema/validate-values.js";
import { finalizerWarnings } from "../../../apimachinery/validation/finalizers.js";
import { strategy } from "../../definition/base-strategy.js";
import type { Strategy, WriteContext } from "../../definition/strategy.js";
import type { CustomResourceSubresourceScale } from "../../gen/apiextensions-v1.js";
import { type CustomObject, jsonOf, typedJsonOf } from "./custom-object.js";
import { validateScaleSpec, validateScaleStatus } from "./scale.js";

/** The rules for writes in one version. */
export interface VersionRules {
  readonly version: string;
  /** Undefined for a definition without a schema. */
  readonly schema: () => StructuralSchema | undefined;
  readonly hasStatus: boolean;
  readonly scale: CustomResourceSubresourceScale | undefined;
}

export interface CustomStrategyParts {
  readonly group: string;
  readonly kind: string;
  readonly metaCodec: MessageCodec<ObjectMeta>;
  /** The rules of the request's version. */
  readonly rulesOf: (context: WriteContext) => VersionRules;
  readonly storageVersion: string;
  /** The schema of the storage version. */
  readonly storedSchema: () => StructuralSchema | undefined;
  /** The schema of any version, for what does not depend on the request. */
  readonly hasStatus: boolean;
  readonly validation: CustomValidation;
}

/** How the level validates custom resources. */
export interface CustomValidation {
  readonly level: ApiLevel;
  /** The gate CustomResourceValidationExpressions: whether CEL rules are checked. */
  readonly checksRules: boolean;
  /** The gate CRDValidationRatcheting: whether values that an update leaves as they were may be invalid. */
  readonly ratchets: boolean;
  /** Finalizers of the server's own that have no domain. */
  readonly standardFinalizers: readonly string[];
}

export interface CustomStrategies {
  readonly main: Strategy<CustomObject>;
  readonly status: Strategy<CustomObject>;
  /** The errors of an object against the schema of its version. */
  validateAt(rules: VersionRules | undefined, object: CustomObject): FieldError[];
}

/** How custom resources are written. Source: kube-apiserver 1.23, custom resource strategy. */
export function customStrategies(parts: CustomStrategyParts): CustomStrategies {
  const { rulesOf } = parts;
  const main = strategy<CustomObject>({
    allowUnconditionalUpdate: false,
    ...(parts.hasStatus && { resetFields: [["status"]] }),
    prepareForCreate(context, object) {
      if (rulesOf(context).hasStatus) object.status = undefined;
      object.metadata.generation = 1;
    },
    prepareForUpdate(context, object, old) {
      const rules = rulesOf(context);
      if (rules.hasStatus) object.status = old.status;
      countGeneration(object, rules.version === parts.storageVersion ? old : shownIn(rules, old));
    },
    ...(isAtLeast(parts.validation.level, "1.29") && {
      warningsOnCreate: (_context, { metadata }) => nameWarnings(metadata, undefined),
      warningsOnUpdate: (_context, { metadata }, old) => nameWarnings(metadata, old.metadata),
    }),
    validate: (context, object) => objectErrors(parts, rulesOf(context), object, undefined),
    validateUpdate: (context, object, old) =>
      objectErrors(parts, rulesOf(context), object, { old, warn: (text) => context.warn?.(text) }),
    /** What every read does: prunes by the schema of the storage version, and sets its defaults. */
    canonicalize(context, object) {
      const isOtherVersion = rulesOf(context).version !== parts.storageVersion;
      const lacksStatus = parts.hasStatus && object.status === undefined;
      if (!isOtherVersion && !lacksStatus) return;
      const schema = parts.storedSchema();
      if (schema === undefined) return;
      if (isOtherVersion) {
        const kept = pruneObject(jsonOf(object), schema, true);
        for (const name of Object.keys(object)) if (name !== "metadata") object[name] = kept[name];
        setDefaults(jsonOf(object), schema);
      }
      const own = ownObject(jsonOf(object));
      if (lacksStatus && own !== undefined) setMemberDefault(own, "status", schema);
    },
  });
  function nameWarnings({ finalizers = [] }: ObjectMeta, old: ObjectMeta | undefined): string[] {
    if (finalizers.length === 0) return [];
    const { standardFinalizers } = parts.validation;
    const path = FieldPath.of("metadata", "finalizers");
    return finalizerWarnings(finalizers, old?.finalizers ?? [], standardFinalizers, path);
  }
  function statusErrors(context: WriteContext, object: CustomObject, old: CustomObject): FieldError[] {
    const rules = rulesOf(context);
    const errors = schemaErrors(parts, rules, object, { old, warn: (text) => context.warn?.(text) });
    return [...errors, ...validateScaleStatus(object, rules.scale)];
  }
  const status: Strategy<CustomObject> = {
    ...main,
    // Before, a status might claim labels that it could not set.
    resetFields: isAtLeast(parts.validation.level, "1.36") ? [["metadata"], ["spec"]] : [["spec"]],
    prepareForUpdate(_context, object, old) {
      const { status: written, metadata } = object;
      for (const name of Object.keys(object)) if (!(name in old)) object[name] = undefined;
      Object.assign(object, old);
      // Server-side apply has just updated the ownership of status fields.
      object.metadata = { ...old.metadata, managedFields: metadata.managedFields };
      object.status = written;
    },
    validateUpdate: (context, object, old) => statusErrors(context, object, old),
  };
  return {
    main,
    status,
    validateAt: (rules, object) => (rules === undefined ? [] : schemaErrors(parts, rules, object, undefined)),
  };
}

/** An object of the storage version as a client of another version sees it. */
function shownIn(rules: VersionRules, stored: CustomObject): CustomObject {
  const schema = rules.schema();
  if (schema === undefined) return stored;
  const { metadata, status } = stored;
  return { ...pruneObject(jsonOf(stored), schema, true), metadata, ...(rules.hasStatus && { status }) };
}

/** A status subresource cannot change here, so it is left out. */
function countGeneration(object: CustomObject, old: CustomObject): void {
  if (!hasSameContent(object, old)) {
    object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
  }
}

/** Compares everything but metadata. */
function hasSameContent(object: CustomObject, old: CustomObject): boolean {
  const { metadata: _ours, ...now } = jsonOf(object);
  const { metadata: _theirs, ...before } = jsonOf(old);
  return jsonEqual(now, before);
}

/** What an update replaces. */
interface Before {
  readonly old: CustomObject;
  /** Receives warnings of broken rules whose values have not changed. */
  readonly warn: (text: string) => void;
}

function objectErrors(
  parts: CustomStrategyParts,
  rules: VersionRules,
  object: CustomObject,
  update: Before | undefined,
): FieldError[] {
  const errors = schemaErrors(parts, rules, object, update);
  return [...errors, ...validateScaleSpec(object, rules.scale), ...validateScaleStatus(object, rules.scale)];
}

function schemaErrors(
  parts: CustomStrategyParts,
  rules: VersionRules,
  object: CustomObject,
  update: Before | undefined,
): FieldError[] {
  const schema = rules.schema();
  if (schema === undefined) return [];
  const old = update?.old;
  const isWhole = defaultsFit(jsonOf(object), schema);
  if (!isWhole) {
    // An object that predates the defaults may stay without them, so that it can shrink, lose its finalizers and be deleted.
    const wasWhole = old === undefined || defaultsFit(jsonOf(old), schema);
    if (wasWhole) throw defaultsTooLarge();
    if (hasSameContent(object, old)) return [];
  }
  const { group, kind, metaCodec } = parts;
  const typeMeta = { apiVersion: apiVersionOf({ group, version: rules.version }), kind };
  const { checksRules, ratchets, level } = parts.validation;
  const typed = typedJsonOf(withoutManagers(object), typeMeta);
  const before = (): JsonObject | undefined => old && typedJsonOf(withoutManagers(old), typeMeta);
  let valueErrors = validateValues(typed, schema);
  if (ratchets && valueErrors.length > 0) valueErrors = ratchetedErrors(typed, before(), schema);
  const errors: FieldError[] = [...valueErrors];
  const json = jsonOf(object);
  if (schema.hasEmbedded)
    append(
      errors,
      embeddedErrors(json, schema, (value) => metaCodec.fromJson(value)),
    );
  // Lists stored before they had keys may keep their items.
  const keepsItems = old !== undefined && keyedListErrors(jsonOf(old), schema).length > 0;
  if (!keepsItems) append(errors, keyedListErrors(json, schema));
  if (!checksRules || !schema.hasRules) return errors;
  if (valueErrors.some(({ breaksDeclaration }) => breaksDeclaration)) return [...errors, rulesNotChecked()];
  const environment = celEnvironment({ level, isStored: true, purpose: "rules" });
  const options = { environment: () => environment, ratchets, warn: update?.warn };
  return [...errors, ...validateRules(typed, before(), schema, options)];
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
