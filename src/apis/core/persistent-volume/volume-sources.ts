import type { FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { Naming } from "../../../naming/naming.js";
import type { PersistentVolumeSource, PersistentVolumeSpec } from "../../gen/core-v1.js";
import { validateCsi } from "./csi-source-validation.js";
import { validateIscsi } from "./iscsi-validation.js";
import * as checks from "./volume-source-validation.js";

export type VolumeSourceName = keyof PersistentVolumeSource;

/** In the order in which they are checked. */
export const volumeSourceNames = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
] as const satisfies readonly VolumeSourceName[];

/** The part of the spec that selects the volume's source. */
export function pickVolumeSource(spec: PersistentVolumeSpec): PersistentVolumeSource {
  const source: PersistentVolumeSource = {};
  for (const name of volumeSourceNames) copy(name, spec, source);
  return source;
}

export type VolumeSourceCheck = (spec: PersistentVolumeSpec, path: FieldPath) => FieldError[];

export interface VolumeSourceOwner {
  readonly naming: Naming;
  readonly level: ApiLevel;
  readonly volumeName: string;
}

/** The check of each source, called with its path. An unset source has no errors. */
export function sourceChecks({
  naming,
  level,
  volumeName,
}: VolumeSourceOwner): Readonly<Record<VolumeSourceName, VolumeSourceCheck>> {
  return {
    hostPath: onSource("hostPath", checks.validateHostPath),
    gcePersistentDisk: onSource("gcePersistentDisk", checks.validateGcePersistentDisk),
    awsElasticBlockStore: onSource("awsElasticBlockStore", checks.validateAwsElasticBlockStore),
    glusterfs: onSource("glusterfs", checks.validateGlusterfs),
    flocker: onSource("flocker", checks.validateFlocker),
    nfs: onSource("nfs", checks.validateNfs),
    rbd: onSource("rbd", checks.validateRbd),
    quobyte: onSource("quobyte", checks.validateQuobyte),
    cephfs: onSource("cephfs", checks.validateCephFs),
    iscsi: onSource("iscsi", (source, path) => validateIscsi(source, volumeName, path)),
    cinder: onSource("cinder", checks.validateCinder),
    fc: onSource("fc", checks.validateFibreChannel),
    flexVolume: onSource("flexVolume", (source, path) => checks.validateFlex(naming, source, path)),
    azureFile: onSource("azureFile", checks.validateAzureFile),
    vsphereVolume: onSource("vsphereVolume", checks.validateVsphere),
    photonPersistentDisk: onSource("photonPersistentDisk", checks.validatePhoton),
    portworxVolume: onSource("portworxVolume", checks.validatePortworx),
    azureDisk: onSource("azureDisk", checks.validateAzureDisk),
    scaleIO: onSource("scaleIO", checks.validateScaleIo),
    local: onSource("local", checks.validateLocal),
    storageos: onSource("storageos", checks.validateStorageOs),
    csi: onSource("csi", (source, path) => validateCsi(source, path, level)),
  };
}

function onSource<N extends VolumeSourceName>(
  name: N,
  check: (source: NonNullable<PersistentVolumeSpec[N]>, path: FieldPath) => FieldError[],
): VolumeSourceCheck {
  return (spec, path) => {
    const source = spec[name];
    return source === undefined || source === null ? [] : check(source, path);
  };
}

function copy<N extends VolumeSourceName>(
  name: N,
  from: Pick<PersistentVolumeSource, N>,
  to: Pick<PersistentVolumeSource, N>,
): void {
  to[name] = from[name];
}
