import { type FieldError, type FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import { isQualifiedName } from "../../apimachinery/validation/qualified-name.js";

/** Validates a provisioner or driver name; upper and lower case are the same. */
export function validateProvisioner(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path, "")];
  const lower = name.toLowerCase();
  return isQualifiedName(lower).map((problem) => invalid(path, lower, problem));
}
