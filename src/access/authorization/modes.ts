import type { RequestInfo, UserInfo } from "../../apimachinery/request-info.js";
import type { AccessRules, Authorizer, Decision } from "./authorizer.js";

const allow: Decision = { allowed: true, reason: "" };
const deny: Decision = { allowed: false, reason: "Everything is forbidden." };

const everything: AccessRules = {
  resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  incomplete: false,
};
const nothing: AccessRules = { resourceRules: [], nonResourceRules: [], incomplete: false };

/**
 * `--authorization-mode`: the first mode with an opinion decides. AlwaysDeny has none, as in the original: it is what comes of nobody
 * having one. Members of system:masters may do everything.
 */
export function createAuthorizer(modes: readonly string[]): Authorizer {
  const unbuilt = modes.find((mode) => mode !== "AlwaysAllow" && mode !== "AlwaysDeny");
  if (unbuilt !== undefined) throw new Error(`authorization mode ${unbuilt} is not built`);
  const allowsAll = modes.includes("AlwaysAllow");
  const allowed = (user: UserInfo): boolean => allowsAll || user.groups.includes("system:masters");
  return {
    authorize: (user: UserInfo, _info: RequestInfo) => (allowed(user) ? allow : deny),
    rulesFor: (user) => (allowed(user) ? everything : nothing),
  };
}
