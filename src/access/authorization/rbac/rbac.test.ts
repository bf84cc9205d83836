import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AccessInfo, type Decision, resourceAccess } from "../../../apimachinery/requests/authorizer.js";
import type { PolicyRule, Subject } from "../../../apis/gen/rbac-v1.js";
import { GrantIndex } from "./grant-index.js";
import { rbacAuthorizer } from "./rbac-authorizer.js";

const group = "rbac.example.io";
const signal = new AbortController().signal;

const toUser = (name: string): Subject => ({ kind: "User", name, apiGroup: group });
const toGroup = (name: string): Subject => ({ kind: "Group", name, apiGroup: group });
const toAccount = (namespace: string, name: string): Subject => ({ kind: "ServiceAccount", name, namespace });
const clusterRole = (name: string) => ({ kind: "ClusterRole", name, apiGroup: group });
const role = (name: string) => ({ kind: "Role", name, apiGroup: group });
const user = (name: string, groups: readonly string[] = []) => ({ name, uid: "", groups, extra: {} });

function decide(index: GrantIndex, name: string, info: AccessInfo, groups: readonly string[] = []): Decision {
  const decision = rbacAuthorizer(index, group).authorize({ user: user(name, groups), info, signal });
  if (decision instanceof Promise) throw new Error("RBAC waits for nothing");
  return decision;
}

const get = (resource: string, changes: Partial<AccessInfo> = {}): AccessInfo => {
  const [plain = "", subresource = ""] = resource.split("/");
  return resourceAccess({ verb: "get", resource: plain, subresource, ...changes });
};
const path = (asked: string, verb = "get"): AccessInfo => ({
  ...resourceAccess({ verb, resource: "" }),
  isResourceRequest: false,
  path: asked,
});

/** One case per rule of the documentation. */
describe("a rule", () => {
  const of = (rule: Partial<PolicyRule>): PolicyRule => ({ verbs: ["get"], apiGroups: [""], ...rule });
  test.each<[PolicyRule, AccessInfo, boolean]>([
    [of({ resources: ["pods"] }), get("pods"), true],
    [of({ resources: ["pods"] }), get("pods", { name: "a", namespace: "b" }), true],
    [of({ resources: ["pods"] }), get("pods/log"), false],
    [of({ resources: ["pods"] }), get("secrets"), false],
    [of({ resources: ["pods"] }), get("pods", { verb: "list" }), false],
    [of({ resources: ["pods"] }), get("pods", { apiGroup: "apps" }), false],
    [of({ resources: ["pods/log"] }), get("pods/log"), true],
    [of({ resources: ["pods/log"] }), get("pods"), false],
    [of({ resources: ["pods/*"] }), get("pods/log"), false],
    [of({ resources: ["*/log"] }), get("pods/log"), true],
    [of({ resources: ["*/scale"] }), get("pods/log"), false],
    [of({ resources: ["*/log"] }), get("log"), false],
    [of({ resources: ["*"] }), get("pods"), true],
    [of({ resources: ["*"] }), get("pods/log"), true],
    [of({ resources: ["pods"], verbs: ["*"] }), get("pods", { verb: "anything" }), true],
    [of({ resources: ["pods"], apiGroups: ["*"] }), get("pods", { apiGroup: "apps" }), true],
    [of({ resources: ["pods"], resourceNames: ["a"] }), get("pods", { name: "a" }), true],
    [of({ resources: ["pods"], resourceNames: ["a"] }), get("pods", { name: "b" }), false],
    [of({ resources: ["pods"], resourceNames: ["a"] }), get("pods", { verb: "get", name: "" }), false],
    [of({ resources: ["pods"] }), path("/pods"), false],
    [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }, path("/healthz"), true],
    [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }, path("/healthz/etcd"), false],
    [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }, path("/healthz", "post"), false],
    [{ verbs: ["get"], nonResourceURLs: ["/healthz/*"] }, path("/healthz/etcd"), true],
    [{ verbs: ["get"], nonResourceURLs: ["/healthz/*"] }, path("/healthz"), false],
    [{ verbs: ["get"], nonResourceURLs: ["*"] }, path("/healthz"), true],
    [{ verbs: ["get"], nonResourceURLs: ["*"] }, get("pods"), false],
  ])("%j allows %j: %s", (rule, info, allowed) => {
    const index = new GrantIndex();
    index.setRole("", "r", [rule]);
    index.setBinding("", "b", { roleRef: clusterRole("r"), subjects: [toUser("jane")] });
    expect(decide(index, "jane", info).kind).toBe(allowed ? "allow" : "noOpinion");
  });
});

