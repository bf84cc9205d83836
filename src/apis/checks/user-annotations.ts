import { append } from "../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooLong,
} from "../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../apimachinery/validation/errors-of-each.js";
import { annotationsBytes, annotationsBytesMax } from "../../apimachinery/validation/labels.js";
import { isQualifiedName } from "../../apimachinery/validation/qualified-name.js";

/** Annotations for the signer: keys such as `example.com/key` in upper or lower case, any values. */
export function validateUserAnnotations(
  annotations: { readonly [name: string]: string },
  path: FieldPath,
): FieldError[] {
  const errors = errorsOfEach(Object.keys(annotations), (key) => keyErrors(key.toLowerCase(), path));
  if (annotationsBytes(annotations) > annotationsBytesMax)
    append(errors, [tooLong(path, annotationsBytesMax)]);
  return errors;
}

function keyErrors(key: string, path: FieldPath): FieldError[] {
  if (key === "") return [required(path, "")];
  const problems = isQualifiedName(key);
  if (problems.length === 0 && !key.includes("/")) {
    problems.push('must be a domain-prefixed key (such as "acme.io/foo")');
  }
  return problems.map((problem) => invalid(path, key, problem));
}
