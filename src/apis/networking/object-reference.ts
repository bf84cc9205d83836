import {
  type FieldError,
  type FieldPath,
  hasWordsOf,
  invalid,
  required,
} from "../../apimachinery/errors/field-error.js";
import { isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { isValidPathSegmentName } from "../../apimachinery/validation/object-name.js";

/** The reference of a backend or an ingress class. */
export interface ObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

export function validateObjectReference(reference: ObjectReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { apiGroup } = reference;
  if (apiGroup !== undefined) {
    for (const problem of isDns1123Subdomain(apiGroup)) {
      errors.push(invalid(path.child("apiGroup"), apiGroup, problem));
    }
  }
  for (const field of ["kind", "name"] as const) {
    const value = reference[field];
    if (value === "") errors.push(required(path.child(field), hasWordsOf(34) ? "" : `${field} is required`));
    for (const problem of isValidPathSegmentName(value))
      errors.push(invalid(path.child(field), value, problem));
  }
  return errors;
}
