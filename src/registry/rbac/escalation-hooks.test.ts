import { expect, test } from "vitest";
import { type AccessQuestion, allow, noOpinion } from "../../apimachinery/requests/authorizer.js";
import { testWriteContext } from "../../apis/testing/api-context.js";
import type { RegistryContext } from "../generic/registry-context.js";
import { roleHooks } from "./escalation-hooks.js";

const role = {
  metadata: { name: "lifted" },
  rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
};

/** The hooks for a user without roles, who may escalate roles of this name. */
function hooksFor(name: string) {
  return roleHooks("clusterroles", {
    group: "rbac.example.io",
    authorizer: {
      authorize: ({ info }: AccessQuestion) =>
        info.verb === "escalate" && info.name === name ? allow : noOpinion,
      rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
    },
    roles: { rulesOfUser: () => [], problemOf: () => undefined, rulesOfRole: () => undefined },
  });
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
  if (counts) await expect(created).resolves.toBeDefined();
  else await expect(created).rejects.toMatchObject({ code: 403 });
  await expect(hooksFor("another").beforeCreate?.(asking(verb), structuredClone(role))).rejects.toMatchObject(
    { code: 403 },
  );
});

test("who may escalate all roles may create them too", async () => {
  await expect(hooksFor("").beforeCreate?.(asking("create"), structuredClone(role))).resolves.toBeDefined();
});
