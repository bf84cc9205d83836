import type { PersistentVolumeClaimSpec } from "../../gen/core-v1.js";

/**
 * The lines of a specification as Kubernetes shows them since 1.34: JSON of its internal type, which has the names of Go and shows absent
 * fields.
 */
export function printedSpec(spec: PersistentVolumeClaimSpec): readonly string[] {
  const { resources, dataSource, dataSourceRef } = spec;
  const source = dataSource && {
    APIGroup: dataSource.apiGroup ?? null,
    Kind: dataSource.kind,
    Name: dataSource.name,
  };
  const reference = dataSourceRef && {
    APIGroup: dataSourceRef.apiGroup ?? null,
    Kind: dataSourceRef.kind,
    Name: dataSourceRef.name,
    Namespace: dataSourceRef.namespace ?? null,
  };
  const shown = {
    AccessModes: spec.accessModes ?? null,
    Selector: spec.selector ?? null,
    Resources: { Limits: resources.limits ?? null, Requests: resources.requests ?? null },
    VolumeName: spec.volumeName ?? "",
    StorageClassName: spec.storageClassName ?? null,
    VolumeMode: spec.volumeMode ?? null,
    DataSource: source ?? null,
    DataSourceRef: reference ?? null,
    VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
  };
  return JSON.stringify(shown, undefined, 1).split("\n");
}
