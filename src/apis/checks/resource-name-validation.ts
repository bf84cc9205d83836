import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { isQualifiedName } from "../../apimachinery/validation/qualified-name.js";
import type { Naming } from "../../naming/naming.js";
import {
  isExtendedResource,
  isNativeResource,
  isStandardContainerResource,
  isStandardResource,
} from "./resource-names.js";
import { problemsAt } from "./value-checks.js";

/** Names allowed in any resource list. */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = problemsAt(path, name, isQualifiedName(name));
  if (errors.length > 0 || name.includes("/") || isStandardResource(name)) return errors;
  return [invalid(path, name, "must be a standard resource type or fully qualified")];
}

/** Names allowed in requests and limits of containers. */
export function validateContainerResourceName(name: string, path: FieldPath, naming: Naming): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/")) {
    if (!isStandardContainerResource(name)) {
      errors.push(invalid(path, name, "must be a standard resource for containers"));
    }
  } else if (!isNativeResource(name, naming) && !isExtendedResource(name, naming)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}
