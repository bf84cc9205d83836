import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { PrintedValue, quotedShortened } from "../../../apimachinery/errors/printed-value.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { isValidLabelValue } from "../../../apimachinery/validation/qualified-name.js";
import { int64Max } from "../../../apimachinery/values/scaled-integers.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Toleration } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const rules = fieldRules<Toleration>(coreV1Types, "Toleration");

export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return errorsOfEach(tolerations, (toleration, index) =>
    validateToleration(toleration, path.index(index), options),
  );
}

function validateToleration(
  toleration: Toleration,
  path: FieldPath,
  { allowComparingTolerations, level }: PodValidationOptions,
): FieldError[] {
  const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
  const errors = rules.check(toleration, path, "key");
  const operatorPath = path.child("operator");
  if (key === "" && operator !== "Exists") {
    errors.push(
      invalid(
        operatorPath,
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    );
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    errors.push(
      invalid(path.child("effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  if (operator === "" || operator === "Equal") {
    const problems = isValidLabelValue(value);
    if (problems.length > 0) errors.push(invalid(operatorPath, value, problems.join(";")));
  } else if (operator === "Exists") {
    if (value !== "") {
      const shown = isAtLeast(level, "1.32") ? value : printToleration(toleration);
      errors.push(invalid(operatorPath, shown, "value must be empty when `operator` is 'Exists'"));
    }
  } else if (allowComparingTolerations && (operator === "Lt" || operator === "Gt")) {
    append(errors, validateCompared(value, path.child("value")));
  } else {
    // Lt and Gt without their gate are refused by an error that still lists them.
    const isCompared = operator === "Lt" || operator === "Gt";
    const compared = isCompared && isAtLeast(level, "1.35") ? ["Lt", "Gt"] : [];
    errors.push(notSupported(operatorPath, operator, ["Equal", "Exists", ...compared]));
  }
  return [...errors, ...rules.check(toleration, path, "effect")];
}

/** A decimal number of 64 bits in canonical form. */
function validateCompared(value: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!/^(?:0|-?[1-9]\d*)$/.test(value)) {
    const why = value === "" ? "must be non-empty" : "must be a valid decimal integer in canonical form";
    errors.push(invalid(path, value, why));
  }
  const problem = parsingProblem(value);
  if (problem === undefined) return errors;
  return [...errors, invalid(path, value, `strconv.ParseInt: parsing ${quotedShortened(value)}: ${problem}`)];
}

function parsingProblem(text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return "invalid syntax";
  // Converting very many digits takes long.
  const digits = text.replace(/^[+-]?0*/, "");
  const number = BigInt(digits.slice(0, 20)) * (text.startsWith("-") ? -1n : 1n);
  return number > int64Max || number < -int64Max - 1n ? "value out of range" : undefined;
}

function printToleration(toleration: Toleration): PrintedValue {
  const { key = "", operator = "", value = "", effect = "", tolerationSeconds = null } = toleration;
  const seconds = new PrintedValue(`(*int64)(${tolerationSeconds ?? "nil"})`, tolerationSeconds);
  return printStruct("core.Toleration", {
    Key: key,
    Operator: operator,
    Value: value,
    Effect: effect,
    TolerationSeconds: seconds,
  });
}

/** Tolerations may be added; existing ones may change only their seconds. */
export function validateOnlyAddedTolerations(
  tolerations: readonly Toleration[] | undefined,
  old: readonly Toleration[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const keyOf = ({ key, operator, value, effect }: Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const kept = new Set((tolerations ?? []).map(keyOf));
  if (!(old ?? []).every((before) => kept.has(keyOf(before)))) {
    return [forbidden(path, "existing toleration can not be modified except its tolerationSeconds")];
  }
  return validateTolerations(tolerations, path, options);
}
