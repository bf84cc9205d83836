import { type FieldError, type FieldPath, invalid } from "../field-error.js";

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
  return semanticEqual(newValue, oldValue) ? [] : [invalid(path, print(newValue), immutableMessage)];
}

/**
 * Equality of decoded values: fields in any order; absent, null and an empty list are the same, because in
 * protobuf they are.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isUnset(a) || isUnset(b)) return isUnset(a) && isUnset(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    // An int64 is a bigint only where it does not fit a number; one field may hold both.
    return isInteger(a) && isInteger(b) ? BigInt(a) === BigInt(b) : false;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => semanticEqual(item, b[index]));
  }
  const left = new Map<string, unknown>(Object.entries(a));
  const right = new Map<string, unknown>(Object.entries(b));
  for (const [key, value] of left) {
    if (!semanticEqual(value, right.get(key))) return false;
  }
  for (const [key, value] of right) {
    if (!left.has(key) && !isUnset(value)) return false;
  }
  return true;
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}
