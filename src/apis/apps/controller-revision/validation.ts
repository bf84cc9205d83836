import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { printRaw } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { isJsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import { jsonEqual } from "../../../apimachinery/json/json-values.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { immutableMessage } from "../../../apimachinery/validation/values.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ControllerRevision } from "../../gen/apps-v1.js";
import { appsV1Types } from "../v1/types.js";

const dataPath = FieldPath.of("data");
const rules = fieldRules<ControllerRevision>(appsV1Types, "ControllerRevision");

/** Since 1.31, data of a new object must be an object, and is checked last. */
export function validateNewControllerRevision(object: ControllerRevision, level: ApiLevel): FieldError[] {
  if (!isAtLeast(level, "1.31")) return validateControllerRevision(object);
  const { data } = object;
  const errors = rules.check(object, FieldPath.root, "revision");
  if (data === undefined || data === null) errors.push(required(dataPath, "data is mandatory"));
  else if (!isJsonObject(data)) errors.push(required(dataPath, "data must be a valid JSON object"));
  return errors;
}

/** As before 1.31. */
function validateControllerRevision(object: ControllerRevision): FieldError[] {
  return rules.check(object, FieldPath.root, "data", "revision");
}

export function validateControllerRevisionUpdate(
  object: ControllerRevision,
  old: ControllerRevision,
  level: ApiLevel,
): FieldError[] {
  const print = (data: JsonValue | undefined): PrintedValue | undefined =>
    data === undefined ? undefined : printRaw(data);
  return [
    ...(isAtLeast(level, "1.31")
      ? rules.check(object, FieldPath.root, "revision")
      : validateControllerRevision(object)),
    // Data is the client's own JSON, where an empty list is not an absent one.
    ...(jsonEqual(object.data, old.data) ? [] : [invalid(dataPath, print(object.data), immutableMessage)]),
  ];
}
