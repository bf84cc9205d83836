import { type FieldError, type FieldPath, invalid, tooLong } from "../errors/field-error.js";
import { errorsOfEach } from "./errors-of-each.js";
import { byteLength } from "./messages.js";
import { isQualifiedName, isValidLabelValue } from "./qualified-name.js";

/** Limit of one object's annotation keys and values together. */
export const annotationsBytesMax = 256 * 1024;

type StringMap = Readonly<Record<string, string>> | undefined;

export function validateLabelName(name: string, path: FieldPath): FieldError[] {
  return isQualifiedName(name).map((problem) => invalid(path, name, problem));
}

export function validateLabels(labels: StringMap, path: FieldPath): FieldError[] {
  if (labels === undefined) return [];
  return errorsOfEach(Object.keys(labels), (key) => {
    const value = labels[key] ?? "";
    const keyProblems = isQualifiedName(key);
    const valueProblems = isValidLabelValue(value);
    if (keyProblems.length === 0 && valueProblems.length === 0) return [];
    return [
      ...keyProblems.map((problem) => invalid(path, key, problem)),
      ...valueProblems.map((problem) => invalid(path, value, problem)),
    ];
  });
}

/** Keys are qualified names; case is ignored. */
export function validateAnnotations(annotations: StringMap, path: FieldPath): FieldError[] {
  if (annotations === undefined) return [];
  const errors = errorsOfEach(Object.keys(annotations), (key) =>
    isQualifiedName(key.toLowerCase()).map((problem) => invalid(path, key, problem)),
  );
  if (annotationsBytes(annotations) > annotationsBytesMax) errors.push(tooLong(path, annotationsBytesMax));
  return errors;
}

export function annotationsBytes(annotations: StringMap): number {
  let bytes = 0;
  for (const key in annotations) bytes += byteLength(key) + byteLength(annotations[key] ?? "");
  return bytes;
}
