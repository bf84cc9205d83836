import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { type AccessQuestion, allow, noOpinion } from "../../apimachinery/requests/authorizer.js";
import { testWriteContext } from "../../apis/testing/api-context.js";
import type { RegistryContext } from "../generic/registry-context.js";
import { bindingHooks, type EscalationParts, type ResourceOfRole, roleHooks } from "./escalation-hooks.js";

const role = {
  metadata: { name: "lifted" },
  rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
};

/** For a user without roles who may escalate roles of this name; no roles exist. */
function partsFor(name: string): EscalationParts {
  return {
    group: "rbac.example.io",
    authorizer: {
      authorize: ({ info }: AccessQuestion) =>
        info.verb === "escalate" && info.name === name ? allow : noOpinion,
      rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
    },
    roles: { rulesOfUser: () => [], problemOf: () => undefined, rulesOfRole: () => undefined },
  };
}

function hooksFor(name: string) {
  return roleHooks("clusterroles", partsFor(name), "1.32");
}

function asking(verb: string): RegistryContext {
  const user = { name: "lifter", uid: "", groups: [], extra: {} };
  return { ...testWriteContext(), user, verb, signal: new AbortController().signal, warn() {} };
}

test.each([
  ["create", false],
  ["update", true],
  ["patch", true],
])("a right to escalate one role counts when %s names the role: %s", async (verb, counts) => {
  const created = hooksFor("lifted").beforeCreate?.(asking(verb), structuredClone(role));
  if (counts) await expect(created).resolves.toBeUndefined();
  else await expect(created).rejects.toMatchObject({ code: 403 });
  await expect(hooksFor("another").beforeCreate?.(asking(verb), structuredClone(role))).rejects.toMatchObject(
    { code: 403 },
  );
});

test("who may escalate all roles may create them too", async () => {
  await expect(hooksFor("").beforeCreate?.(asking("create"), structuredClone(role))).resolves.toBeUndefined();
});

test.each<[ApiLevel, string]>([
  ["1.31", "clusterroles"],
  ["1.32", "rolebindings"],
])("at %s a missing role of a binding is one of %s", async (level, resource) => {
  const binding = {
    metadata: { name: "b" },
    roleRef: { apiGroup: "rbac.example.io", kind: "ClusterRole", name: "gone" },
  };
  const hooks = bindingHooks("rolebindings", partsFor(""), level);
  const created = hooks.beforeCreate?.(asking("create"), binding);
  await expect(created).rejects.toThrow(`${resource}.rbac.example.io "gone" not found`);
});

test.each<[ApiLevel, string]>([
  ["1.31", "roles"],
  ["1.32", "clusterroles"],
])("at %s the missing role of a writer's binding is one of %s", async (level, resource) => {
  const parts = partsFor("");
  const roles = {
    ...parts.roles,
    problemOf: (_user: unknown, _namespace: string, of: ResourceOfRole) => of("Role"),
  };
  const authorizer = { ...parts.authorizer, authorize: () => noOpinion };
  const hooks = roleHooks("clusterroles", { ...parts, authorizer, roles }, level);
  const created = hooks.beforeCreate?.(asking("create"), structuredClone(role));
  await expect(created).rejects.toThrow(`; resolution errors: [${resource}]`);
});
