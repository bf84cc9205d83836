import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ClusterRole, ClusterRoleBinding } from "../../apis/gen/rbac-v1.js";
import { TestRegistries } from "../../controllers/testing/registries.js";
import { createNaming } from "../../naming/naming.js";
import { FeatureGates } from "../options/feature-gates.js";
import { bootstrapRbac } from "./reconcile.js";

const group = "rbac.authorization.k8s.io";
const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";
const gates = new FeatureGates(new Map(), "1.23" satisfies ApiLevel);
const basicRule = {
  verbs: ["create"],
  apiGroups: ["authorization.k8s.io"],
  resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
};
const otherRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const authenticated = { kind: "Group", apiGroup: group, name: "system:authenticated" };
const other = { kind: "User", apiGroup: group, name: "jane" };
const basicRef = { apiGroup: group, kind: "ClusterRole", name: "system:basic-user" };

/** The result of reconciling an object that existed before the start. */
async function reconciled<T extends ApiObject>(resource: string, before: object): Promise<T> {
  const registries = new TestRegistries(["clusterroles", "clusterrolebindings", "roles", "rolebindings"]);
  const name = "system:basic-user";
  await registries.create(resource, { ...before, metadata: { ...metadataOf(before), name } });
  await bootstrapRbac(registries.context, createNaming("kubernetes"), gates);
  // The resource says which type its objects have.
  return (await registries.of(resource).get("", name, { kind: "mostRecent" })).decode() as T;
}

function metadataOf(object: object): object {
  return "metadata" in object && typeof object.metadata === "object" ? (object.metadata ?? {}) : {};
}

const roleOf = (before: object) => reconciled<ClusterRole>("clusterroles", before);
const bindingOf = (before: object) => reconciled<ClusterRoleBinding>("clusterrolebindings", before);

test("a role gets back the rules that it lacks, and keeps others", async () => {
  expect((await roleOf({ rules: [otherRule] })).rules).toEqual([
    otherRule,
    expect.anything(),
    expect.anything(),
  ]);
  expect((await roleOf({ rules: [otherRule, basicRule] })).rules).toEqual([otherRule, basicRule]);
  const wider = { ...basicRule, verbs: ["*"] };
  expect((await roleOf({ rules: [wider] })).rules).toEqual([wider]);
});

test("labels and annotations are added, those that are there stay", async () => {
  const { metadata } = await roleOf({
    metadata: { labels: { "kubernetes.io/bootstrapping": "mine", a: "b" }, annotations: { c: "d" } },
    rules: [basicRule],
  });
  expect(metadata.labels).toEqual({ "kubernetes.io/bootstrapping": "mine", a: "b" });
  expect(metadata.annotations).toEqual({ [autoUpdate]: "true", c: "d" });
});

test("roles that are marked to be left alone stay as they are", async () => {
  const metadata = { annotations: { [autoUpdate]: "false" } };
  expect((await roleOf({ metadata, rules: [otherRule] })).rules).toEqual([otherRule]);
  const binding = await bindingOf({ metadata, roleRef: { ...basicRef, name: "view" }, subjects: [other] });
  expect([binding.roleRef.name, binding.subjects]).toEqual(["view", [other]]);
});

test("a role that should not be aggregated no longer is, and keeps its rules", async () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
  const role = await roleOf({ rules: [otherRule, basicRule], aggregationRule });
  expect(role.aggregationRule).toBeUndefined();
  expect(role.rules).toEqual([otherRule, basicRule]);
});

test("a role that should be aggregated gets back its selectors, and keeps others", async () => {
  const registries = new TestRegistries(["clusterroles", "clusterrolebindings", "roles", "rolebindings"]);
  const own = { matchLabels: { mine: "yes" } };
  await registries.create("clusterroles", {
    metadata: { name: "view" },
    rules: [],
    aggregationRule: { clusterRoleSelectors: [own] },
  });
  await registries.create("clusterroles", { metadata: { name: "edit" }, rules: [otherRule] });
  await bootstrapRbac(registries.context, createNaming("kubernetes"), gates);
  const selectorsOf = async (name: string) => {
    const stored = await registries.of("clusterroles").get("", name, { kind: "mostRecent" });
    return (stored.decode() as ClusterRole).aggregationRule?.clusterRoleSelectors;
  };
  const selector = (role: string) => ({ matchLabels: { [`${group}/aggregate-to-${role}`]: "true" } });
  expect(await selectorsOf("view")).toEqual([own, selector("view")]);
  expect(await selectorsOf("edit")).toEqual([selector("edit")]);
});

test("a binding gets back its subjects, and keeps others", async () => {
  expect((await bindingOf({ roleRef: basicRef, subjects: [other] })).subjects).toEqual([
    other,
    authenticated,
  ]);
});

test("a binding to another role is made again", async () => {
  const binding = await bindingOf({
    metadata: { labels: { a: "b" } },
    roleRef: { ...basicRef, name: "view" },
    subjects: [other],
  });
  expect([binding.roleRef, binding.subjects]).toEqual([basicRef, [authenticated]]);
  expect(binding.metadata.labels).toEqual({ "kubernetes.io/bootstrapping": "rbac-defaults" });
});
