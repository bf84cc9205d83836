import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { PrintedValue, quotedShortened } from "../../apimachinery/errors/printed-value.js";
import { isQualifiedName } from "../../apimachinery/validation/qualified-name.js";
import type { Naming } from "../../naming/naming.js";
import {
  isExtendedResource,
  isNativeResource,
  isStandardContainerResource,
  isStandardResource,
} from "./resource-names.js";
import { problemsAt } from "./value-checks.js";

/** The name of a resource in an error. From 1.29 on, while structures are in Go's notation, it has no quotes. */
export function printResourceName(name: string): PrintedValue {
  const quoted = (): string => quotedShortened(name);
  return new PrintedValue(hasErrorTextsOf(29) ? name : quoted, quoted);
}

/** Names allowed in any resource list. */
export function validateResourceName(
  name: string,
  path: FieldPath,
  printUnqualified: (name: string) => unknown = printResourceName,
): FieldError[] {
  const errors = problemsAt(path, printUnqualified(name), isQualifiedName(name));
  if (errors.length > 0 || name.includes("/") || isStandardResource(name)) return errors;
  return [invalid(path, printResourceName(name), "must be a standard resource type or fully qualified")];
}

/** Names allowed in requests and limits of containers. `printUnqualified`: how errors show a name that is not a qualified one. */
export function validateContainerResourceName(
  name: string,
  path: FieldPath,
  naming: Naming,
  printUnqualified?: (name: string) => unknown,
): FieldError[] {
  const errors = validateResourceName(name, path, printUnqualified);
  if (!name.includes("/")) {
    if (!isStandardContainerResource(name)) {
      errors.push(invalid(path, printResourceName(name), "must be a standard resource for containers"));
    }
  } else if (!isNativeResource(name, naming) && !isExtendedResource(name, naming)) {
    errors.push(invalid(path, printResourceName(name), "doesn't follow extended resource name standard"));
  }
  return errors;
}
