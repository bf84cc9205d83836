import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { namespaces } from "./resource.js";

const definition = namespaces(testApiContext());
const ground = kindGround(definition);
const namespace = (finalizers: readonly string[] = [], metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", ...metadata },
  spec: { finalizers },
});

test("a namespace carries its name as a label and is active", () => {
  const object = ground.read({
    metadata: { name: "a", labels: { "kubernetes.io/metadata.name": "b", c: "d" } },
  });
  expect(object.metadata.labels).toEqual({ "kubernetes.io/metadata.name": "a", c: "d" });
  expect(object.status).toEqual({ phase: "Active" });
  const generated = ground.read({ metadata: { generateName: "a-" } });
  expect(generated.metadata.labels).toBeUndefined();
  generated.metadata.name = "a-1";
  definition.strategy.canonicalize?.(testWriteContext(), generated);
  expect(generated.metadata.labels).toEqual({ "kubernetes.io/metadata.name": "a-1" });
});

test("a new namespace is active and has the server's finalizer", () => {
  const object = ground.write({ ...namespace(["example.com/x"]), status: { phase: "Terminating" } });
  expect(object.spec.finalizers).toEqual(["example.com/x", "kubernetes"]);
  expect(object.status).toEqual({ phase: "Active" });
});

test("finalizers are qualified names, or the server's own", () => {
  expect(ground.createErrors(namespace(["example.com/x", "orphan"]))).toEqual([]);
  const unknown = 'Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified';
  expect(ground.createErrors(namespace(["x"]))).toEqual([`spec.finalizers: ${unknown}`]);
  expect(ground.updateErrors(namespace(), namespace(["kubernetes", "x"]), "finalize")).toEqual([
    `spec.finalizers[1]: ${unknown}`,
  ]);
});

test("only the subresources change finalizers and status", () => {
  const old = namespace(["kubernetes"]);
  const changed = { ...namespace(), status: { phase: "Terminating" } };
  expect(ground.rewrite(old, changed)).toMatchObject({
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
  expect(ground.rewrite(old, changed, "finalize")).toMatchObject({ spec: {}, status: { phase: "Active" } });
  expect(ground.rewrite(old, changed, "status")).toMatchObject({
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Terminating" },
  });
});

test("the phase says whether it is being deleted", () => {
  const errors = (phase: string, metadata: JsonObject): string[] =>
    ground.updateErrors(namespace(), { ...namespace([], metadata), status: { phase } }, "status");
  const deleted = { deletionTimestamp: "2022-01-01T00:00:00Z" };
  expect(errors("Active", {})).toEqual([]);
  expect(errors("Terminating", deleted)).toEqual([]);
  expect(errors("Terminating", {})).toEqual([
    "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
  ]);
  expect(errors("Active", deleted)).toEqual([
    "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
  ]);
});
