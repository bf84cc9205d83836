import { expect, test } from "vitest";
import { PluginGround } from "../testing/plugin-ground.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";

const active = { metadata: { name: "ns" }, status: { phase: "Active" } };
const terminating = { metadata: { name: "ns" }, status: { phase: "Terminating" } };
const write = { resource: "configmaps", object: { metadata: { name: "a" } } };

test.each([
  ["one that is there", { known: { namespaces: [active] } }, undefined],
  ["one that listers have yet to hear of", { unheard: { namespaces: [active] } }, undefined],
  ["none", {}, 'namespaces "ns" not found'],
  [
    "one that is being deleted",
    { known: { namespaces: [terminating] } },
    'configmaps "a" is forbidden: unable to create new content in namespace ns because it is being terminated',
  ],
])("creates in a namespace: %s", async (_what, cluster, refusal) => {
  expect((await new PluginGround(namespaceLifecycle, cluster).admit(write)).refusal).toBe(refusal);
});

test("updates and deletes need no namespace, nor do reviews of access", async () => {
  const ground = new PluginGround(namespaceLifecycle);
  expect((await ground.admit({ ...write, old: write.object })).refusal).toBeUndefined();
  expect((await ground.admit({ resource: "configmaps", old: write.object })).refusal).toBeUndefined();
  const review = { resource: "localsubjectaccessreviews", object: { spec: {} } };
  expect((await ground.admit(review)).refusal).toBeUndefined();
});

test("a namespace whose deletion was asked for is looked up in the store, for a while", async () => {
  const ground = new PluginGround(namespaceLifecycle, { known: { namespaces: [active] } });
  const gone = new PluginGround(
    (context) =>
      namespaceLifecycle({ ...context, namespaces: { ...context.namespaces, read: async () => undefined } }),
    { known: { namespaces: [active] } },
  );
  for (const each of [ground, gone]) await each.admit({ resource: "namespaces", old: active });
  expect((await ground.admit(write)).refusal).toBeUndefined();
  expect((await gone.admit(write)).code).toBe(404);
  gone.now += 31_000;
  expect((await gone.admit(write)).refusal).toBeUndefined();
});

test.each(["default", "kube-system", "kube-public"])("namespace %s cannot be deleted", async (name) => {
  const outcome = await new PluginGround(namespaceLifecycle).admit({
    resource: "namespaces",
    old: { metadata: { name } },
  });
  expect(outcome.refusal).toBe(`namespaces "${name}" is forbidden: this namespace may not be deleted`);
});
