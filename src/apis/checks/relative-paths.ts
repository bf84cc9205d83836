import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { hasBacksteps } from "../definition/value-formats.js";

/** A path that cannot escape the directory it is joined to. */
export function validateLocalDescendingPath(target: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (target.startsWith("/")) errors.push(invalid(path, target, "must be a relative path"));
  return [...errors, ...validateNoBacksteps(target, path)];
}

export function validateNoBacksteps(target: string, path: FieldPath): FieldError[] {
  return hasBacksteps(target) ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Names that start with two dots are reserved for the volume's own directories. */
export function validateLocalNonReservedPath(target: string, path: FieldPath): FieldError[] {
  const errors = validateLocalDescendingPath(target, path);
  if (target.startsWith("..") && !target.startsWith("../")) {
    errors.push(invalid(path, target, "must not start with '..'"));
  }
  return errors;
}
