import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import {
  validateNamespaceName,
  validateServiceAccountName,
} from "../../../apimachinery/validation/object-name.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  FlowDistinguisherMethod,
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfigurationReference,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
  UserSubject,
} from "../../gen/flowcontrol-v1.js";
import { validateConditions } from "../conditions.js";
import { mandatoryFlowSchemas } from "../mandatory.js";
import { flowcontrolV1Types } from "../v1/types.js";

const urlRules = fieldRules<NonResourcePolicyRule>(flowcontrolV1Types, "NonResourcePolicyRule");

const levelRules = fieldRules<PriorityLevelConfigurationReference>(
  flowcontrolV1Types,
  "PriorityLevelConfigurationReference",
);
const userRules = fieldRules<UserSubject>(flowcontrolV1Types, "UserSubject");
const accountRules = fieldRules<ServiceAccountSubject>(flowcontrolV1Types, "ServiceAccountSubject");
const resourceRules = fieldRules<ResourcePolicyRule>(flowcontrolV1Types, "ResourcePolicyRule");

const specRules = fieldRules<FlowSchemaSpec>(flowcontrolV1Types, "FlowSchemaSpec");
const distinguisherRules = fieldRules<FlowDistinguisherMethod>(flowcontrolV1Types, "FlowDistinguisherMethod");
const subjectRules = fieldRules<Subject>(flowcontrolV1Types, "Subject");
const policyRules = fieldRules<PolicyRulesWithSubjects>(flowcontrolV1Types, "PolicyRulesWithSubjects");
const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

export function validateFlowSchema({ metadata, spec, status }: FlowSchema): FieldError[] {
  const { name = "" } = metadata;
  const path = FieldPath.of("spec");
  const errors = validateSpec(spec, name, path);
  const mandatory = mandatoryFlowSchemas.get(name);
  if (mandatory !== undefined && !isDeepEqual(spec, mandatory)) {
    errors.push(invalid(path, spec, `spec of '${name}' must equal the fixed value`));
  }
  return [...errors, ...validateConditions(status.conditions)];
}

function validateSpec(spec: FlowSchemaSpec, name: string, path: FieldPath): FieldError[] {
  const { matchingPrecedence: precedence, distinguisherMethod } = spec;
  const errors = specRules.check(spec, path, "matchingPrecedence");
  if (precedence === 1 && name !== "exempt") {
    const why = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.push(invalid(path.child("matchingPrecedence"), precedence, why));
  }
  const distinguishers = distinguisherRules.supported("type");
  if (distinguisherMethod !== undefined && !distinguishers.includes(distinguisherMethod.type)) {
    const printed = printStruct("flowcontrol.FlowDistinguisherMethod", { Type: distinguisherMethod.type });
    errors.push(notSupported(path.child("distinguisherMethod", "type"), printed, distinguishers));
  }
  const levelPath = path.child("priorityLevelConfiguration");
  append(errors, levelRules.check(spec.priorityLevelConfiguration, levelPath, "name"));
  append(
    errors,
    errorsOfEach(spec.rules, (rule, index) => validateRules(rule, path.child("rules").index(index))),
  );
  return errors;
}

function validateRules(rule: PolicyRulesWithSubjects, path: FieldPath): FieldError[] {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rule;
  const errors = errorsOfEach(subjects, (subject, index) =>
    validateSubject(subject, path.child("subjects").index(index)),
  );
  append(errors, policyRules.check(rule, path, "subjects"));
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    const why = "at least one of resourceRules and nonResourceRules has to be non-empty";
    errors.push(required(path, why));
  }
  return [
    ...errors,
    ...errorsOfEach(resourceRules, (resourceRule, index) =>
      validateResourceRule(resourceRule, path.child("resourceRules").index(index)),
    ),
    ...errorsOfEach(nonResourceRules, (nonResourceRule, index) =>
      validateNonResourceRule(nonResourceRule, path.child("nonResourceRules").index(index)),
    ),
  ];
}

/** The member for each subject kind, in the order in which Kubernetes refuses the others. */
const memberOfKind = { ServiceAccount: "serviceAccount", User: "user", Group: "group" } as const;

