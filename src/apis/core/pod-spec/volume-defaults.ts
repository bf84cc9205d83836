import type { DownwardAPIVolumeFile, Volume } from "../../gen/core-v1.js";
import { defaultPullPolicy } from "./image-name.js";
import { roundResourceList } from "./resource-list.js";

/** 0644. */
const fileMode = 0o644;

export function setVolumeDefaults(volume: Volume): void {
  // A volume without a source is an emptyDir.
  const { name: _name, ...sources } = volume;
  if (Object.values(sources).every((source) => source === undefined)) volume.emptyDir = {};
  const { hostPath, secret, iscsi, rbd, downwardAPI, configMap, azureDisk, projected, scaleIO, ephemeral } =
    volume;
  if (volume.image !== undefined) {
    volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? "");
  }
  if (hostPath !== undefined) hostPath.type ??= "";
  if (secret !== undefined) secret.defaultMode ??= fileMode;
  if (iscsi !== undefined) iscsi.iscsiInterface ||= "default";
  if (rbd !== undefined) {
    rbd.pool ||= "rbd";
    rbd.user ||= "admin";
    rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (downwardAPI !== undefined) {
    downwardAPI.defaultMode ??= fileMode;
    setFieldVersions(downwardAPI.items);
  }
  if (configMap !== undefined) configMap.defaultMode ??= fileMode;
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= "ReadWrite";
    azureDisk.kind ??= "Shared";
    azureDisk.fsType ??= "ext4";
    azureDisk.readOnly ??= false;
  }
  if (projected !== undefined) {
    projected.defaultMode ??= fileMode;
    for (const source of projected.sources ?? []) {
      setFieldVersions(source.downwardAPI?.items);
      if (source.serviceAccountToken !== undefined) source.serviceAccountToken.expirationSeconds ??= 3600;
    }
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= "ThinProvisioned";
    scaleIO.fsType ||= "xfs";
  }
  const claim = ephemeral?.volumeClaimTemplate?.spec;
  if (claim !== undefined) {
    claim.volumeMode ??= "Filesystem";
    roundResourceList(claim.resources.limits);
    roundResourceList(claim.resources.requests);
  }
}

function setFieldVersions(files: readonly DownwardAPIVolumeFile[] | undefined): void {
  for (const { fieldRef } of files ?? []) {
    if (fieldRef !== undefined) fieldRef.apiVersion ||= "v1";
  }
}
