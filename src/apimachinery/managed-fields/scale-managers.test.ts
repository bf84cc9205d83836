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

test("a scale is managed by who owns the replica count", () => {
  expect(scaleManagedFields(parent, paths)).toEqual([
    entry("applier", "Apply", "autoscaling/v1", ["replicas"]),
    entry("creator", "Update", "autoscaling/v1", ["replicas"]),
  ]);
});

test("a scale that nobody changed changes nothing", () => {
  expect(managedFieldsAfterScale(parent, scaleManagedFields(parent, paths), "apps/v1", paths)).toEqual(
    parent,
  );
});

test("who scales takes the replica count from the others", () => {
  const scaled = [entry("autoscaler", "Update", "autoscaling/v1", ["replicas"], "scale")];
  expect(managedFieldsAfterScale(parent, scaled, "apps/v1", paths)).toEqual([
    entry("applier", "Apply", "apps/v1", ["paused"]),
    entry("autoscaler", "Update", "apps/v1", ["replicas"], "scale"),
    entry("other", "Update", "apps/v1", ["paused"]),
  ]);
});
