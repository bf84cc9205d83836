import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from "../../gen/apiextensions-v1.js";

export function storageVersionName(spec: CustomResourceDefinitionSpec): string | undefined {
  return (spec.versions ?? []).find(({ storage }) => storage)?.name;
}

/** Records that objects may exist in the storage version from now on. */
export function recordStorageVersion(
  spec: CustomResourceDefinitionSpec,
  status: CustomResourceDefinitionStatus,
): CustomResourceDefinitionStatus {
  const name = storageVersionName(spec);
  const stored = status.storedVersions ?? [];
  return name === undefined || stored.includes(name)
    ? status
    : { ...status, storedVersions: [...stored, name] };
}
