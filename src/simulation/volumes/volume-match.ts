import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import type { PersistentVolume, PersistentVolumeClaim } from "../../apis/gen/core-v1.js";

/** Whether the volume can hold what the claim asks for. */
export function satisfies(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { spec } = claim;
  if ((volume.spec.storageClassName ?? "") !== (spec.storageClassName ?? "")) return false;
  if ((volume.spec.volumeMode ?? "Filesystem") !== (spec.volumeMode ?? "Filesystem")) return false;
  if (!(spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode))) return false;
  if (
    spec.selector !== undefined &&
    !labelSelectorFromObject(spec.selector).matches(volume.metadata.labels)
  ) {
    return false;
  }
  return sizeOf(volume.spec.capacity).compare(sizeOf(spec.resources?.requests)) >= 0;
}

/** Of the free volumes, the smallest that will do; one that is meant for the claim comes first. */
export function bestVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const meant = volumes.find(({ spec }) => refersTo(spec.claimRef, claim));
  if (meant !== undefined) return meant;
  return volumes
    .filter(({ spec, status }) => spec.claimRef === undefined && status.phase !== "Failed")
    .filter((volume) => satisfies(volume, claim))
    .sort((a, b) => sizeOf(a.spec.capacity).compare(sizeOf(b.spec.capacity)))[0];
}

export function refersTo(
  reference: PersistentVolume["spec"]["claimRef"],
  { metadata }: PersistentVolumeClaim,
): boolean {
  if (reference === undefined) return false;
  const isNamed = reference.namespace === metadata.namespace && reference.name === metadata.name;
  return isNamed && (reference.uid === undefined || reference.uid === "" || reference.uid === metadata.uid);
}

function sizeOf(list: Readonly<Record<string, string>> | undefined): Quantity {
  return Quantity.parse(list?.storage ?? "0");
}
