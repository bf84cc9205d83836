import { append } from "../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  FieldPath,
  hasErrors,
  invalid,
  notSupported,
  required,
} from "../../apimachinery/errors/field-error.js";
import { printStruct } from "../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../apimachinery/validation/errors-of-each.js";
import { checksSelectorValues, validateLabelSelector } from "../../apimachinery/validation/label-selector.js";
import {
  isValidPathSegmentName,
  type NameValidator,
  validateServiceAccountName,
} from "../../apimachinery/validation/object-name.js";
import { fieldRules } from "../definition/field-rules.js";
import type { AggregationRule, ClusterRole, PolicyRule, Role, RoleRef, Subject } from "../gen/rbac-v1.js";
import type { Binding } from "./binding-defaults.js";
import { rbacV1Types } from "./v1/types.js";

const aggregationRules = fieldRules<AggregationRule>(rbacV1Types, "AggregationRule");
const policyRules = fieldRules<PolicyRule>(rbacV1Types, "PolicyRule");
const roleRefRules = fieldRules<RoleRef>(rbacV1Types, "RoleRef");
const subjectRules = fieldRules<Subject>(rbacV1Types, "Subject");

/** Any name that is a valid path segment is allowed (`system:node`). */
export const roleNameProblems: NameValidator = (name) => isValidPathSegmentName(name);

export function validateRole(role: Role): FieldError[] {
  return errorsOfEach(role.rules, (rule, index) =>
    validatePolicyRule(rule, true, FieldPath.of("rules").index(index)),
  );
}

export function validateClusterRole(role: ClusterRole, level: ApiLevel, old?: ClusterRole): FieldError[] {
  const errors = errorsOfEach(role.rules, (rule, index) =>
    validatePolicyRule(rule, false, FieldPath.of("rules").index(index)),
  );
  if (role.aggregationRule === undefined) return errors;
  const path = FieldPath.of("aggregationRule", "clusterRoleSelectors");
  const checksValues = checksSelectorValues(level, old?.aggregationRule?.clusterRoleSelectors);
  append(
    errors,
    aggregationRules.check(role.aggregationRule, FieldPath.of("aggregationRule"), "clusterRoleSelectors"),
  );
  append(
    errors,
    errorsOfEach(role.aggregationRule.clusterRoleSelectors, (selector, index) => {
      const problems = validateLabelSelector(selector, path.index(index), checksValues);
      // An invalid selector is reported a second time, without its value; so is one with invalid values.
      const isValid = !hasErrors(() => validateLabelSelector(selector, path.index(index), true));
      return isValid
        ? problems
        : [...problems, invalid(path.index(index), undefined, "invalid label selector.")];
    }),
  );
  return errors;
}

function validatePolicyRule(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const errors = policyRules.check(rule, path, "verbs");
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (nonResourceURLs.length > 0) {
    const urls = path.child("nonResourceURLs");
    if (namespaced) {
      errors.push(invalid(urls, nonResourceURLs, "namespaced rules cannot apply to non-resource URLs"));
    }
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      errors.push(
        invalid(urls, nonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs"),
      );
    }
    return errors;
  }
  return [...errors, ...policyRules.check(rule, path, "apiGroups", "resources")];
}

export interface BindingRules {
  /** The API group of roles, users and groups. */
  readonly group: string;
  readonly roleKinds: readonly string[];
  readonly namespaced: boolean;
}

export function validateBinding(binding: Binding, rules: BindingRules): FieldError[] {
  const errors: FieldError[] = [];
  const { roleRef } = binding;
  const path = FieldPath.of("roleRef");
  if (roleRef.apiGroup !== rules.group) {
    errors.push(notSupported(path.child("apiGroup"), roleRef.apiGroup, [rules.group]));
  }
  if (!rules.roleKinds.includes(roleRef.kind)) {
    errors.push(notSupported(path.child("kind"), roleRef.kind, rules.roleKinds));
  }
  append(errors, roleRefRules.check(roleRef, path, "name"));
  append(
    errors,
    errorsOfEach(binding.subjects, (subject, index) =>
      validateSubject(subject, rules, FieldPath.of("subjects").index(index)),
    ),
  );
  return errors;
}

/**
 * A binding's role is immutable: another role needs another binding. Before 1.35, Kubernetes validates an updated object twice and
 * reports every error twice.
 */
export function validateBindingUpdate(binding: Binding, old: Binding, rules: BindingRules): FieldError[] {
  const errors = validateBinding(binding, rules);
  if (!hasErrorTextsOf(35)) append(errors, validateBinding(binding, rules));
  const { apiGroup, kind, name } = binding.roleRef;
  if (apiGroup !== old.roleRef.apiGroup || kind !== old.roleRef.kind || name !== old.roleRef.name) {
    errors.push(invalid(FieldPath.of("roleRef"), printRoleRef(binding.roleRef), "cannot change roleRef"));
  }
  return errors;
}

function printRoleRef(ref: RoleRef): PrintedValue {
  return printStruct("rbac.RoleRef", { APIGroup: ref.apiGroup, Kind: ref.kind, Name: ref.name });
}

function validateSubject(subject: Subject, rules: BindingRules, path: FieldPath): FieldError[] {
  const errors = subjectRules.check(subject, path, "name");
  const { kind, name, apiGroup = "", namespace = "" } = subject;
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") {
        for (const problem of validateServiceAccountName(name, false)) {
          errors.push(invalid(path.child("name"), name, problem));
        }
      }
      if (apiGroup !== "") errors.push(notSupported(path.child("apiGroup"), apiGroup, [""]));
      if (!rules.namespaced && namespace === "") errors.push(required(path.child("namespace"), ""));
      return errors;
    case "User":
    case "Group":
      if (apiGroup !== rules.group) {
        errors.push(notSupported(path.child("apiGroup"), apiGroup, [rules.group]));
      }
      return errors;
    default:
      return [...errors, ...subjectRules.check(subject, path, "kind")];
  }
}
