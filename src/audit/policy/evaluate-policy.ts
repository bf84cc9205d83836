import type { RequestInfo, UserInfo } from "../../apimachinery/requests/request-info.js";
import type { AuditDecision, AuditPolicy, GroupResources, PolicyRule } from "./policy.js";

/** `user` is undefined when authentication failed. */
export type PolicyEvaluator = (info: RequestInfo, user: UserInfo | undefined) => AuditDecision;

interface PreparedRule {
  readonly decision: AuditDecision;
  readonly users: ReadonlySet<string>;
  readonly userGroups: ReadonlySet<string>;
  readonly verbs: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
  readonly resources: readonly GroupResources[];
  readonly nonResourceURLs: readonly string[];
}

/** The first matching rule decides; without one the request is not recorded. */
export function policyEvaluator(policy: AuditPolicy): PolicyEvaluator {
  const rules = policy.rules.map((rule) => prepared(rule, policy));
  const unmatched: AuditDecision = {
    level: "None",
    omitStages: new Set(policy.omitStages),
    omitManagedFields: policy.omitManagedFields,
  };
  return (info, user) => {
    for (const rule of rules) if (matches(rule, info, user)) return rule.decision;
    return unmatched;
  };
}

function prepared(rule: PolicyRule, policy: AuditPolicy): PreparedRule {
  return {
    decision: {
      level: rule.level,
      omitStages: new Set([...policy.omitStages, ...rule.omitStages]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
    },
    users: new Set(rule.users),
    userGroups: new Set(rule.userGroups),
    verbs: new Set(rule.verbs),
    namespaces: new Set(rule.namespaces),
    resources: rule.resources,
    nonResourceURLs: rule.nonResourceURLs,
  };
}

function matches(rule: PreparedRule, info: RequestInfo, user: UserInfo | undefined): boolean {
  if (rule.users.size > 0 && (user === undefined || !rule.users.has(user.name))) return false;
  if (rule.userGroups.size > 0 && user?.groups.some((group) => rule.userGroups.has(group)) !== true) {
    return false;
  }
  if (rule.verbs.size > 0 && !rule.verbs.has(info.verb)) return false;
  if (rule.namespaces.size > 0 || rule.resources.length > 0) {
    if (!info.isResourceRequest) return false;
    if (rule.namespaces.size > 0 && !rule.namespaces.has(info.namespace)) return false;
    return rule.resources.length === 0 || rule.resources.some((each) => includes(each, info));
  }
  if (rule.nonResourceURLs.length > 0) {
    return !info.isResourceRequest && rule.nonResourceURLs.some((pattern) => pathMatches(pattern, info.path));
  }
  return true;
}

function includes({ group, resources, resourceNames }: GroupResources, info: RequestInfo): boolean {
  if (group !== info.apiGroup && group !== "*") return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  return resources.some((pattern) => resourceMatches(pattern, info));
}

function resourceMatches(pattern: string, { resource, subresource }: RequestInfo): boolean {
  if (pattern === "*") return true;
  if (pattern === (subresource === "" ? resource : `${resource}/${subresource}`)) return true;
  if (subresource !== "" && pattern === `*/${subresource}`) return true;
  // `pods/*` matches pods and their subresources.
  return pattern === `${resource}/*`;
}

function pathMatches(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1));
}
