import { append } from "../../../apimachinery/append.js";
import { type FieldError, FieldPath, required } from "../../../apimachinery/field-error.js";
import { validateImmutable, validateNonnegative } from "../../../apimachinery/validation/values.js";
import type { ControllerRevision } from "../../gen/apps-v1.js";

export function validateControllerRevision({ data, revision }: ControllerRevision): FieldError[] {
  const errors: FieldError[] = [];
  if (data === undefined || data === null) errors.push(required(FieldPath.of("data"), "data is mandatory"));
  if (revision < 0) append(errors, validateNonnegative(revision, FieldPath.of("revision")));
  return errors;
}

export function validateControllerRevisionUpdate(
  object: ControllerRevision,
  old: ControllerRevision,
): FieldError[] {
  return [
    ...validateControllerRevision(object),
    ...validateImmutable(object.data, old.data, FieldPath.of("data")),
  ];
}
