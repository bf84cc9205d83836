import type { FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import { descendingPathProblems, filePathProblems } from "../../apimachinery/validation/file-paths.js";
import { problemsAt } from "./value-checks.js";

/** A path that cannot escape the directory it is joined to. */
export function validateLocalDescendingPath(target: string, path: FieldPath): FieldError[] {
  return problemsAt(path, target, descendingPathProblems(target));
}

/** The path of a file in a volume, as its user names it. */
export function validateLocalNonReservedPath(target: string, path: FieldPath): FieldError[] {
  return problemsAt(path, target, filePathProblems(target));
}
