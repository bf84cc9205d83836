import { expect, test } from "vitest";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { foregroundFinalizer } from "../../registry/generic/delete-options.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject, WatchEventType } from "../../storage/object-store.js";
import { DependencyGraph } from "./dependency-graph.js";

const dependents = 150_000;
// The graph only compares registries.
const registry = {} as ResourceRegistry;
const ownerReferences = [
  { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "owner", blockOwnerDeletion: true },
];

function observe(graph: DependencyGraph, type: WatchEventType, metadata: ApiObject["metadata"]): string[] {
  const object = { metadata: { ...metadata, name: metadata.uid } };
  // All that the graph reads of a stored object.
  const stored = {
    key: `default/${metadata.uid}`,
    body: Buffer.from(JSON.stringify(object).slice(1)),
  } as unknown as StoredObject<ApiObject>;
  return graph.observe(registry, type, stored).map(({ uid }) => uid);
}

test("an owner that waits for very many dependents is checked when each appears, and when the last one is deleted", () => {
  const graph = new DependencyGraph();
  for (let i = 0; i < dependents; i++) observe(graph, "ADDED", { uid: `d${i}`, ownerReferences });
  const affected = observe(graph, "ADDED", {
    uid: "owner",
    deletionTimestamp: "2022-01-01T00:00:00Z",
    finalizers: [foregroundFinalizer],
  });
  expect(affected).toHaveLength(dependents + 1);
  for (let i = 1; i < dependents; i++) {
    if (observe(graph, "DELETED", { uid: `d${i}`, ownerReferences }).length > 0)
      throw new Error(`d${i} mattered`);
  }
  expect(graph.isBlocked("owner")).toBe(true);
  expect(observe(graph, "DELETED", { uid: "d0", ownerReferences })).toEqual(["owner"]);
  expect(graph.isBlocked("owner")).toBe(false);
});

test("an owner is deleted once its dependent no longer blocks it", () => {
  const graph = new DependencyGraph();
  observe(graph, "ADDED", { uid: "dependent", ownerReferences });
  observe(graph, "ADDED", {
    uid: "owner",
    deletionTimestamp: "2022-01-01T00:00:00Z",
    finalizers: [foregroundFinalizer],
  });
  const unblocked = ownerReferences.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
  expect(observe(graph, "MODIFIED", { uid: "dependent", ownerReferences: unblocked })).toEqual([
    "dependent",
    "owner",
  ]);
});