describe("a binding", () => {
  const pods: PolicyRule[] = [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }];
  const index = new GrantIndex();
  index.setRole("", "reader", pods);
  index.setRole("a", "reader", pods);
  index.setBinding("", "all", { roleRef: clusterRole("reader"), subjects: [toGroup("ops")] });
  index.setBinding("a", "own", { roleRef: role("reader"), subjects: [toUser("jane")] });
  index.setBinding("a", "shared", {
    roleRef: clusterRole("reader"),
    subjects: [toUser("joe"), toAccount("b", "robot"), { kind: "ServiceAccount", name: "local" }],
  });

  test.each<[string, readonly string[], string, string | undefined]>([
    ["x", ["ops"], "", 'ClusterRoleBinding "all" of ClusterRole "reader" to Group "ops"'],
    ["x", ["other", "ops"], "b", 'ClusterRoleBinding "all" of ClusterRole "reader" to Group "ops"'],
    ["ops", [], "", undefined],
    ["jane", [], "a", 'RoleBinding "own/a" of Role "reader" to User "jane"'],
    ["jane", [], "b", undefined],
    ["jane", [], "", undefined],
    ["x", ["jane"], "a", undefined],
    ["joe", [], "a", 'RoleBinding "shared/a" of ClusterRole "reader" to User "joe"'],
    [
      "system:serviceaccount:b:robot",
      [],
      "a",
      'RoleBinding "shared/a" of ClusterRole "reader" to ServiceAccount "robot/b"',
    ],
    ["system:serviceaccount:a:robot", [], "a", undefined],
    ["system:serviceaccount:b:robot", [], "b", undefined],
    [
      "system:serviceaccount:a:local",
      [],
      "a",
      'RoleBinding "shared/a" of ClusterRole "reader" to ServiceAccount "local/a"',
    ],
  ])("lets %s of %j in namespace %j: %s", (name, groups, namespace, reason) => {
    expect(decide(index, name, get("pods", { namespace }), groups)).toEqual(
      reason === undefined
        ? { kind: "noOpinion", reason: "" }
        : { kind: "allow", reason: `RBAC: allowed by ${reason}` },
    );
  });
});

test("a missing role is reported only to its subjects", () => {
  const index = new GrantIndex();
  index.setBinding("", "b", { roleRef: clusterRole("x"), subjects: [toUser("jane")] });
  expect(decide(index, "jane", get("pods"))).toEqual({
    kind: "noOpinion",
    reason: `RBAC: clusterrole.${group} "x" not found`,
  });
  index.setBinding("a", "b", { roleRef: role("y"), subjects: [toUser("jane")] });
  expect(decide(index, "jane", get("pods", { namespace: "a" })).reason).toBe(
    `RBAC: [clusterrole.${group} "x" not found, role.${group} "y" not found]`,
  );
  expect(decide(index, "joe", get("pods")).reason).toBe("");
});

test("rules are listed with those of the namespace, and with what is missing", async () => {
  const index = new GrantIndex();
  index.setRole("", "r", [
    { verbs: ["get"], apiGroups: [""], resources: ["pods"] },
    { verbs: ["get"], nonResourceURLs: ["/x"] },
  ]);
  index.setRole("a", "s", [{ verbs: ["list"], apiGroups: [""], resources: ["pods"], resourceNames: ["n"] }]);
  index.setBinding("", "b", { roleRef: clusterRole("r"), subjects: [toGroup("g")] });
  index.setBinding("a", "b", { roleRef: role("s"), subjects: [toUser("jane"), toGroup("g")] });
  index.setBinding("a", "c", { roleRef: role("t"), subjects: [toUser("jane")] });
  expect(await rbacAuthorizer(index, group).rulesFor(user("jane", ["g"]), "a")).toEqual({
    resourceRules: [
      { verbs: ["get"], apiGroups: [""], resources: ["pods"] },
      { verbs: ["list"], apiGroups: [""], resources: ["pods"], resourceNames: ["n"] },
    ],
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
    incomplete: false,
    error: `role.${group} "t" not found`,
  });
});

