import { isDeepEqual } from "../collections/deep-equal.js";
import { type FieldError, type FieldPath, invalid } from "../errors/field-error.js";

export const isNegativeMessage = "must be greater than or equal to 0";
export const immutableMessage = "field is immutable";

export function validateNonnegative(value: number | bigint, path: FieldPath): FieldError[] {
  return value < 0 ? [invalid(path, value, isNegativeMessage)] : [];
}

/** For two decoded objects in canonical form. `print` formats the new value. */
export function validateImmutable<T>(
  newValue: T,
  oldValue: T,
  path: FieldPath,
  print: (value: T) => unknown = (value) => value,
): FieldError[] {
  return isDeepEqual(newValue, oldValue) ? [] : [invalid(path, print(newValue), immutableMessage)];
}
