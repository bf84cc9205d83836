import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateLabelName } from "../../../apimachinery/validation/labels.js";
import { repeated } from "../../../apimachinery/validation/repeated.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { TopologySelectorTerm } from "../../gen/core-v1.js";
import type { StorageClass } from "../../gen/storage-v1.js";
import { validateParameters } from "../parameters.js";
import { validateProvisioner } from "../provisioner.js";
import { storageV1Types } from "../v1/types.js";

const rules = fieldRules<StorageClass>(storageV1Types, "StorageClass");

export function validateStorageClass(object: StorageClass): FieldError[] {
  return [
    ...validateProvisioner(object.provisioner, FieldPath.of("provisioner")),
    ...validateParameters(object.parameters ?? {}, FieldPath.of("parameters")),
    ...(object.reclaimPolicy === "" ? [] : rules.check(object, FieldPath.root, "reclaimPolicy")),
    ...rules.check(object, FieldPath.root, "volumeBindingMode"),
    ...validateTopologies(object.allowedTopologies ?? [], FieldPath.of("allowedTopologies")),
  ];
}

export function validateStorageClassUpdate(object: StorageClass, old: StorageClass): FieldError[] {
  const errors = validateStorageClass(object);
  for (const field of ["parameters", "provisioner", "reclaimPolicy"] as const) {
    if (!isDeepEqual(object[field], old[field])) {
      errors.push(forbidden(FieldPath.of(field), `updates to ${field} are forbidden.`));
    }
  }
  return [...errors, ...rules.unchanged(object, old, FieldPath.root, "volumeBindingMode")];
}

/** Values by label key. */
type Requirements = { [key: string]: string[] };

function validateTopologies(terms: readonly TopologySelectorTerm[], path: FieldPath): FieldError[] {
  /** How often each one came. Kubernetes compares each term with as many empty ones, too. */
  const earlier = new Map([[printRequirements({}), terms.length]]);
  return errorsOfEach(terms, (term, index) => {
    const errors: FieldError[] = [];
    const requirementsPath = path.index(index).child("matchLabelExpressions");
    const requirements: Requirements = {};
    for (const [at, { key, values = [] }] of (term.matchLabelExpressions ?? []).entries()) {
      const requirementPath = requirementsPath.index(at);
      const valuesPath = requirementPath.child("values");
      if (values.length === 0) errors.push(required(valuesPath, ""));
      for (const [valueAt, value] of repeated(values))
        errors.push(duplicate(valuesPath.index(valueAt), value));
      append(errors, validateLabelName(key, requirementPath.child("key")));
      if (Object.hasOwn(requirements, key)) errors.push(duplicate(requirementPath.child("key"), key));
      requirements[key] = [...new Set(values)].sort();
    }
    const printed = printRequirements(requirements);
    const count = earlier.get(printed) ?? 0;
    for (let i = 0; i < count; i++) errors.push(duplicate(requirementsPath, ""));
    earlier.set(printed, count + 1);
    return errors;
  });
}

/** Equal for equal sets of values by key. */
function printRequirements(requirements: Requirements): string {
  return JSON.stringify(Object.entries(requirements).sort(([a], [b]) => (a < b ? -1 : 1)));
}
