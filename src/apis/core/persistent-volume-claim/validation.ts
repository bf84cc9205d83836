import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { immutableMessage } from "../../../apimachinery/validation/values.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import { printResourceName } from "../../checks/resource-name-validation.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
} from "../../gen/core-v1.js";
import { validateAccessModes } from "../persistent-volume/access-modes.js";
import { validateBasicAmount, validatePositiveAmount } from "../persistent-volume/amounts.js";
import {
  type AttributesClassRules,
  type RemovalRefusal,
  validateAttributesClassUpdate,
} from "../persistent-volume/attributes-class.js";
import { type ChangeContext, printChange } from "../pod-spec/difference.js";
import { validateResourceQuantity } from "../pod-spec/resource-validation.js";
import { coreV1Types } from "../v1/types.js";
import { validateDataSources } from "./data-source.js";

export interface ClaimRules {
  readonly naming: Naming;
  readonly allowOncePod: boolean;
  readonly allowExpansion: boolean;
  readonly allowExpansionRecovery: boolean;
  readonly level: ApiLevel;
  /** Whether the values of the selector are checked. Default: they are not. */
  readonly checksSelectorValues?: boolean | undefined;
  readonly allowAnyGroup?: boolean | undefined;
  /** Default: not enabled. */
  readonly attributesClass?: AttributesClassRules | undefined;
  /** Whether a claim without a class may get one later. */
  readonly allowLateClass?: boolean | undefined;
}

type ClaimSpecRules = Pick<
  ClaimRules,
  "naming" | "allowOncePod" | "level" | "checksSelectorValues" | "allowAnyGroup" | "attributesClass"
>;

const specRules = fieldRules<PersistentVolumeClaimSpec>(coreV1Types, "PersistentVolumeClaimSpec");
const statusRules = fieldRules<PersistentVolumeClaimStatus>(coreV1Types, "PersistentVolumeClaimStatus");

export function validateClaim(object: PersistentVolumeClaim, rules: ClaimRules): FieldError[] {
  return validatePersistentVolumeClaimSpec(object.spec, rules, FieldPath.of("spec"));
}

/** Also validates the claim templates of pods and stateful sets. */
export function validatePersistentVolumeClaimSpec(
  spec: PersistentVolumeClaimSpec,
  rules: ClaimSpecRules,
  path: FieldPath,
): FieldError[] {
  const { accessModes = [], storageClassName = "" } = spec;
  const errors: FieldError[] = [];
  if (accessModes.length === 0) append(errors, specRules.check(spec, path, "accessModes"));
  append(errors, [
    ...validateLabelSelector(spec.selector, path.child("selector"), rules.checksSelectorValues),
    ...validateAccessModes(accessModes, rules.allowOncePod, path.child("accessModes")),
    ...sizeErrors(spec, rules.naming, path.child("resources").key("storage")),
  ]);
  if (storageClassName !== "") append(errors, specRules.check(spec, path, "storageClassName"));
  append(errors, specRules.check(spec, path, "volumeMode"));
  append(errors, validateDataSources(spec, path, rules));
  const attributesClass = spec.volumeAttributesClassName ?? "";
  if (attributesClass === "" || rules.attributesClass?.isChecked !== true) return errors;
  return [...errors, ...specRules.check(spec, path, "volumeAttributesClassName")];
}

export function validateClaimUpdate(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  rules: ClaimRules,
  context: ChangeContext,
): FieldError[] {
  const errors = validateClaim(object, rules);
  return [
    // Before 1.35, Kubernetes validates an updated object twice and reports every error twice.
    ...(isAtLeast(rules.level, "1.35") ? errors : [...errors, ...errors]),
    ...classAnnotationErrors(object, old, rules.naming),
    ...changeErrors(object, old, rules, context),
    ...specRules.unchanged(object.spec, old.spec, FieldPath.root, "volumeMode"),
    ...validateAttributesClassUpdate(
      object.spec,
      old.spec,
      removalOfClass(old, rules.level),
      rules.attributesClass,
    ),
  ];
}

export function validateClaimStatusUpdate(
  { spec, status }: PersistentVolumeClaim,
  rules: ClaimRules,
): FieldError[] {
  const errors: FieldError[] = [];
  if ((spec.accessModes ?? []).length === 0) errors.push(required(FieldPath.of("Spec", "accessModes"), ""));
  const capacityPath = FieldPath.of("status", "capacity");
  for (const [name, amount] of Object.entries(status.capacity ?? {})) {
    append(errors, validateBasicAmount(amount, capacityPath.key(name)));
  }
  if (!rules.allowExpansionRecovery) return errors;
  const isByResource = isAtLeast(rules.level, "1.28");
  if (isByResource) append(errors, resourceStatusErrors(status, rules));
  else append(errors, statusRules.check(status, FieldPath.of("status"), "resizeStatus"));
  const allocatedPath = FieldPath.of("status", "allocatedResources");
  for (const [name, amount] of Object.entries(status.allocatedResources ?? {})) {
    const keyErrors = isByResource
      ? resourceKeyErrors(name, allocatedPath, rules.naming)
      : name === "storage"
        ? []
        : [notSupported(allocatedPath, name, ["storage"])];
    if (keyErrors.length > 0) {
      append(errors, keyErrors);
      continue;
    }
    const basic = validateBasicAmount(amount, allocatedPath.key(name));
    append(errors, [
      ...(basic.length > 0
        ? basic
        : validateResourceQuantity("storage", amount, allocatedPath.key(name), rules.naming)),
    ]);
  }
  return errors;
}

