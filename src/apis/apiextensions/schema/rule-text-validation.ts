import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { JSONSchemaProps, ValidationRule } from "../../gen/apiextensions-v1.js";
import { findField } from "./field-path.js";

/** Errors of a schema's rules except in their expressions, which are compiled elsewhere. */
export function ruleErrors(
  schema: JSONSchemaProps,
  rules: readonly ValidationRule[],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, rule] of rules.entries()) {
    const at = path.index(index);
    append(errors, textErrors(rule, at));
    append(errors, reasonErrors(rule, at.child("reason")));
    append(errors, fieldPathErrors(rule, schema, at.child("fieldPath")));
  }
  return errors;
}

const lineBreak = /[\n\r]/;

function textErrors(
  { rule, message = "", messageExpression = "" }: ValidationRule,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const [trimmedRule, trimmedMessage] = [rule.trim(), message.trim()];
  const messagePath = at.child("message");
  if (trimmedRule === "") {
    errors.push(required(at.child("rule"), "rule is not specified"));
  } else if (message !== "" && trimmedMessage === "") {
    errors.push(invalid(messagePath, message, about("message", "must be non-empty if specified")));
  } else if (lineBreak.test(trimmedMessage)) {
    errors.push(invalid(messagePath, message, about("message", "must not contain line breaks")));
  } else if (lineBreak.test(trimmedRule) && trimmedMessage === "") {
    errors.push(required(messagePath, "message must be specified if rule contains line breaks"));
  }
  if (messageExpression !== "" && messageExpression.trim() === "") {
    const why = "messageExpression must be non-empty if specified";
    errors.push(required(at.child("messageExpression"), why));
  }
  return errors;
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

function reasonErrors({ reason }: ValidationRule, path: FieldPath): FieldError[] {
  return reason === undefined || reasons.includes(reason) ? [] : [notSupported(path, reason, reasons)];
}

function fieldPathErrors(
  { fieldPath = "" }: ValidationRule,
  schema: JSONSchemaProps,
  path: FieldPath,
): FieldError[] {
  if (fieldPath === "") return [];
  const problems: string[] = [];
  if (fieldPath.trim() === "") problems.push("must be non-empty if specified");
  if (lineBreak.test(fieldPath)) problems.push("must not contain line breaks");
  if (findField(fieldPath, schema, { allowsKeys: true }).problem !== undefined) {
    problems.push("must be a valid path");
  }
  return problems.map((problem) => invalid(path, fieldPath, about("fieldPath", problem)));
}

/** Since 1.34, only the path of the error names the field. */
function about(field: string, problem: string): string {
  return hasErrorTextsOf(34) ? problem : `${field} ${problem}`;
}
