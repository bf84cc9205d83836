import { hasErrorTextsOf } from "../errors/error-texts.js";
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
import type { StructuralSchema } from "./structural-schema.js";

/** `fieldPath` is `.spec.ports` or `.spec['a b']`, below a value of the schema; the definition's validation has checked it. */
export function placeOf(
  at: FieldPath | undefined,
  fieldPath: string,
  schema: StructuralSchema,
): FieldPath | undefined {
  let place = at;
  let parent: StructuralSchema | undefined = schema;
  for (const [, plain, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    const name = plain ?? quoted?.replace(/\\([\\'])/g, "$1") ?? "";
    if (parent !== undefined && parent.properties.size === 0) {
      place = (place ?? FieldPath.of("")).key(name);
      parent = typeof parent.additional === "object" ? parent.additional : undefined;
    } else {
      place = place === undefined ? FieldPath.of(name) : place.child(name);
      parent = parent?.properties.get(name);
    }
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
  if (!hasErrorTextsOf(35)) return typedError(at, type, typeName, why);
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
