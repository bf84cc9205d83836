import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { isDns1123Label, isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { nameIsDnsSubdomain } from "../../apimachinery/validation/object-name.js";

/** One error for each message. */
export function problemsAt(path: FieldPath, value: unknown, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalid(path, value, problem));
}

export function validateDnsLabel(value: string, path: FieldPath): FieldError[] {
  return problemsAt(path, value, isDns1123Label(value));
}

export function validateDnsSubdomain(value: string, path: FieldPath): FieldError[] {
  return problemsAt(path, value, isDns1123Subdomain(value));
}

/** The name of a referenced object. `isPrefix` as in `NameValidator`. */
export function validateObjectName(name: string, path: FieldPath, isPrefix = false): FieldError[] {
  return problemsAt(path, name, nameIsDnsSubdomain(name, isPrefix));
}
