import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { isNegativeMessage } from "../../../apimachinery/validation/values.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { int64Max } from "../../../apimachinery/values/scaled-integers.js";
import { validateSet } from "../../checks/lists.js";
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from "../../gen/resource-v1.js";

const validValuesMax = 10;

/** Only a device that several claims may share has a request policy. */
export function validateCapacity(
  { value, requestPolicy }: DeviceCapacity,
  path: FieldPath,
  isShared: boolean,
  level: ApiLevel,
): FieldError[] {
  if (requestPolicy === undefined) return [];
  const at = path.child("requestPolicy");
  if (!isShared) return [forbidden(at, "allowMultipleAllocations must be true")];
  return validatePolicy(Quantity.parse(value), requestPolicy, at, level);
}

function validatePolicy(
  capacity: Quantity,
  { default: given, validValues = [], validRange }: CapacityRequestPolicy,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  if (validValues.length > 0 && validRange !== undefined) {
    const both =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbidden(path, both)];
  }
  const field = validValues.length > 0 ? "validValues" : validRange === undefined ? undefined : "validRange";
  if (field === undefined) return [];
  if (given === undefined) return [required(path.child("default"), `required when ${field} is defined`)];
  const preset = Quantity.parse(given);
  const at = path.child(field);
  return validRange === undefined
    ? validateValues(preset, capacity, validValues.map(Quantity.parse), at, level)
    : validateRange(preset, capacity, validRange, at);
}

function validateValues(
  preset: Quantity,
  capacity: Quantity,
  values: readonly Quantity[],
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, value] of values.entries()) {
    const previous = values[index - 1];
    if (previous === undefined || previous.compare(value) <= 0) continue;
    errors.push(invalid(path.index(index), `${value}`, "values must be sorted in ascending order"));
  }
  const listErrors = validateSet(values, path, validValuesMax, {
    level,
    key: { of: (value) => `${value.value()}` },
    validate: (value, at) =>
      value.compare(capacity) > 0
        ? [invalid(at, `${value}`, `option is larger than capacity value: ${capacity}`)]
        : [],
  });
  errors.push(...listErrors);
  const isLooked = values.length <= validValuesMax;
  if (!isLooked || !values.some((value) => value.compare(preset) === 0)) {
    errors.push(invalid(path, `${preset}`, "default value is not valid according to the requestPolicy"));
  }
  return errors;
}

function validateRange(
  preset: Quantity,
  capacity: Quantity,
  range: CapacityRequestPolicyRange,
  path: FieldPath,
): FieldError[] {
  if (range.min === undefined) return [required(path.child("min"), "required when validRange is defined")];
  const min = Quantity.parse(range.min);
  const max = range.max === undefined ? undefined : Quantity.parse(range.max);
  const errors: FieldError[] = [];
  const refuse = (field: string, value: Quantity, why: string): void => {
    errors.push(invalid(path.child(field), `${value}`, why));
  };
  if (min.compare(capacity) > 0) refuse("min", min, `min is larger than capacity value: ${capacity}`);
  if (preset.compare(min) < 0) refuse("min", preset, `default is less than min: ${min}`);
  if (max !== undefined) {
    if (min.compare(max) > 0) refuse("max", min, `min is larger than max: ${max}`);
    if (max.compare(capacity) > 0) refuse("max", max, `max is larger than capacity value: ${capacity}`);
    if (preset.compare(max) > 0) refuse("max", preset, `default is more than max: ${max}`);
  }
  if (range.step === undefined) return errors;
  const step = Quantity.parse(range.step);
  if (step.sign() <= 0) {
    refuse("step", step, "must be greater than zero");
    return errors;
  }
  const first = min.add(step);
  if (first.compare(capacity) > 0) {
    refuse("step", step, `one step ${first} is larger than capacity value: ${capacity}`);
  }
  const steps = { default: preset, min, ...(max && { max }), step };
  const outside = Object.entries(steps).flatMap(([field, value]) => errorsOfInt64(value, path.child(field)));
  if (outside.length > 0) return [...errors, ...outside];
  for (const value of max === undefined ? [preset] : [preset, max]) {
    if ((value.value() - min.value()) % step.value() === 0n) continue;
    refuse("step", value, `value is not a multiple of a given step (${step}) from (${min})`);
  }
  return errors;
}

/** Steps are counted in 64 bits. */
function errorsOfInt64(value: Quantity, path: FieldPath): FieldError[] {
  if (value.sign() < 0) return [invalid(path, `${value}`, isNegativeMessage)];
  return value.value() > int64Max ? [invalid(path, `${value}`, `must not be larger than ${int64Max}`)] : [];
}
