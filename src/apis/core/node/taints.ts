import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { isValidLabelValue } from "../../../apimachinery/validation/qualified-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Taint } from "../../gen/core-v1.js";
import { printTaint } from "../pod-spec/printed-values.js";
import { coreV1Types } from "../v1/types.js";

const rules = fieldRules<Taint>(coreV1Types, "Taint");

/** Taints are unique by key and effect. */
export function validateTaints(taints: readonly Taint[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(taints, (taint, index) => {
    const taintPath = path.index(index);
    const { key, value = "", effect } = taint;
    const errors = rules.check(taint, taintPath, "key");
    const problems = isValidLabelValue(value);
    if (problems.length > 0) errors.push(invalid(taintPath.child("value"), value, problems.join(";")));
    append(errors, rules.check(taint, taintPath, "effect"));
    const identity = JSON.stringify([key, effect]);
    if (seen.has(identity)) {
      const why = "taints must be unique by key and effect pair";
      errors.push(duplicate(taintPath, printTaint(taint), why));
    }
    seen.add(identity);
    return errors;
  });
}
