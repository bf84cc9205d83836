import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { isValidPathSegmentName } from "../../../apimachinery/validation/object-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { MatchResources, NamedRuleWithOperations } from "../../gen/admissionregistration-v1.js";
import { admissionregistrationV1Types } from "../v1/types.js";
import { validateRule } from "../validation.js";

const matchRules = fieldRules<MatchResources>(admissionregistrationV1Types, "MatchResources");

/** Which requests a policy or a binding is about. */
export function validateMatchResources(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return [];
  const errors = matchRules.check(match, path, "matchPolicy");
  for (const field of ["namespaceSelector", "objectSelector"] as const) {
    append(errors, matchRules.check(match, path, field));
    const selector = match[field];
    if (selector !== undefined) append(errors, validateLabelSelector(selector, path.child(field), true));
  }
  for (const field of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [index, rule] of (match[field] ?? []).entries()) {
      append(errors, validateNamedRule(rule, path.child(field).index(index)));
    }
  }
  return errors;
}

function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, name] of (rule.resourceNames ?? []).entries()) {
    const at = path.child("resourceNames").index(index);
    for (const problem of isValidPathSegmentName(name)) errors.push(invalid(at, name, problem));
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
  return [...errors, ...validateRule(rule, path)];
}
