import { compareText } from "../../apimachinery/collections/compare-text.js";
import type { RequestInfo, UserInfo } from "../../apimachinery/requests/request-info.js";
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from "../../apis/gen/flowcontrol-v1.js";
import { accountUserName } from "../authentication/service-account-claims.js";

export type Distinguisher = "ByUser" | "ByNamespace" | undefined;

/** A flow schema prepared for classification. */
export interface CompiledFlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly priorityLevel: string;
  readonly precedence: number;
  readonly distinguisher: Distinguisher;
  readonly rules: readonly CompiledRule[];
}

export interface CompiledRule {
  isSubject(user: UserInfo): boolean;
  matches(info: RequestInfo): boolean;
}

export function compileFlowSchema(name: string, uid: string, spec: FlowSchemaSpec): CompiledFlowSchema {
  const type = spec.distinguisherMethod?.type;
  return {
    name,
    uid,
    priorityLevel: spec.priorityLevelConfiguration.name,
    precedence: spec.matchingPrecedence,
    distinguisher: type === "ByUser" || type === "ByNamespace" ? type : undefined,
    rules: (spec.rules ?? []).map(compileRule),
  };
}

/** Order of evaluation: by precedence, then by name. */
export function compareFlowSchemas(a: CompiledFlowSchema, b: CompiledFlowSchema): number {
  return a.precedence - b.precedence || compareText(a.name, b.name);
}

/** Distinguishes the flows of a schema. */
export function distinguisherOf(by: Distinguisher, user: UserInfo, info: RequestInfo): string {
  return by === "ByUser" ? user.name : by === "ByNamespace" ? info.namespace : "";
}

function compileRule({ subjects, resourceRules, nonResourceRules }: PolicyRulesWithSubjects): CompiledRule {
  const resources = (resourceRules ?? []).map(resourceMatcher);
  const paths = (nonResourceRules ?? []).map(pathMatcher);
  return {
    isSubject: subjectMatcher(subjects ?? []),
    matches: (info) =>
      info.isResourceRequest ? resources.some((rule) => rule(info)) : paths.some((rule) => rule(info)),
  };
}

const accountPrefix = "system:serviceaccount:";

function subjectMatcher(subjects: readonly Subject[]): (user: UserInfo) => boolean {
  const users = new Set<string>();
  const groups = new Set<string>();
  /** Prefixes of the user names of all accounts in a namespace. */
  const namespaces: string[] = [];
  for (const { user, group, serviceAccount } of subjects) {
    if (user !== undefined) users.add(user.name);
    if (group !== undefined) groups.add(group.name);
    if (serviceAccount?.name === "*") namespaces.push(`${accountPrefix}${serviceAccount.namespace}:`);
    else if (serviceAccount !== undefined) {
      users.add(accountUserName(serviceAccount.namespace, serviceAccount.name));
    }
  }
  if (users.has("*") || groups.has("*")) return () => true;
  return (user) =>
    users.has(user.name) ||
    user.groups.some((group) => groups.has(group)) ||
    namespaces.some((prefix) => user.name.startsWith(prefix));
}

/** Whether a list of names contains this one; `*` matches all. */
function nameMatcher(names: readonly string[] | undefined): (name: string) => boolean {
  const known = new Set(names ?? []);
  return known.has("*") ? () => true : (name) => known.has(name);
}

function resourceMatcher(rule: ResourcePolicyRule): (info: RequestInfo) => boolean {
  const hasVerb = nameMatcher(rule.verbs);
  const hasGroup = nameMatcher(rule.apiGroups);
  const hasResource = nameMatcher(rule.resources);
  const hasNamespace = nameMatcher(rule.namespaces);
  return (info) =>
    hasVerb(info.verb) &&
    hasGroup(info.apiGroup) &&
    (info.namespace === "" ? rule.clusterScope === true : hasNamespace(info.namespace)) &&
    hasResource(info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`);
}

function pathMatcher({ verbs, nonResourceURLs = [] }: NonResourcePolicyRule): (info: RequestInfo) => boolean {
  const hasVerb = nameMatcher(verbs);
  const whole = new Set(nonResourceURLs);
  // As in Kubernetes, a path stands for those below it too: probes ask for `/readyz/etcd`.
  const prefixes = nonResourceURLs.map((url) =>
    url.endsWith("*") ? url.slice(0, -1) : url.endsWith("/") ? url : `${url}/`,
  );
  return ({ verb, path }) =>
    hasVerb(verb) && (whole.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}
