import { messageOf } from "../../apimachinery/errors/message-of.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type {
  AccessInfo,
  AccessRules,
  Authorizer,
  Decision,
} from "../../apimachinery/requests/authorizer.js";
import { pathPrefix } from "../../apimachinery/requests/path-prefix.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { authenticatedGroup } from "../authentication/authenticator.js";

/** One line of the policy file. Empty fields match nothing, `*` matches all. */
interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const readVerbs = ["get", "list", "watch"];
const noMatch: Decision = { kind: "noOpinion", reason: "No policy matched." };
const allowed: Decision = { kind: "allow", reason: "" };

/**
 * Mode ABAC: a file with one policy per line. Throws an `Error` that names the line. `apiGroup` is the group of versioned policies. Source:
 * Kubernetes documentation, "Using ABAC Authorization".
 */
export function abacAuthorizer(text: string, apiGroup: string): Authorizer {
  const policies = readPolicies(text, apiGroup);
  const byUser = grouped(policies, ({ user }) => user);
  // Policies with a user are found by it, whether or not they have a group too.
  const byGroup = grouped(
    policies.filter(({ user }) => user === ""),
    ({ group }) => group,
  );
  function* policiesOf(user: UserInfo): Generator<Policy, void> {
    for (const name of [user.name, "*"]) {
      for (const policy of byUser.get(name) ?? []) if (hasGroup(user, policy)) yield policy;
    }
    for (const group of [...user.groups, "*"]) yield* byGroup.get(group) ?? [];
  }
  return {
    authorize({ user, info }) {
      for (const policy of policiesOf(user)) if (allows(policy, info)) return allowed;
      return noMatch;
    },
    rulesFor: (user, namespace) => rulesOf([...policiesOf(user)], namespace),
  };
}

function hasGroup(user: UserInfo, { group }: Policy): boolean {
  return group === "" || group === "*" || user.groups.includes(group);
}

function allows(policy: Policy, info: AccessInfo): boolean {
  if (policy.readonly && !readVerbs.includes(info.verb)) return false;
  if (!info.isResourceRequest) return matchesPath(policy.nonResourcePath, info.path);
  return (
    matches(policy.namespace, info.namespace) &&
    matches(policy.resource, info.resource) &&
    matches(policy.apiGroup, info.apiGroup)
  );
}

function matches(pattern: string, text: string): boolean {
  return pattern === "*" || pattern === text;
}

function matchesPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(pathPrefix(pattern));
}

function rulesOf(policies: readonly Policy[], namespace: string): AccessRules {
  const verbs = ({ readonly }: Policy): readonly string[] => (readonly ? readVerbs : ["*"]);
  const here = policies.filter((policy) => matches(policy.namespace, namespace));
  return {
    resourceRules: here
      .filter(({ resource }) => resource !== "")
      .map((policy) => ({
        verbs: verbs(policy),
        apiGroups: [policy.apiGroup],
        resources: [policy.resource],
      })),
    nonResourceRules: here
      .filter(({ nonResourcePath }) => nonResourcePath !== "")
      .map((policy) => ({ verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath] })),
    incomplete: false,
  };
}

function readPolicies(text: string, apiGroup: string): Policy[] {
  return text.split("\n").flatMap((line, index) => {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) return [];
    try {
      return [policyOf(parseJson(content), apiGroup)];
    } catch (error) {
      throw new Error(`line ${index + 1}: ${messageOf(error)}`);
    }
  });
}

function policyOf(document: JsonValue, apiGroup: string): Policy {
  if (!isJsonObject(document)) throw new Error("want a JSON object");
  const apiVersion = textOf(document, "apiVersion");
  const kind = textOf(document, "kind");
  const isFirstVersion = apiVersion === "" || apiVersion === `${apiGroup}/v0`;
  if (isFirstVersion && (kind === "" || kind === "Policy")) return firstVersion(document);
  if (apiVersion !== `${apiGroup}/v1beta1` || kind !== "Policy") {
    throw new Error(`want kind Policy of apiVersion ${apiGroup}/v1beta1`);
  }
  const { spec } = document;
  if (!isJsonObject(spec)) throw new Error("want a spec");
  return everybody({
    user: textOf(spec, "user"),
    group: textOf(spec, "group"),
    readonly: flagOf(spec, "readonly"),
    apiGroup: textOf(spec, "apiGroup"),
    resource: textOf(spec, "resource"),
    namespace: textOf(spec, "namespace"),
    nonResourcePath: textOf(spec, "nonResourcePath"),
  });
}

/** A policy of v0, which may leave out its version and kind. Missing fields match everything; without namespace and resource, all paths match too. */
function firstVersion(document: JsonObject): Policy {
  const user = textOf(document, "user");
  const group = textOf(document, "group");
  const resource = textOf(document, "resource");
  const namespace = textOf(document, "namespace");
  return everybody({
    user,
    group: user === "" && group === "" ? "*" : group,
    readonly: flagOf(document, "readonly"),
    apiGroup: "*",
    resource: resource || "*",
    namespace: namespace || "*",
    nonResourcePath: resource === "" && namespace === "" ? "*" : "",
  });
}

/** The subject `*` means every authenticated user. */
function everybody(policy: Policy): Policy {
  const isEverybody = policy.user === "*" || policy.group === "*";
  return isEverybody ? { ...policy, user: "", group: authenticatedGroup } : policy;
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name] ?? "";
  if (typeof value !== "string") throw new Error(`${name} must be a string`);
  return value;
}

function flagOf(object: JsonObject, name: string): boolean {
  const value = object[name] ?? false;
  if (typeof value !== "boolean") throw new Error(`${name} must be a boolean`);
  return value;
}

function grouped(policies: readonly Policy[], keyOf: (policy: Policy) => string): Map<string, Policy[]> {
  const groups = new Map<string, Policy[]>();
  for (const policy of policies) {
    const key = keyOf(policy);
    if (key === "") continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [policy]);
    else group.push(policy);
  }
  return groups;
}
