import { type FieldError, type FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";

/** Quantities must not be negative. */
export function validateBasicAmount(amount: string, path: FieldPath): FieldError[] {
  const whole = Quantity.parse(amount).value();
  return whole < 0n ? [invalid(path, whole, "must be a valid resource quantity")] : [];
}

export function validatePositiveAmount(amount: string, path: FieldPath): FieldError[] {
  return Quantity.parse(amount).sign() > 0 ? [] : [invalid(path, amount, "must be greater than zero")];
}
