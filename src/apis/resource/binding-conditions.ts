import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
} from "../../apimachinery/errors/field-error.js";
import { printList } from "../../apimachinery/errors/printed-structs.js";
import { validateLabelName } from "../../apimachinery/validation/labels.js";
import { repeated } from "../../apimachinery/validation/repeated.js";
import { validateList } from "../checks/lists.js";

const bindingConditionsMax = 4;

/** Validates the conditions that binding to a device waits for: both lists are set or neither is, and no name is in both. */
export function validateBindingConditions(
  {
    bindingConditions: waits,
    bindingFailureConditions: failures,
  }: {
    readonly bindingConditions?: string[] | undefined;
    readonly bindingFailureConditions?: string[] | undefined;
  },
  path: FieldPath,
): FieldError[] {
  const [bindingConditions, bindingFailureConditions] = [waits ?? [], failures ?? []];
  const waitsPath = path.child("bindingConditions");
  const failuresPath = path.child("bindingFailureConditions");
  const errors = [
    ...validateList(bindingConditions, waitsPath, bindingConditionsMax, validateLabelName),
    ...validateList(bindingFailureConditions, failuresPath, bindingConditionsMax, validateLabelName),
  ];
  for (const [index, name] of repeated(bindingConditions)) {
    errors.push(duplicate(waitsPath.index(index), name));
  }
  for (const [index, name] of repeated(bindingFailureConditions)) {
    errors.push(duplicate(failuresPath.index(index), name));
  }
  const awaited = new Set(bindingConditions);
  for (const [index, name] of bindingFailureConditions.entries()) {
    if (!awaited.has(name)) continue;
    const why = "bindingFailureConditions must not overlap with bindingConditions";
    errors.push(invalid(failuresPath.index(index), name, why));
  }
  if (bindingConditions.length === 0 && bindingFailureConditions.length > 0) {
    const why = "bindingConditions are required to use bindingFailureConditions";
    errors.push(invalid(waitsPath, printList("string", waits), why));
  }
  if (bindingFailureConditions.length === 0 && bindingConditions.length > 0) {
    const why = "bindingFailureConditions are required to use bindingConditions";
    errors.push(invalid(failuresPath, printList("string", failures), why));
  }
  return errors;
}
