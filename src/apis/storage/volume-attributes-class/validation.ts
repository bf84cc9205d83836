import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { VolumeAttributesClass } from "../../gen/storage-v1.js";
import { validateParameters } from "../parameters.js";
import { validateProvisioner } from "../provisioner.js";
import { storageV1Types } from "../v1/types.js";

const rules = fieldRules<VolumeAttributesClass>(storageV1Types, "VolumeAttributesClass");

export function validateVolumeAttributesClass(object: VolumeAttributesClass): FieldError[] {
  return [
    ...validateProvisioner(object.driverName, FieldPath.of("driverName")),
    ...validateParameters(object.parameters ?? {}, FieldPath.of("parameters")),
    ...rules.check(object, FieldPath.root, "parameters"),
  ];
}

export function validateVolumeAttributesClassUpdate(
  object: VolumeAttributesClass,
  old: VolumeAttributesClass,
): FieldError[] {
  return [
    ...rules.unchanged(object, old, FieldPath.root, "driverName", "parameters"),
    ...validateVolumeAttributesClass(object),
  ];
}
