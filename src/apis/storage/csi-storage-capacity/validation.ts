import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import {
  checksSelectorValues,
  validateLabelSelector,
} from "../../../apimachinery/validation/label-selector.js";
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
  const checksValues = checksSelectorValues(level, [old?.nodeTopology]);
  return [
    ...validateLabelSelector(object.nodeTopology, FieldPath.of("nodeTopology"), checksValues),
    ...rules.check(object, FieldPath.root, "storageClassName", "capacity"),
  ];
}

/** Everything but the capacity that the driver reports is immutable. */
export function validateCsiStorageCapacityUpdate(
  object: CSIStorageCapacity,
  old: CSIStorageCapacity,
  level: ApiLevel,
): FieldError[] {
  return [
    ...validateCsiStorageCapacity(object, level, old),
    ...rules.unchangedValue(
      "nodeTopology",
      object.nodeTopology,
      old.nodeTopology,
      FieldPath.of("nodeTopology"),
      printLabelSelector,
    ),
    ...rules.unchanged(object, old, FieldPath.root, "storageClassName"),
  ];
}
