import { append } from "../../../apimachinery/collections/append.js";
import { duplicate, type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { coreV1Types } from "../../core/v1/types.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from "../../gen/core-v1.js";
import type { StorageClass } from "../../gen/storage-v1.js";
import { validateParameters } from "../parameters.js";
import { validateProvisioner } from "../provisioner.js";
import { storageV1Types } from "../v1/types.js";

const rules = fieldRules<StorageClass>(storageV1Types, "StorageClass");
const requirementRules = fieldRules<TopologySelectorLabelRequirement>(
  coreV1Types,
  "TopologySelectorLabelRequirement",
);

export function validateStorageClass(object: StorageClass, level: ApiLevel): FieldError[] {
  return [
    ...validateProvisioner(object.provisioner, FieldPath.of("provisioner")),
    ...validateParameters(object.parameters ?? {}, FieldPath.of("parameters")),
    ...rules.at(level).check(object, FieldPath.root, "reclaimPolicy", "volumeBindingMode"),
    ...validateTopologies(object.allowedTopologies ?? [], FieldPath.of("allowedTopologies")),
  ];
}

export function validateStorageClassUpdate(
  object: StorageClass,
  old: StorageClass,
  level: ApiLevel,
): FieldError[] {
  const ofLevel = rules.at(level);
  return [
    ...validateStorageClass(object, level),
    ...ofLevel.unchanged(object, old, FieldPath.root, "parameters", "provisioner"),
    ...ofLevel.unchanged(object, old, FieldPath.root, "reclaimPolicy", "volumeBindingMode"),
  ];
}

/** Values by label key. */
type Requirements = { [key: string]: string[] };

function validateTopologies(terms: readonly TopologySelectorTerm[], path: FieldPath): FieldError[] {
  /** How often each term occurred. Kubernetes also compares each term with as many empty ones. */
  const earlier = new Map([[printRequirements({}), terms.length]]);
  return errorsOfEach(terms, (term, index) => {
    const errors: FieldError[] = [];
    const requirementsPath = path.index(index).child("matchLabelExpressions");
    const requirements: Requirements = {};
    for (const [at, requirement] of (term.matchLabelExpressions ?? []).entries()) {
      const { key, values = [] } = requirement;
      const requirementPath = requirementsPath.index(at);
      append(errors, requirementRules.check(requirement, requirementPath, "values", "key"));
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
