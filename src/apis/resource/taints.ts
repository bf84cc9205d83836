import { append } from "../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { validateLabelName } from "../../apimachinery/validation/labels.js";
import { isValidLabelValue } from "../../apimachinery/validation/qualified-name.js";
import { timestamp } from "../../apimachinery/values/time.js";
import type { DeviceTaint, DeviceToleration } from "../gen/resource-v1.js";

function effectsAt(level: ApiLevel): readonly string[] {
  return isAtLeast(level, "1.35") ? ["NoExecute", "NoSchedule", "None"] : ["NoExecute", "NoSchedule"];
}

/** `old` is undefined where the taint is new. */
export function validateDeviceTaint(
  { key, value = "", effect }: DeviceTaint,
  path: FieldPath,
  level: ApiLevel,
  old?: DeviceTaint,
): FieldError[] {
  const errors = validateLabelName(key, path.child("key"));
  if (value !== "") append(errors, validateLabelValue(value, path.child("value")));
  if (old?.effect === effect) return errors;
  const effects = effectsAt(level);
  const at = path.child("effect");
  if (effect === "") errors.push(required(at, ""));
  else if (!effects.includes(effect)) errors.push(notSupported(at, effect, effects));
  return errors;
}

export function validateDeviceToleration(
  { key = "", operator = "", value = "", effect = "" }: DeviceToleration,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const errors: FieldError[] = key === "" ? [] : validateLabelName(key, path.child("key"));
  const operatorPath = path.child("operator");
  const valuePath = path.child("value");
  if (operator === "Exists") {
    if (value !== "") errors.push(invalid(valuePath, value, "must be empty for operator `Exists`"));
  } else if (operator === "Equal") append(errors, validateLabelValue(value, valuePath));
  else if (operator === "") errors.push(required(operatorPath, ""));
  else errors.push(notSupported(operatorPath, operator, ["Equal", "Exists"]));
  const effects = effectsAt(level);
  if (effect !== "" && !effects.includes(effect)) {
    errors.push(notSupported(path.child("effect"), effect, effects));
  }
  return errors;
}

function validateLabelValue(value: string, path: FieldPath): FieldError[] {
  return isValidLabelValue(value).map((problem) => invalid(path, value, problem));
}

export function setTaintDefaults(taints: readonly DeviceTaint[] | undefined, now: Date): void {
  for (const taint of taints ?? []) taint.timeAdded ??= timestamp(now);
}

export function setTolerationDefaults(tolerations: readonly DeviceToleration[] | undefined): void {
  for (const toleration of tolerations ?? []) toleration.operator ??= "Equal";
}
