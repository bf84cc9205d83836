import { expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../objects/meta.js";
import { managedFieldsAfterScale, scaleManagedFields } from "./scale-managers.js";

const paths = new Map([["apps/v1", ["spec", "replicas"]]]);

function entry(
  manager: string,
  operation: string,
  apiVersion: string,
  fields: string[],
  subresource?: string,
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    time: "2024-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": Object.fromEntries(fields.map((name) => [`f:${name}`, {}])) },
    ...(subresource !== undefined && { subresource }),
  };
}

const parent = [
  entry("applier", "Apply", "apps/v1", ["replicas", "paused"]),
  entry("creator", "Update", "apps/v1", ["replicas"]),
  entry("other", "Update", "apps/v1", ["paused"]),
];

test("the managers of a scale are those that own the replica count", () => {
  expect(scaleManagedFields(parent, paths)).toEqual([
    entry("applier", "Apply", "autoscaling/v1", ["replicas"]),
    entry("creator", "Update", "autoscaling/v1", ["replicas"]),
  ]);
});

test("a scale that nobody changed leaves appliers as they are, and splits the entries of updaters", () => {
  const both = [...parent, entry("updater", "Update", "apps/v1", ["paused", "replicas"])];
  expect(managedFieldsAfterScale(both, scaleManagedFields(both, paths), "apps/v1", paths)).toEqual([
    entry("applier", "Apply", "apps/v1", ["replicas", "paused"]),
    timeless(entry("creator", "Update", "apps/v1", ["replicas"])),
    timeless(entry("updater", "Update", "apps/v1", ["replicas"])),
    entry("other", "Update", "apps/v1", ["paused"]),
    entry("updater", "Update", "apps/v1", ["paused"]),
  ]);
});

test.each(["Update", "Apply"])("scaling by %s takes the replica count from other managers", (operation) => {
  const scaled = [entry("autoscaler", operation, "autoscaling/v1", ["replicas"], "scale")];
  const after = managedFieldsAfterScale(parent, scaled, "apps/v1", paths);
  const taker = timeless(entry("autoscaler", operation, "apps/v1", ["replicas"], "scale"));
  expect(after).toEqual([
    ...(operation === "Apply" ? [taker] : []),
    entry("applier", "Apply", "apps/v1", ["paused"]),
    ...(operation === "Update" ? [taker] : []),
    entry("other", "Update", "apps/v1", ["paused"]),
  ]);
});

test("an applier keeps the time of its entry", () => {
  const former = [entry("applier", "Apply", "apps/v1", ["replicas"], "scale")];
  const scaled = [entry("applier", "Apply", "autoscaling/v1", ["replicas"], "scale")];
  expect(managedFieldsAfterScale(former, scaled, "apps/v1", paths)).toEqual(former);
});

test("a manager that gave up the replica count owns nothing, and managers of unknown versions are dropped", () => {
  const scaled = [entry("autoscaler", "Apply", "autoscaling/v1", ["other"], "scale")];
  const unknown = entry("applier", "Apply", "apps/v0", ["paused"]);
  expect(managedFieldsAfterScale([unknown], scaled, "apps/v1", paths)).toEqual([]);
});

function timeless({ time: _, ...rest }: ManagedFieldsEntry): ManagedFieldsEntry {
  return rest;
}
