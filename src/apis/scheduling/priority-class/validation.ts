import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { type FieldError, FieldPath, forbidden } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PriorityClass } from "../../gen/scheduling-v1.js";
import { systemPriorityClasses, userPriorityMax } from "../system-priority-classes.js";
import { schedulingV1Types } from "../v1/types.js";

const systemPrefix = "system-";
const rules = fieldRules<PriorityClass>(schedulingV1Types, "PriorityClass");

export function validatePriorityClass(object: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  if ((object.metadata.name ?? "").startsWith(systemPrefix)) {
    const problem = systemClassProblem(object);
    if (problem !== undefined) {
      const why = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbidden(FieldPath.of("metadata", "name"), why));
    }
  } else if (object.value > userPriorityMax) {
    const why = `maximum allowed value of a user defined priority is ${userPriorityMax}`;
    errors.push(forbidden(FieldPath.of("value"), why));
  }
  return [...errors, ...rules.check(object, FieldPath.root, "preemptionPolicy")];
}

/** Pods copy the value when they are created, so it cannot change later. */
export function validatePriorityClassUpdate(object: PriorityClass, old: PriorityClass): FieldError[] {
  const valuePath = FieldPath.of(hasErrorTextsOf(25) ? "value" : "Value");
  return [
    ...rules.unchangedValue("value", object.value, old.value, valuePath),
    ...rules.unchanged(object, old, FieldPath.root, "preemptionPolicy"),
  ];
}

function systemClassProblem({
  metadata: { name = "" },
  value,
  globalDefault,
}: PriorityClass): string | undefined {
  const known = systemPriorityClasses.find((candidate) => candidate.name === name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known.value) return `value of ${name} PriorityClass must be ${known.value}`;
  if (globalDefault === true) return `globalDefault of ${name} PriorityClass must be false`;
  return undefined;
}
