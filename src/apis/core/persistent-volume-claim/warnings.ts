import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../../gen/core-v1.js";

/** Warns of the annotation that came before the field, and as `claimSpecWarnings` does. */
export function claimWarnings({ level, naming }: ApiContext, claim: PersistentVolumeClaim): string[] {
  const { metadata, spec } = claim;
  const warnings: string[] = [];
  const annotation = `volume.beta.${naming.domain}/storage-class`;
  if (isAtLeast(level, "1.28") && metadata.annotations?.[annotation] !== undefined) {
    const path = FieldPath.of("metadata", "annotations").key(annotation);
    warnings.push(`${path}: deprecated since v1.8; use "storageClassName" attribute instead`);
  }
  return [...warnings, ...claimSpecWarnings(spec, FieldPath.of("spec"))];
}

/** Warns of sizes that are not whole bytes; `path` is that of the claim's spec. */
export function claimSpecWarnings({ resources }: PersistentVolumeClaimSpec, path: FieldPath): string[] {
  return (["requests", "limits"] as const).flatMap((list) => {
    const size = resources[list]?.storage;
    if (size === undefined || Quantity.parse(size).roundedTo(-3).isWhole()) return [];
    const at = path.child("resources", list).key("storage");
    return [`${at}: fractional byte value "${size}" is invalid, must be an integer`];
  });
}
