import { append } from "../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  tooLong,
} from "../../apimachinery/errors/field-error.js";
import { metaV1Types } from "../../apimachinery/meta-types/v1.js";
import { byteLength, patternMessage } from "../../apimachinery/validation/messages.js";
import { fieldRules } from "../definition/field-rules.js";
import type { Condition } from "../gen/meta-v1.js";

const reasonBytesMax = 1024;
const rules = fieldRules<Condition>(metaV1Types, "Condition");
const reasonFormat = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reasonFormat}$`);

/** For `meta/v1` conditions: at most one of each type. */
export function validateConditions(conditions: readonly Condition[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const at = path.index(index);
    const repeated = seen.has(condition.type) ? [duplicate(at.child("type"), condition.type)] : [];
    seen.add(condition.type);
    return [...repeated, ...validateCondition(condition, at)];
  });
}

function validateCondition(condition: Condition, path: FieldPath): FieldError[] {
  const errors = rules.check(condition, path, "type", "status", "observedGeneration");
  append(errors, rules.check(condition, path, "lastTransitionTime", "reason"));
  if (condition.reason !== "") append(errors, validateReason(condition.reason, path.child("reason")));
  return [...errors, ...rules.check(condition, path, "message")];
}

function validateReason(reason: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!reasonPattern.test(reason)) {
    const why = patternMessage(
      "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
      reasonFormat,
      "my_name",
      "MY_NAME",
      "MyName",
      "ReasonA,ReasonB",
      "ReasonA:ReasonB",
    );
    errors.push(invalid(path, reason, why));
  }
  if (byteLength(reason) > reasonBytesMax) errors.push(tooLong(path, reasonBytesMax));
  return errors;
}
