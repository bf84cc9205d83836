import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { MatchResources, NamedRuleWithOperations } from "../../gen/admissionregistration-v1.js";
import { admissionregistrationV1Types } from "../v1/types.js";
import { validateRule } from "../validation.js";

const namedRules = fieldRules<NamedRuleWithOperations>(
  admissionregistrationV1Types,
  "NamedRuleWithOperations",
);
const matchRules = fieldRules<MatchResources>(admissionregistrationV1Types, "MatchResources");

/** The requests that a policy or a binding applies to. */
export function validateMatchResources(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return [];
  const errors = matchRules.check(match, path, "matchPolicy");
  for (const field of ["namespaceSelector", "objectSelector"] as const) {
    append(errors, matchRules.check(match, path, field));
    const selector = match[field];
    // Before 1.29, Kubernetes gives the second selector the first one's name.
    const name = field === "objectSelector" && !hasErrorTextsOf(29) ? "labelSelector" : field;
    if (selector !== undefined) append(errors, validateLabelSelector(selector, path.child(name), true));
  }
  for (const field of ["resourceRules", "excludeResourceRules"] as const) {
    for (const [index, rule] of (match[field] ?? []).entries()) {
      const at = path.child(field).index(index);
      append(errors, namedRules.check(rule, at, "resourceNames"));
      append(errors, validateRule(rule, at));
    }
  }
  return errors;
}
