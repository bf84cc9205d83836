import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ControllerRevision } from "../../gen/apps-v1.js";
import { appsV1Types } from "../v1/types.js";

const rules = fieldRules<ControllerRevision>(appsV1Types, "ControllerRevision");

export function validateControllerRevision(object: ControllerRevision): FieldError[] {
  return rules.check(object, FieldPath.root, "data", "revision");
}

export function validateControllerRevisionUpdate(
  object: ControllerRevision,
  old: ControllerRevision,
): FieldError[] {
  return [...validateControllerRevision(object), ...rules.unchanged(object, old, FieldPath.root, "data")];
}
