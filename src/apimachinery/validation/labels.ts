import { type FieldError, type FieldPath, invalid, tooLong } from "../field-error.js";
import { byteLength } from "./messages.js";
import { isQualifiedName, isValidLabelValue } from "./qualified-name.js";

/** Limit of one object's annotation keys and values together. */
export const annotationsBytesMax = 256 * 1024;

type StringMap = Readonly<Record<string, string>> | undefined;

export function validateLabelName(name: string, path: FieldPath): FieldError[] {
  return isQualifiedName(name).map((problem) => invalid(path, name, problem));
}

export function validateLabels(labels: StringMap, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    for (const problem of isQualifiedName(key)) errors.push(invalid(path, key, problem));
    const value = labels[key] ?? "";
    for (const problem of isValidLabelValue(value)) errors.push(invalid(path, value, problem));
  }
  return errors;
}

/** Keys are qualified names; case is ignored. */
export function validateAnnotations(annotations: StringMap, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in annotations) {
    for (const problem of isQualifiedName(key.toLowerCase())) errors.push(invalid(path, key, problem));
  }
  if (annotationsBytes(annotations) > annotationsBytesMax) errors.push(tooLong(path, annotationsBytesMax));
  return errors;
}

export function annotationsBytes(annotations: StringMap): number {
  let bytes = 0;
  for (const key in annotations) bytes += byteLength(key) + byteLength(annotations[key] ?? "");
  return bytes;
}
