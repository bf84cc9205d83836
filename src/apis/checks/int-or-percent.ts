import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { isValidPercent } from "../../apimachinery/validation/identifiers.js";
import { validateNonnegative } from "../../apimachinery/validation/values.js";
import { printIntOrString } from "./printed-values.js";

export type IntOrPercent = number | string;

export function validatePositiveIntOrPercent(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === "number") return validateNonnegative(value, path);
  return isValidPercent(value).map((problem) => invalid(path, printIntOrString(value), problem));
}

export function validateAtMost100Percent(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === "number" || isValidPercent(value).length > 0 || Number.parseInt(value, 10) <= 100)
    return [];
  return [invalid(path, printIntOrString(value), "must not be greater than 100%")];
}

/** The number, or the number before the percent sign. Other text counts as zero. */
export function magnitudeOf(value: IntOrPercent | undefined): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  return /^([+-]?\d+|\d+%)$/.test(value) ? Number.parseInt(value, 10) : 0;
}
