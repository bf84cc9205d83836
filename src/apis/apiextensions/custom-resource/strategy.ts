import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { ownObject, pruneObject } from "../../../apimachinery/structural-schema/prune.js";
import { setDefaults, setMemberDefault } from "../../../apimachinery/structural-schema/set-defaults.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { finalizerWarnings } from "../../../apimachinery/validation/finalizers.js";
import { strategy } from "../../definition/base-strategy.js";
import type { Strategy, WriteContext } from "../../definition/strategy.js";
import type { CustomResourceSubresourceScale } from "../../gen/apiextensions-v1.js";
import { type CustomObject, hasSameContent, jsonOf } from "./custom-object.js";
import { validateScaleSpec, validateScaleStatus } from "./scale.js";
import { type Before, type CheckedKind, type CheckedVersion, schemaErrors } from "./schema-errors.js";

/** The rules for writes in one version. */
export interface VersionRules extends CheckedVersion {
  readonly hasStatus: boolean;
  readonly scale: CustomResourceSubresourceScale | undefined;
}

export interface CustomStrategyParts extends CheckedKind {
  /** The rules of the request's version. */
  readonly rulesOf: (context: WriteContext) => VersionRules;
  /** Whether the object was checked in the request's version before a webhook converted it. */
  readonly isChecked: (context: WriteContext) => boolean;
  readonly storageVersion: string;
  /** The schema of the storage version. */
  readonly storedSchema: () => StructuralSchema | undefined;
  /** Whether any version has the status subresource. */
  readonly hasStatus: boolean;
}

export interface CustomStrategies {
  readonly main: Strategy<CustomObject>;
  readonly status: Strategy<CustomObject>;
  /** The errors of what a write would store of the object, against the schema of its version. */
  validateAt(rules: VersionRules | undefined, object: CustomObject, before: Before | undefined): FieldError[];
}

/** How custom resources are written. Source: kube-apiserver 1.23, custom resource strategy. */
export function customStrategies(parts: CustomStrategyParts): CustomStrategies {
  const { rulesOf, isChecked } = parts;
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
      warningsOnCreate: (_context, { metadata }) => nameWarnings(parts, metadata, undefined),
      warningsOnUpdate: (_context, { metadata }, old) => nameWarnings(parts, metadata, old.metadata),
    }),
    validate: (context, object) =>
      isChecked(context) ? [] : objectErrors(parts, rulesOf(context), object, undefined),
    validateUpdate: (context, object, old) =>
      isChecked(context) ? [] : objectErrors(parts, rulesOf(context), object, replaced(context, old, "all")),
    canonicalize: (context, object) => completeAsStored(parts, context, object),
  });
  const status: Strategy<CustomObject> = {
    ...main,
    // Before 1.36, a writer of the status could own labels that it cannot set.
    resetFields: isAtLeast(parts.validation.level, "1.36") ? [["metadata"], ["spec"]] : [["spec"]],
    prepareForUpdate(_context, object, old) {
      const { status: written, metadata } = object;
      for (const name of Object.keys(object)) if (!(name in old)) object[name] = undefined;
      Object.assign(object, old);
      // Server-side apply has just updated the ownership of status fields.
      object.metadata = { ...old.metadata, managedFields: metadata.managedFields };
      object.status = written;
    },
    validateUpdate: (context, object, old) =>
      isChecked(context)
        ? []
        : objectErrors(parts, rulesOf(context), object, replaced(context, old, "status")),
  };
  return {
    main,
    status,
    validateAt: (rules, object, before) =>
      rules === undefined ? [] : objectErrors(parts, rules, writtenPart(rules, object, before), before),
  };
}

/** What every read does: prunes by the schema of the storage version and sets defaults. */
function completeAsStored(
  { storageVersion, hasStatus, storedSchema }: CustomStrategyParts,
  context: WriteContext,
  object: CustomObject,
): void {
  const isOtherVersion = (context.version ?? storageVersion) !== storageVersion;
  const lacksStatus = hasStatus && object.status === undefined;
  if (!isOtherVersion && !lacksStatus) return;
  const schema = storedSchema();
  if (schema === undefined) return;
  if (isOtherVersion) {
    const kept = pruneObject(jsonOf(object), schema, true);
    for (const name of Object.keys(object)) if (name !== "metadata") object[name] = kept[name];
    setDefaults(jsonOf(object), schema);
  }
  const own = ownObject(jsonOf(object));
  if (lacksStatus && own !== undefined) setMemberDefault(own, "status", schema);
}

function nameWarnings(
  { validation: { standardFinalizers } }: CustomStrategyParts,
  { finalizers = [] }: ObjectMeta,
  old: ObjectMeta | undefined,
): string[] {
  if (finalizers.length === 0) return [];
  const path = FieldPath.of("metadata", "finalizers");
  return finalizerWarnings(finalizers, old?.finalizers ?? [], standardFinalizers, path);
}

/** The object as it would be stored: a status is written by its subresource, which writes nothing else. */
function writtenPart(
  { hasStatus }: VersionRules,
  object: CustomObject,
  before: Before | undefined,
): CustomObject {
  if (before?.part === "status") return { ...before.old, status: object.status };
  return hasStatus ? { ...object, status: before?.old.status } : object;
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

function replaced(context: WriteContext, old: CustomObject, part: Before["part"]): Before {
  return { old, part, warn: (text) => context.warn?.(text) };
}

function objectErrors(
  parts: CustomStrategyParts,
  rules: VersionRules,
  object: CustomObject,
  update: Before | undefined,
): FieldError[] {
  const { scale } = rules;
  const scaleErrors = [
    ...(update?.part === "status" ? [] : validateScaleSpec(object, scale)),
    ...validateScaleStatus(object, scale),
  ];
  return schemaErrors(parts, rules, object, update, scaleErrors);
}
