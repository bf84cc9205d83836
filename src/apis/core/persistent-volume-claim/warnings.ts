import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import type { PersistentVolumeClaim } from "../../gen/core-v1.js";

/** Warns of the annotation that came before the field, and of sizes that are not whole bytes. */
export function claimWarnings({ metadata, spec }: PersistentVolumeClaim, { domain }: Naming): string[] {
  const warnings: string[] = [];
  const annotation = `volume.beta.${domain}/storage-class`;
  if (metadata.annotations?.[annotation] !== undefined) {
    const path = FieldPath.of("metadata", "annotations").key(annotation);
    warnings.push(`${path}: deprecated since v1.8; use "storageClassName" attribute instead`);
  }
  for (const list of ["requests", "limits"] as const) {
    const size = spec.resources[list]?.storage;
    if (size === undefined || Quantity.parse(size).roundedTo(-3).isWhole()) continue;
    const path = FieldPath.of("spec", "resources", list).key("storage");
    warnings.push(`${path}: fractional byte value "${size}" is invalid, must be an integer`);
  }
  return warnings;
}
