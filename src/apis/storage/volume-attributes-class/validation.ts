import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath, forbidden, required } from "../../../apimachinery/errors/field-error.js";
import type { VolumeAttributesClass } from "../../gen/storage-v1.js";
import { validateParameters } from "../parameters.js";
import { validateProvisioner } from "../provisioner.js";

export function validateVolumeAttributesClass(object: VolumeAttributesClass): FieldError[] {
  const path = FieldPath.of("parameters");
  const { parameters = {} } = object;
  return [
    ...validateProvisioner(object.driverName, FieldPath.of("driverName")),
    ...validateParameters(parameters, path),
    ...(Object.keys(parameters).length === 0
      ? [required(path, "must contain at least one key/value pair")]
      : []),
  ];
}

export function validateVolumeAttributesClassUpdate(
  object: VolumeAttributesClass,
  old: VolumeAttributesClass,
): FieldError[] {
  const errors = (["driverName", "parameters"] as const)
    .filter((field) => !isDeepEqual(object[field], old[field]))
    .map((field) => forbidden(FieldPath.of(field), `updates to ${field} are forbidden.`));
  return [...errors, ...validateVolumeAttributesClass(object)];
}
