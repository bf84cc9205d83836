import { hasWordsOf } from "../errors/error-words.js";
import {
  duplicate,
  duplicateUnprinted,
  type FieldError,
  type FieldErrorType,
  FieldPath,
  forbidden,
  invalid,
  invalidUnprinted,
  required,
} from "../errors/field-error.js";
import type { JsonValue } from "../json/json-value.js";

/** `fieldPath` is `.spec.ports` or `.spec['a b']`; the definition's validation has checked it. */
export function placeOf(at: FieldPath | undefined, fieldPath: string): FieldPath | undefined {
  let place = at;
  for (const [, name, quoted, index] of fieldPath.matchAll(/\.([^.[\]]+)|\['([^']*)'\]|\[(\d+)\]/g)) {
    if (index !== undefined) place = (place ?? FieldPath.of("")).index(Number(index));
    else if (quoted !== undefined) place = place === undefined ? FieldPath.of(quoted) : place.key(quoted);
    else if (name !== undefined) place = place === undefined ? FieldPath.of(name) : place.child(name);
  }
  return place;
}

interface Broken {
  readonly value: JsonValue;
  readonly typeName: string;
  readonly why: string;
}

/** Since 1.35 the error shows the value, unless it is an object or a list. */
export function brokenRule(at: FieldPath | undefined, type: FieldErrorType, broken: Broken): FieldError {
  const { value, typeName, why } = broken;
  if (!hasWordsOf(35)) return typedError(at, type, typeName, why);
  const place = at ?? FieldPath.of("<nil>");
  const isShown = typeof value !== "object";
  switch (type) {
    case "FieldValueForbidden":
      return forbidden(place, why);
    case "FieldValueRequired":
      return required(place, why);
    case "FieldValueDuplicate":
      return isShown ? duplicate(place, value) : duplicateUnprinted(place);
    default:
      return isShown ? invalid(place, value, why) : invalidUnprinted(place, why);
  }
}

/** The error names the type, because the value may be as large as the object. */
export function typedError(
  at: FieldPath | undefined,
  type: FieldErrorType,
  typeName: string,
  why: string,
): FieldError {
  const heads: Partial<Record<FieldErrorType, string>> = {
    FieldValueForbidden: "Forbidden",
    FieldValueRequired: "Required value",
    FieldValueDuplicate: `Duplicate value: "${typeName}"`,
  };
  const head = heads[type] ?? `Invalid value: "${typeName}"`;
  const body = type === "FieldValueDuplicate" ? head : `${head}: ${why}`;
  return { type, field: at === undefined ? "<nil>" : String(at), body };
}
