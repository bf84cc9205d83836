import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import {
  checksSelectorValues,
  validateLabelSelector,
} from "../../../apimachinery/validation/label-selector.js";
import { isNegativeMessage, validateImmutable } from "../../../apimachinery/validation/values.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { printLabelSelector } from "../../checks/printed-values.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { CSIStorageCapacity } from "../../gen/storage-v1.js";
import { storageV1Types } from "../v1/types.js";

const rules = fieldRules<CSIStorageCapacity>(storageV1Types, "CSIStorageCapacity");

export function validateCsiStorageCapacity(
  object: CSIStorageCapacity,
  level: ApiLevel,
  old?: CSIStorageCapacity,
): FieldError[] {
  const { nodeTopology, storageClassName, capacity } = object;
  const checksValues = checksSelectorValues(level, [old?.nodeTopology]);
  const errors = validateLabelSelector(nodeTopology, FieldPath.of("nodeTopology"), checksValues);
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
  level: ApiLevel,
): FieldError[] {
  return [
    ...validateCsiStorageCapacity(object, level, old),
    ...validateImmutable(
      object.nodeTopology,
      old.nodeTopology,
      FieldPath.of("nodeTopology"),
      printLabelSelector,
    ),
    ...rules.unchanged(object, old, FieldPath.root, "storageClassName"),
  ];
}
