import { expect, test } from "vitest";
import type { RequestInfo, UserInfo } from "../../apimachinery/requests/request-info.js";
import { policyEvaluator } from "./evaluate-policy.js";
import type { PolicyRule } from "./policy.js";

const nothing: RequestInfo = {
  isResourceRequest: false,
  path: "/",
  verb: "get",
  apiPrefix: "",
  apiGroup: "",
  apiVersion: "",
  namespace: "",
  resource: "",
  subresource: "",
  name: "",
  parts: [],
};
const jane: UserInfo = { name: "jane", uid: "", groups: ["admins", "system:authenticated"], extra: {} };

function resource(text: string, more: Partial<RequestInfo> = {}): RequestInfo {
  const [name = "", subresource = ""] = text.split("/");
  return { ...nothing, isResourceRequest: true, resource: name, subresource, namespace: "default", ...more };
}

function rule(more: Partial<PolicyRule>): PolicyRule {
  return {
    level: "Metadata",
    users: [],
    userGroups: [],
    verbs: [],
    resources: [],
    namespaces: [],
    nonResourceURLs: [],
    omitStages: [],
    omitManagedFields: undefined,
    ...more,
  };
}

const of = (resources: readonly string[], group = "", resourceNames: readonly string[] = []) => ({
  resources: [{ group, resources, resourceNames }],
});

test.each<[string, Partial<PolicyRule>, RequestInfo, boolean]>([
  ["an empty rule takes all", {}, nothing, true],
  ["user", { users: ["jane"] }, nothing, true],
  ["another user", { users: ["joe"] }, nothing, false],
  ["one of the groups", { userGroups: ["others", "admins"] }, nothing, true],
  ["another group", { userGroups: ["others"] }, nothing, false],
  ["verb", { verbs: ["get"] }, nothing, true],
  ["another verb", { verbs: ["list"] }, nothing, false],
  ["namespace", { namespaces: ["default"] }, resource("pods"), true],
  ["another namespace", { namespaces: ["other"] }, resource("pods"), false],
  ["cluster scope", { namespaces: [""] }, resource("nodes", { namespace: "" }), true],
  ["a namespace of a path", { namespaces: ["default"] }, nothing, false],
  ["resource", of(["pods"]), resource("pods"), true],
  ["any resource of the group", of([]), resource("pods"), true],
  ["another group's", of([], "apps"), resource("pods"), false],
  ["a resource is not its subresource", of(["pods"]), resource("pods/log"), false],
  ["subresource", of(["pods/log"]), resource("pods/log"), true],
  ["resource and below", of(["pods/*"]), resource("pods/log"), true],
  ["resource and below, itself", of(["pods/*"]), resource("pods"), true],
  ["subresource of any", of(["*/scale"]), resource("deployments/scale"), true],
  ["subresource of any, another", of(["*/scale"]), resource("deployments/status"), false],
  ["everything", of(["*"]), resource("pods/log"), true],
  ["name", of(["pods"], "", ["a"]), resource("pods", { name: "a" }), true],
  ["another name", of(["pods"], "", ["a"]), resource("pods", { name: "b" }), false],
  ["path", { nonResourceURLs: ["/livez"] }, { ...nothing, path: "/livez" }, true],
  ["path and below", { nonResourceURLs: ["/livez*"] }, { ...nothing, path: "/livez/ping" }, true],
  ["any path", { nonResourceURLs: ["*"] }, nothing, true],
  ["another path", { nonResourceURLs: ["/livez"] }, { ...nothing, path: "/livez/ping" }, false],
  ["a path of a resource", { nonResourceURLs: ["*"] }, resource("pods"), false],
])("%s", (_name, given, info, matches) => {
  const evaluate = policyEvaluator({ rules: [rule(given)], omitStages: [], omitManagedFields: false });
  expect(evaluate(info, jane).level).toBe(matches ? "Metadata" : "None");
});

test("the first rule that matches decides, with the policy's stages", () => {
  const evaluate = policyEvaluator({
    rules: [
      rule({ level: "None", verbs: ["list"] }),
      rule({ level: "Request", verbs: ["get"], omitStages: ["Panic"], omitManagedFields: false }),
      rule({ level: "RequestResponse" }),
    ],
    omitStages: ["RequestReceived"],
    omitManagedFields: true,
  });
  expect(evaluate(nothing, jane)).toEqual({
    level: "Request",
    omitStages: new Set(["RequestReceived", "Panic"]),
    omitManagedFields: false,
  });
  expect(evaluate({ ...nothing, verb: "list" }, jane).level).toBe("None");
  expect(evaluate({ ...nothing, verb: "put" }, jane)).toMatchObject({
    level: "RequestResponse",
    omitManagedFields: true,
  });
});

test("where authentication failed, rules for users do not match", () => {
  const evaluate = policyEvaluator({
    rules: [rule({ users: ["jane"] }), rule({ userGroups: ["admins"] }), rule({ level: "Request" })],
    omitStages: [],
    omitManagedFields: false,
  });
  expect(evaluate(nothing, undefined).level).toBe("Request");
});
