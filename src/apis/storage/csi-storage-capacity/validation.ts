import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { isNegativeMessage, validateImmutable } from "../../../apimachinery/validation/values.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { printLabelSelector } from "../../checks/printed-values.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { CSIStorageCapacity } from "../../gen/storage-v1.js";
import { storageV1Types } from "../v1/types.js";

const rules = fieldRules<CSIStorageCapacity>(storageV1Types, "CSIStorageCapacity");

export function validateCsiStorageCapacity(object: CSIStorageCapacity): FieldError[] {
  const { nodeTopology, storageClassName, capacity } = object;
  const errors = validateLabelSelector(nodeTopology, FieldPath.of("nodeTopology"));
  for (const problem of isDns1123Subdomain(storageClassName)) {
    errors.push(invalid(FieldPath.of("storageClassName"), storageClassName, problem));
  }
  if (capacity !== undefined && Quantity.parse(capacity).sign() < 0) {
    errors.push(invalid(FieldPath.of("capacity"), capacity, isNegativeMessage));
  }
  return errors;
}

/** The request to the driver is immutable; only its answer may change. */
export function validateCsiStorageCapacityUpdate(
  object: CSIStorageCapacity,
  old: CSIStorageCapacity,
): FieldError[] {
  return [
    ...validateCsiStorageCapacity(object),
    ...validateImmutable(
      object.nodeTopology,
      old.nodeTopology,
      FieldPath.of("nodeTopology"),
      printLabelSelector,
    ),
    ...rules.unchanged(object, old, FieldPath.root, "storageClassName"),
  ];
}