function validateSubject(subject: Subject, path: FieldPath): FieldError[] {
  const { kind, user, group, serviceAccount } = subject;
  const errors: FieldError[] = [];
  switch (kind) {
    case "ServiceAccount":
      append(errors, validateServiceAccount(serviceAccount, path.child("serviceAccount")));
      break;
    case "User":
      append(errors, validateNamed(user, kind, path.child("user")));
      break;
    case "Group":
      append(errors, validateNamed(group, kind, path.child("group")));
      break;
    default:
      return subjectRules.check(subject, path, "kind");
  }
  for (const [other, member] of Object.entries(memberOfKind)) {
    if (other === kind || subject[member] === undefined) continue;
    errors.push(forbidden(path.child(member), `${member} is forbidden when subject kind is not '${other}'`));
  }
  return errors;
}

function validateNamed(
  subject: { readonly name: string } | undefined,
  kind: "User" | "Group",
  path: FieldPath,
): FieldError[] {
  if (subject === undefined) {
    return [required(path, `${kind.toLowerCase()} is required when subject kind is '${kind}'`)];
  }
  return userRules.check(subject, path, "name");
}

function validateServiceAccount(subject: ServiceAccountSubject | undefined, path: FieldPath): FieldError[] {
  if (subject === undefined) {
    return [required(path, "serviceAccount is required when subject kind is 'ServiceAccount'")];
  }
  const { name } = subject;
  const errors = accountRules.check(subject, path, "name");
  if (name !== "" && name !== "*") {
    append(errors, problemsAt(path.child("name"), name, validateServiceAccountName(name, false)));
  }
  return [...errors, ...accountRules.check(subject, path, "namespace")];
}

function validateResourceRule(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  const { namespaces = [], clusterScope = false } = rule;
  const errors = validateVerbs(rule.verbs ?? [], path.child("verbs"));
  append(errors, resourceRules.check(rule, path, "apiGroups", "resources"));
  const namespacesPath = path.child("namespaces");
  if (namespaces.length === 0 && !clusterScope) {
    const why = "resource rules that are not cluster scoped must supply at least one namespace";
    errors.push(required(namespacesPath, why));
  } else if (namespaces.includes("*")) {
    append(errors, lonelyWildcard(namespaces, "namespaces", namespacesPath));
  } else {
    for (const [index, namespace] of namespaces.entries()) {
      for (const problem of validateNamespaceName(namespace, false)) {
        const why = `each member of this list must be '*' or a DNS-1123 label; ${problem}`;
        errors.push(invalid(namespacesPath.index(index), namespace, why));
      }
    }
  }
  return errors;
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: FieldPath): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const errors = validateVerbs(rule.verbs ?? [], path.child("verbs"));
  const urlsPath = path.child("nonResourceURLs");
  append(errors, urlRules.check(rule, path, "nonResourceURLs"));
  if (urls.includes("*")) {
    append(errors, lonelyWildcard(urls, "non-resource URLs", urlsPath));
  } else {
    for (const [index, url] of urls.entries()) {
      const problem = urlProblem(url);
      if (problem !== undefined) errors.push(invalid(urlsPath.index(index), url, problem));
    }
  }
  return errors;
}

function validateVerbs(given: readonly string[], path: FieldPath): FieldError[] {
  if (given.length === 0) return resourceRules.checkValue("verbs", given, path);
  if (given.includes("*")) return lonelyWildcard(given, "verbs", path);
  return given.every((verb) => verbs.includes(verb)) ? [] : [notSupported(path, given, verbs)];
}

function lonelyWildcard(items: readonly string[], what: string, path: FieldPath): FieldError[] {
  if (items.length === 1 || !items.includes("*")) return [];
  return [invalid(path, items, `if '*' is present, must not specify other ${what}`)];
}

function urlProblem(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const wildcard = url.indexOf("*");
  const isSuffix = wildcard === url.length - 1 && url.endsWith("/*");
  return wildcard < 0 || isSuffix ? undefined : "wildcard can only do suffix matching";
}
