import type { PersistentVolume } from "../../gen/core-v1.js";
import { roundResourceList } from "../pod-spec/resource-list.js";

export function setPersistentVolumeDefaults({ spec, status }: PersistentVolume): void {
  status.phase ||= "Pending";
  spec.persistentVolumeReclaimPolicy ||= "Retain";
  spec.volumeMode ??= "Filesystem";
  roundResourceList(spec.capacity);
  const { hostPath, rbd, iscsi, azureDisk, scaleIO } = spec;
  if (hostPath !== undefined) hostPath.type ??= "";
  if (rbd !== undefined) {
    rbd.pool ||= "rbd";
    rbd.user ||= "admin";
    rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (iscsi !== undefined) iscsi.iscsiInterface ||= "default";
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= "ReadWrite";
    azureDisk.kind ??= "Shared";
    azureDisk.fsType ??= "ext4";
    azureDisk.readOnly ??= false;
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= "ThinProvisioned";
    scaleIO.fsType ||= "xfs";
  }
}