/** How far the expansion of each resource is. */
function resourceStatusErrors(status: PersistentVolumeClaimStatus, rules: ClaimRules): FieldError[] {
  // Before 1.34, Kubernetes names the field wrongly.
  const field = isAtLeast(rules.level, "1.34") ? "allocatedResourceStatuses" : "allocatedResourceStatus";
  const path = FieldPath.of("status", field);
  const supported = statusRules.at(rules.level).supported("allocatedResourceStatuses");
  return errorsOfEach(Object.entries(status.allocatedResourceStatuses ?? {}), ([name, state]) => [
    ...resourceKeyErrors(name, path, rules.naming),
    ...(supported.includes(state) ? [] : [notSupported(path, printResourceName(name), supported)]),
  ]);
}

/** Of the built-in resources, only storage can be resized. */
function resourceKeyErrors(name: string, path: FieldPath, { domain }: Naming): FieldError[] {
  const problems = isQualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  const isNative = !name.includes("/") || name.includes(`${domain}/`);
  return isNative && name !== "storage" ? [notSupported(path, name, ["storage"])] : [];
}

function sizeErrors(spec: PersistentVolumeClaimSpec, naming: Naming, path: FieldPath): FieldError[] {
  const size = spec.resources.requests?.storage;
  if (size === undefined) return [required(path, "")];
  const errors = validatePositiveAmount(size, path);
  return errors.length > 0 ? errors : validateResourceQuantity("storage", size, path, naming);
}

/** The class was an annotation once. It may move to the field, but not change. */
function classAnnotationErrors(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { domain }: Naming,
): FieldError[] {
  const annotation = classAnnotation(domain);
  if (isClassUpgrade(object, old, annotation)) return [];
  const after = object.metadata.annotations?.[annotation] ?? "";
  if (after === (old.metadata.annotations?.[annotation] ?? "")) return [];
  return [invalid(FieldPath.of("metadata", "annotations", annotation), after, immutableMessage)];
}

function changeErrors(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  rules: ClaimRules,
  context: ChangeContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const before = { ...old.spec };
  const after = { ...object.spec };
  // Binding sets the name of the volume, once.
  if ((before.volumeName ?? "") === "") before.volumeName = after.volumeName;
  const annotation = classAnnotation(rules.naming.domain);
  if (isClassUpgrade(object, old, annotation)) after.storageClassName = undefined;
  else if (rules.allowLateClass && isLateClass(object, old, annotation)) after.storageClassName = undefined;
  if (rules.allowExpansion && object.status.phase === "Bound" && before.resources.requests !== undefined) {
    after.resources = {
      ...after.resources,
      requests: { ...after.resources.requests, storage: before.resources.requests?.storage ?? "0" },
    };
  }
  if (mayChangeClass(object, rules.level)) {
    after.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  if (!isDeepEqual(after, before)) {
    const changeable = isAtLeast(rules.level, "1.29")
      ? "resources.requests and volumeAttributesClassName"
      : "resources.requests";
    const why = rules.allowExpansion
      ? `spec is immutable after creation except ${changeable} for bound claims`
      : "field is immutable after creation";
    const change = printChange(context, "core/v1.PersistentVolumeClaimSpec", before, after);
    errors.push(forbidden(FieldPath.of("spec"), `${why}\n${change}`));
  }
  if (rules.allowExpansion) append(errors, shrinkErrors(object, old, rules));
  return errors;
}

/** If it may not change, the error is about the whole spec. `removalOfClass` decides about removing it. */
function mayChangeClass({ spec, status }: PersistentVolumeClaim, level: ApiLevel): boolean {
  if (!isAtLeast(level, "1.31")) return true;
  return (
    status.phase === "Bound" && (isAtLeast(level, "1.34") || spec.volumeAttributesClassName !== undefined)
  );
}

/** Whether the class may be removed: since 1.34, as long as it was never applied. */
function removalOfClass({ spec, status }: PersistentVolumeClaim, level: ApiLevel): RemovalRefusal {
  if (isAtLeast(level, "1.34")) {
    if (status.currentVolumeAttributesClassName === undefined) return () => undefined;
    return (after) =>
      `update to ${after === undefined ? "nil" : "empty string"} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  }
  if (spec.volumeAttributesClassName === undefined) return () => undefined;
  return (after) =>
    `update from non-nil value to ${after === undefined ? "nil" : "an empty string"} is forbidden`;
}

/** A claim cannot shrink, but after a failed expansion the request may be reduced. */
function shrinkErrors(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  rules: ClaimRules,
): FieldError[] {
  const path = FieldPath.of("spec", "resources", "requests", "storage");
  const size = Quantity.parse(object.spec.resources.requests?.storage ?? "0");
  const oldSize = Quantity.parse(old.spec.resources.requests?.storage ?? "0");
  if (size.compare(oldSize) >= 0) return [];
  if (!rules.allowExpansionRecovery) {
    return [forbidden(path, "field can not be less than previous value")];
  }
  const actual = Quantity.parse(old.status.capacity?.storage ?? "0");
  return size.compare(actual) > 0 ? [] : [forbidden(path, "field can not be less than status.capacity")];
}

function classAnnotation(domain: string): string {
  return `volume.beta.${domain}/storage-class`;
}

/** A claim without a class may get the default class later. */
function isLateClass(object: PersistentVolumeClaim, old: PersistentVolumeClaim, annotation: string): boolean {
  const { storageClassName: after } = object.spec;
  if (after === undefined || old.spec.storageClassName !== undefined) return false;
  const annotated = old.metadata.annotations?.[annotation];
  return annotated === undefined || annotated === after;
}

function isClassUpgrade(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  annotation: string,
): boolean {
  const oldClass = old.metadata.annotations?.[annotation];
  const newClass = object.metadata.annotations?.[annotation];
  return (
    oldClass !== undefined &&
    old.spec.storageClassName === undefined &&
    object.spec.storageClassName === oldClass &&
    (newClass === undefined || newClass === oldClass)
  );
}
