import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  PrintedValue,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from "../../gen/core-v1.js";

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
  const isInUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (!isInUse && spec.dataSourceRef === undefined && !isKnownSource(context, spec.dataSource)) {
    spec.dataSource = undefined;
  }
  if (isAnyAllowed) copyDataSource(spec);
}

export function copyDataSource(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSourceRef === undefined) spec.dataSourceRef = dataSource && { ...dataSource };
  else if (dataSource === undefined) spec.dataSource = { ...dataSourceRef };
}

export function validateDataSources(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const errors = [
    ...referenceErrors(dataSource, path.child("dataSource")),
    ...referenceErrors(dataSourceRef, path.child("dataSourceRef")),
  ];
  if (dataSource !== undefined && dataSourceRef !== undefined && !isDeepEqual(dataSource, dataSourceRef)) {
    // Kubernetes prints the field's path in place of its value.
    const value = new PrintedValue(path.child("dataSource").toString());
    errors.push(invalid(path, value, "must match dataSourceRef"));
  }
  return errors;
}

function referenceErrors(reference: TypedLocalObjectReference | undefined, path: FieldPath): FieldError[] {
  if (reference === undefined) return [];
  const errors: FieldError[] = [];
  if (reference.name === "") errors.push(required(path.child("name"), ""));
  if (reference.kind === "") errors.push(required(path.child("kind"), ""));
  if ((reference.apiGroup ?? "") === "" && reference.kind !== "PersistentVolumeClaim") {
    errors.push(invalid(path, reference.kind, ""));
  }
  return errors;
}

function isKnownSource({ naming }: ApiContext, source: TypedLocalObjectReference | undefined): boolean {
  if (source === undefined) return false;
  const group = source.apiGroup ?? "";
  if (group === "") return source.kind === "PersistentVolumeClaim";
  return group === `snapshot.storage.${naming.groupDomain}` && source.kind === "VolumeSnapshot";
}
