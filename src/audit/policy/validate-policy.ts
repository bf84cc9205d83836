import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import type { AuditPolicy, GroupResources, PolicyRule } from "./policy.js";

const levels = ["None", "Metadata", "Request", "RequestResponse"];
const stages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];

/** Source: kube-apiserver 1.23, `apis/audit/validation`. */
export function validatePolicy({ omitStages, rules }: AuditPolicy, level: ApiLevel): FieldError[] {
  const path = FieldPath.of("rules");
  return [
    ...validateStages(omitStages, FieldPath.of("omitStages")),
    ...rules.flatMap((rule, index) => validateRule(rule, path.index(index), isAtLeast(level, "1.36"))),
  ];
}

function validateRule(rule: PolicyRule, path: FieldPath, hasAnyGroup: boolean): FieldError[] {
  const { resources, namespaces, nonResourceURLs } = rule;
  const errors = [
    ...validateLevel(rule.level, path.child("level")),
    ...nonResourceURLs.flatMap((url, index) => validateUrl(url, path.child("nonResourceURLs").index(index))),
    ...resources.flatMap((each) => validateResources(each, path.child("resources"), hasAnyGroup)),
    ...validateStages(rule.omitStages, path.child("omitStages")),
  ];
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    const why = "rules cannot apply to both regular resources and non-resource URLs";
    errors.push(invalid(path.child("nonResourceURLs"), nonResourceURLs, why));
  }
  return errors;
}

function validateLevel(level: string, path: FieldPath): FieldError[] {
  if (level === "") return [required(path, "")];
  return levels.includes(level) ? [] : [notSupported(path, level, levels)];
}

function validateUrl(url: string, path: FieldPath): FieldError[] {
  if (url === "*") return [];
  if (!url.startsWith("/")) {
    return [invalid(path, url, "non-resource URL rules must begin with a '/' character")];
  }
  if (url.slice(0, -1).includes("*")) {
    return [invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule")];
  }
  return [];
}

function validateResources(
  { group, resources, resourceNames }: GroupResources,
  path: FieldPath,
  hasAnyGroup: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const isWord = group === "" || (group === "*" && hasAnyGroup);
  const problems = isWord ? [] : isDns1123Subdomain(group);
  if (problems.length > 0) errors.push(invalid(path.child("group"), group, problems.join(",")));
  if (resourceNames.length > 0 && resources.length === 0) {
    const why = "using resourceNames requires at least one resource";
    errors.push(invalid(path.child("resourceNames"), resourceNames, why));
  }
  return errors;
}

function validateStages(given: readonly string[], path: FieldPath): FieldError[] {
  return given.flatMap((stage, index) =>
    stages.includes(stage)
      ? []
      : [invalid(path.index(index), stage, `allowed stages are ${stages.join(",")}`)],
  );
}
