import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { isValidPathSegmentName } from "../../../apimachinery/validation/object-name.js";
import type { MatchResources, NamedRuleWithOperations } from "../../gen/admissionregistration-v1.js";
import { validateRule } from "../validation.js";

const matchPolicies = ["Equivalent", "Exact"];

/** Which requests a policy or a binding is about. */
export function validateMatchResources(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return [];
  const { matchPolicy, namespaceSelector, objectSelector } = match;
  const errors: FieldError[] = [];
  if (matchPolicy === undefined) errors.push(required(path.child("matchPolicy"), ""));
  else if (!matchPolicies.includes(matchPolicy)) {
    errors.push(notSupported(path.child("matchPolicy"), matchPolicy, matchPolicies));
  }
  for (const [field, selector] of Object.entries({ namespaceSelector, objectSelector })) {
    if (selector === undefined) errors.push(required(path.child(field), ""));
    else append(errors, validateLabelSelector(selector, path.child(field)));
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
