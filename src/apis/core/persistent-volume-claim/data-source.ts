import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { validateNamespaceName } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const referenceRules = fieldRules<TypedLocalObjectReference>(coreV1Types, "TypedLocalObjectReference");

/**
 * Two fields name the source of a new volume's content. The older one ignores unknown kinds, so only the newer one (behind a feature
 * gate) can name any kind; a write makes both agree.
 */
export function prepareDataSources(
  context: ApiContext,
  spec: PersistentVolumeClaimSpec,
  old?: PersistentVolumeClaimSpec,
): void {
  const isAnyAllowed = context.isEnabled("AnyVolumeDataSource");
  if (!isAnyAllowed) spec.dataSourceRef = undefined;
  // Without its namespace, the reference would name another object.
  const isElsewhere = (spec.dataSourceRef?.namespace ?? "") !== "";
  if (isElsewhere && !context.isEnabled("CrossNamespaceVolumeDataSource")) {
    if (old?.dataSourceRef === undefined) spec.dataSourceRef = undefined;
  }
  const isInUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!isInUse && spec.dataSourceRef === undefined && !isKnownSource(context, spec.dataSource)) {
    spec.dataSource = undefined;
  }
  if (isAnyAllowed) copyDataSource(spec);
}

export function copyDataSource(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSourceRef === undefined) spec.dataSourceRef = dataSource && { ...dataSource };
  else if (dataSource === undefined && (dataSourceRef.namespace ?? "") === "") {
    const { namespace: _namespace, ...source } = dataSourceRef;
    spec.dataSource = source;
  }
}

export interface DataSourceRules {
  readonly level: ApiLevel;
  /** Whether the old object has a group, which then stays valid. */
  readonly allowAnyGroup?: boolean | undefined;
}

export function namesGroup({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec): boolean {
  return dataSource?.apiGroup !== undefined || dataSourceRef?.apiGroup !== undefined;
}

export function validateDataSources(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
  rules: DataSourceRules,
): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const errors = [
    ...referenceErrors(dataSource, path.child("dataSource"), rules),
    ...referenceErrors(dataSourceRef, path.child("dataSourceRef"), rules),
  ];
  const namespace = dataSourceRef?.namespace ?? "";
  if (namespace !== "") {
    const at = path.child("dataSourceRef", "namespace");
    for (const problem of validateNamespaceName(namespace, false))
      errors.push(invalid(at, namespace, problem));
  }
  if (dataSource === undefined || dataSourceRef === undefined) return errors;
  // Kubernetes prints the path in place of the value: in Go's notation as a structure, in JSON as `{}`.
  const inside = 'field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}';
  const value = new PrintedValue(inside, {});
  if (namespace !== "") {
    errors.push(invalid(path, value, "may not be specified when dataSourceRef.namespace is specified"));
  } else if (!isSameReference(dataSource, dataSourceRef)) {
    errors.push(invalid(path, value, "must match dataSourceRef"));
  }
  return errors;
}

function isSameReference(a: TypedLocalObjectReference, b: TypedLocalObjectReference): boolean {
  return a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name;
}

function referenceErrors(
  reference: TypedLocalObjectReference | undefined,
  path: FieldPath,
  { level, allowAnyGroup = false }: DataSourceRules,
): FieldError[] {
  if (reference === undefined) return [];
  const errors = referenceRules.check(reference, path, "name", "kind");
  if ((reference.apiGroup ?? "") === "" && reference.kind !== "PersistentVolumeClaim") {
    const why = isAtLeast(level, "1.26")
      ? "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
      : "";
    errors.push(invalid(path, reference.kind, why));
  }
  const group = reference.apiGroup ?? "";
  if (group === "" || allowAnyGroup || !isAtLeast(level, "1.29")) return errors;
  for (const problem of isDns1123Subdomain(group))
    errors.push(invalid(path.child("apiGroup"), group, problem));
  return errors;
}

function isKnownSource({ naming }: ApiContext, source: TypedLocalObjectReference | undefined): boolean {
  if (source === undefined) return false;
  const group = source.apiGroup ?? "";
  if (group === "") return source.kind === "PersistentVolumeClaim";
  return group === `snapshot.storage.${naming.groupDomain}` && source.kind === "VolumeSnapshot";
}