/** After any changes the index answers like a walk over the current objects. */
test("any sequence of changes leaves the index as if it had been made of the outcome", () => {
  const small = (prefix: string) => fc.integer({ min: 0, max: 3 }).map((number) => `${prefix}${number}`);
  const verbs = fc.uniqueArray(fc.constantFrom("get", "list", "*"), { minLength: 1, maxLength: 2 });
  const resources = fc.uniqueArray(fc.constantFrom("pods", "pods/log", "*/log", "secrets"), {
    minLength: 1,
    maxLength: 2,
  });
  const rule: fc.Arbitrary<PolicyRule> = fc.record({
    verbs,
    resources,
    apiGroups: fc.constant<string[]>([""]),
  });
  const namespaces = fc.constantFrom("", "a", "b");
  const change = fc.oneof(
    fc.record({
      kind: fc.constant("role" as const),
      namespace: namespaces,
      name: small("r"),
      rules: fc.option(fc.array(rule, { maxLength: 3 }), { nil: undefined }),
    }),
    fc.record({
      kind: fc.constant("binding" as const),
      namespace: namespaces,
      name: fc.integer({ min: 0, max: 40 }).map((number) => `b${number}`),
      view: fc.option(
        fc.record({
          role: small("r"),
          isCluster: fc.boolean(),
          subjects: fc.array(fc.oneof(small("u").map(toUser), small("g").map(toGroup)), { maxLength: 3 }),
        }),
        { nil: undefined },
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
      const index = new GrantIndex();
      const roles = new Map<string, readonly PolicyRule[]>();
      const bindings = new Map<
        string,
        { namespace: string; roleKey: string; subjects: readonly Subject[] }
      >();
      for (const each of changes) {
        const key = `${each.namespace}/${each.name}`;
        if (each.kind === "role") {
          index.setRole(each.namespace, each.name, each.rules);
          if (each.rules === undefined) roles.delete(key);
          else roles.set(key, each.rules);
        } else if (each.view === undefined) {
          index.setBinding(each.namespace, each.name, undefined);
          bindings.delete(key);
        } else {
          const isCluster = each.view.isCluster || each.namespace === "";
          const roleRef = isCluster ? clusterRole(each.view.role) : role(each.view.role);
          index.setBinding(each.namespace, each.name, { roleRef, subjects: each.view.subjects });
          bindings.set(key, {
            namespace: each.namespace,
            roleKey: `${isCluster ? "" : each.namespace}/${each.view.role}`,
            subjects: each.view.subjects,
          });
        }
        // A decision in between builds the merged index.
        decide(index, "u0", get("pods", { namespace: "a" }), ["g0"]);
      }
      for (const name of ["u0", "u1"]) {
        for (const namespace of ["", "a"]) {
          for (const resource of ["pods", "pods/log", "secrets"]) {
            for (const verb of ["get", "list"]) {
              const expected = [...bindings.values()].some(
                (binding) =>
                  (binding.namespace === "" || binding.namespace === namespace) &&
                  binding.subjects.some(
                    (subject) => subject.name === (subject.kind === "User" ? name : "g1"),
                  ) &&
                  (roles.get(binding.roleKey) ?? []).some(
                    (each) =>
                      (each.verbs?.includes("*") || each.verbs?.includes(verb)) &&
                      (each.resources?.includes(resource) ||
                        (resource.includes("/") && each.resources?.includes("*/log"))),
                  ),
              );
              const info = get(resource, { verb, namespace });
              expect(decide(index, name, info, ["g1"]).kind).toBe(expected ? "allow" : "noOpinion");
            }
          }
        }
      }
    }),
    { numRuns: 150 },
  );
});

test("many roles of one subject are joined, and the joined rules follow changes", () => {
  const index = new GrantIndex();
  for (let number = 0; number < 40; number += 1) {
    index.setRole("", `r${number}`, [{ verbs: ["get"], apiGroups: [""], resources: [`kind${number}`] }]);
    index.setBinding("", `b${number}`, { roleRef: clusterRole(`r${number}`), subjects: [toUser("jane")] });
  }
  expect(decide(index, "jane", get("kind39")).reason).toContain('ClusterRoleBinding "b39"');
  index.setRole("", "r39", []);
  expect(decide(index, "jane", get("kind39")).kind).toBe("noOpinion");
  index.setRole("", "r39", [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]);
  expect(decide(index, "jane", get("kind40")).kind).toBe("allow");
  index.setBinding("", "b39", undefined);
  expect(decide(index, "jane", get("kind40")).kind).toBe("noOpinion");
  expect(decide(index, "jane", get("kind38")).kind).toBe("allow");
});

describe("very many rules", () => {
  const rules = (of: number): PolicyRule[] =>
    Array.from({ length: 10_000 }, (_, i) => ({
      verbs: ["get"],
      apiGroups: [""],
      resources: ["pods"],
      resourceNames: [`${of}-${i}`],
    }));
  const index = new GrantIndex();
  for (let i = 0; i < 20; i++) {
    index.setRole("ns", `r${i}`, rules(i));
    index.setBinding("ns", `b${i}`, { roleRef: role(`r${i}`), subjects: [toUser("many")] });
  }
  const authorizer = rbacAuthorizer(index, group);

  test("decisions take turns with other requests", async () => {
    const asked = (name: string) =>
      authorizer.authorize({ user: user("many"), info: get("pods", { namespace: "ns", name }), signal });
    const last = asked("19-9999");
    expect(last).toBeInstanceOf(Promise);
    expect((await last).kind).toBe("allow");
    expect((await asked("20-0")).kind).toBe("noOpinion");
    const others = authorizer.authorize({
      user: user("other"),
      info: get("pods", { namespace: "ns" }),
      signal,
    });
    expect(others).toEqual({ kind: "noOpinion", reason: "" });
  });

  test("a review lists the first ones and says so", async () => {
    const { resourceRules, incomplete, error } = await authorizer.rulesFor(user("many"), "ns");
    expect(resourceRules).toHaveLength(20_000);
    expect(incomplete).toBe(true);
    expect(error).toBe("these are not all rules, which have more than 100000 values");
  });
});
