import { storedLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import type { PersistentVolume, PersistentVolumeClaim } from "../../apis/gen/core-v1.js";

/** Whether the volume is what the claim asks for, apart from its class and size. */
export function satisfies(volume: PersistentVolume, { spec }: PersistentVolumeClaim): boolean {
  if ((volume.spec.volumeMode ?? "Filesystem") !== (spec.volumeMode ?? "Filesystem")) return false;
  if (!(spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode))) return false;
  return spec.selector === undefined || storedLabelSelector(spec.selector).matches(volume.metadata.labels);
}

/** Whether the volume names the claim; a reference without a uid names any claim of that name. */
export function refersTo(
  reference: PersistentVolume["spec"]["claimRef"],
  { metadata }: PersistentVolumeClaim,
): boolean {
  if (reference === undefined) return false;
  const isNamed = reference.namespace === metadata.namespace && reference.name === metadata.name;
  return isNamed && (reference.uid === undefined || reference.uid === "" || reference.uid === metadata.uid);
}
