import { hasErrorTextsOf } from "../errors/error-texts.js";
import { floatText } from "../errors/go-number.js";
import type { JsonValue } from "../json/json-value.js";
import { isInFormatRange, isNumberFormat, isOfFormat } from "../validation/formats.js";
import type { StructuralSchema } from "./structural-schema.js";
import {
  fieldOf,
  invalidValue,
  type Place,
  type Problem,
  pathOf,
  problem,
  type Result,
  shownValue,
  tooLong,
  wrongType,
} from "./value-problem.js";
import type { ValueSet } from "./value-set.js";
import { isInteger } from "./value-type.js";

export function checkString(
  value: string,
  schema: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  const { maxLength, minLength, pattern, format } = schema;
  if (maxLength !== undefined && value.length > maxLength && lengthOf(value) > maxLength) {
    result.add(() => tooLong(at, value, maxLength));
  } else if (minLength !== undefined && (value.length < minLength || lengthOf(value) < minLength)) {
    result.add(() => invalidValue(at, value, `should be at least ${minLength} chars long`));
  } else if (pattern?.isBeyond(value) === true) {
    result.add(() => invalidValue(at, value, `is too long to be matched against '${pattern.text}'`));
  } else if (pattern !== undefined && !pattern.matches(value)) {
    result.add(() => invalidValue(at, value, `should match '${pattern.text}'`));
  }
  if (format !== "" && !isOfFormat(value, format)) {
    result.add(() => wrongType(at, value, format));
  }
}

/** In Unicode code points. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00)
      length--;
  }
  return length;
}

export function checkNumber(
  value: number | bigint,
  schema: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  const { type = "", format, multipleOf, exclusiveMaximum, exclusiveMinimum } = schema;
  const whole = isInteger(value);
  const isFraction = type === "integer" && !whole && hasErrorTextsOf(36);
  if (isFraction || (format !== "" && !isInFormatRange(value, type, format))) {
    const how = isNumberFormat(format) ? `with format ${format}` : "(default format)";
    // Kubernetes reports this error without a field.
    const why = `Checked value must be of type ${type} ${how} in ${pathOf(at)}`;
    result.add(() => problem(undefined, 'Invalid value: ""', why));
  }
  // Kubernetes compares integers with the whole part of a limit.
  const limitOf = (limit: number | undefined): number | undefined =>
    whole && limit !== undefined ? Math.trunc(limit) : limit;
  const print = (limit: number): string => (whole ? String(limit) : floatText(limit));
  if (multipleOf !== undefined && !isFactor(multipleOf, whole)) {
    const shown = print(whole ? Math.trunc(multipleOf) : multipleOf);
    const why = `factor MultipleOf declared for ${pathOf(at)} must be positive: ${shown}`;
    result.add(() => problem(at, `Invalid value: ${shown}`, why));
  } else if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    result.add(() => invalidValue(at, value, `should be a multiple of ${floatText(multipleOf)}`));
  }
  const maximum = limitOf(schema.maximum);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    const words = exclusiveMaximum ? "should be less than" : "should be less than or equal to";
    result.add(() => invalidValue(at, value, `${words} ${print(maximum)}`));
  }
  const minimum = limitOf(schema.minimum);
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    const words = exclusiveMinimum ? "should be greater than" : "should be greater than or equal to";
    result.add(() => invalidValue(at, value, `${words} ${print(minimum)}`));
  }
}

/** Before 1.27, a factor of 0 crashed the check of an integer in Kubernetes. */
function isFactor(factor: number, whole: boolean): boolean {
  return factor > 0 || (factor === 0 && !whole && !hasErrorTextsOf(27));
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (isInteger(value) && Number.isSafeInteger(factor) && factor !== 0)
    return typeof value === "bigint" ? value % BigInt(factor) === 0n : value % factor === 0;
  const quotient = Number(value) / factor;
  if (Math.abs(quotient) > Number.MAX_SAFE_INTEGER) return false;
  // Decimal fractions are inexact in binary: 0.3 must count as a multiple of 0.1.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

export function checkEnum(
  value: JsonValue,
  schema: StructuralSchema,
  at: Place | undefined,
  result: Result,
): void {
  const allowed = schema.enum;
  if (allowed === undefined || allowed.has(value)) return;
  result.add(() => enumProblem(value, allowed, fieldOf(at)));
}

function enumProblem(value: JsonValue, { text }: ValueSet, field: string): Problem {
  const body = `Unsupported value: ${shownValue(value)}: supported values: ${text}`;
  return {
    // Long lists that differ nearly always differ in length or in their first characters.
    key: `enum ${field} ${text.length} ${text.slice(0, 1000)}`,
    // Since 1.29, rules do not run on a value outside its enum, because the longest enum value bounds their cost.
    error: { type: "FieldValueNotSupported", field, body, breaksDeclaration: hasErrorTextsOf(29) },
  };
}
