import { append } from "../../apimachinery/collections/append.js";
import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { fieldRules } from "../definition/field-rules.js";
import type { DeviceTaint, DeviceToleration } from "../gen/resource-v1.js";
import { resourceV1Types } from "./v1/types.js";

const taintRules = fieldRules<DeviceTaint>(resourceV1Types, "DeviceTaint");
const tolerationRules = fieldRules<DeviceToleration>(resourceV1Types, "DeviceToleration");

/** `old` is undefined where the taint is new. */
export function validateDeviceTaint(
  taint: DeviceTaint,
  path: FieldPath,
  level: ApiLevel,
  old?: DeviceTaint,
): FieldError[] {
  const errors = taintRules.check(taint, path, "key", "value");
  if (old?.effect !== taint.effect) append(errors, taintRules.at(level).check(taint, path, "effect"));
  return errors;
}

export function validateDeviceToleration(
  toleration: DeviceToleration,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const { operator, value = "" } = toleration;
  const errors = tolerationRules.check(toleration, path, "key", "operator");
  if (operator === "Equal") append(errors, tolerationRules.check(toleration, path, "value"));
  if (operator === "Exists" && value !== "") {
    errors.push(invalid(path.child("value"), value, "must be empty for operator `Exists`"));
  }
  return [...errors, ...tolerationRules.at(level).check(toleration, path, "effect")];
}

export function setTaintDefaults(taints: readonly DeviceTaint[] | undefined, now: Date): void {
  for (const taint of taints ?? []) taint.timeAdded ??= timestamp(now);
}

export function setTolerationDefaults(tolerations: readonly DeviceToleration[] | undefined): void {
  for (const toleration of tolerations ?? []) toleration.operator ??= "Equal";
}
