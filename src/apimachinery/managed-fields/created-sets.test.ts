import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import { exampleDeclarations, linkExample } from "../patch/testing/example-types.js";
import { MergeTypes } from "../schema/merge-type.js";
import { structType } from "../schema/testing/struct-type.js";
import { atOnce } from "../testing/at-once.js";
import { CreatedSets } from "./created-sets.js";
import { FieldManager } from "./field-manager.js";
import { fieldSetOf } from "./field-set.js";

const type = new MergeTypes({ mayOmitKeys: false }).of(
  linkExample(exampleDeclarations, "example/v1.Workload"),
);

function newManager(): FieldManager {
  return new FieldManager(
    { typeAt: () => type, convert: (object) => object },
    {
      lastAppliedAnnotation: "example.com/last-applied",
    },
  );
}

const write = {
  manager: "test",
  apiVersion: "example/v1",
  subresource: "",
  now: new Date("2024-01-01T00:00:00Z"),
  scope: { signal: new AbortController().signal },
};

const few = fc.constantFrom("", "a", "b", "a1:b", "<&>");
const maybe = { requiredKeys: [] };
const container = fc.record({ name: few, image: few }, maybe);
const condition = fc.record({ type: few, status: few }, maybe);
const object: fc.Arbitrary<JsonObject> = fc.record(
  {
    metadata: fc.record(
      {
        labels: fc.dictionary(few, few, { maxKeys: 2 }),
        creationTimestamp: fc.constantFrom(null, "2024-01-01T00:00:00Z"),
        finalizers: fc.array(few, { maxLength: 2 }),
        ownerReferences: fc.array(fc.record({ uid: few, name: few }), { maxLength: 2 }),
      },
      maybe,
    ),
    spec: fc.record(
      {
        replicas: fc.constantFrom(0, 1),
        strategy: fc.record({ type: few }, maybe),
        containers: fc.array(container, { maxLength: 2 }),
        numbers: fc.array(fc.nat(2), { maxLength: 2 }),
        weights: fc.dictionary(few, fc.nat(1), { maxKeys: 2 }),
        unknown: fc.constantFrom(null, 1, "x", [], [1], {}, { a: 1 }),
      },
      maybe,
    ),
    status: fc.record({ replicas: fc.nat(1), conditions: fc.array(condition, { maxLength: 2 }) }, maybe),
  },
  maybe,
);

test("what a created object's manager owns does not depend on what was created before", () => {
  const used = newManager();
  fc.assert(
    fc.property(object, (created) => {
      const entries = atOnce(used.update(undefined, created, write));
      const fresh = atOnce(newManager().update(undefined, created, write));
      expect(JSON.stringify(entries)).toBe(JSON.stringify(fresh));
    }),
    { numRuns: 2000 },
  );
});

test("objects that differ in values alone share one set, which nobody can change", () => {
  const manager = newManager();
  const [first] = atOnce(manager.update(undefined, { spec: { replicas: 1 } }, write));
  const [second] = atOnce(manager.update(undefined, { spec: { replicas: 2 } }, write));
  const [other] = atOnce(manager.update(undefined, { spec: { replicas: 2, paused: true } }, write));
  expect(first?.fieldsV1).toEqual({ "f:spec": { "f:replicas": {} } });
  expect(second?.fieldsV1).toBe(first?.fieldsV1);
  expect(Object.isFrozen(first?.fieldsV1?.["f:spec"])).toBe(true);
  expect(other?.fieldsV1).not.toEqual(first?.fieldsV1);
});

test("a set can be added to after it was shared", () => {
  const manager = newManager();
  const created = { metadata: { uid: "u" }, spec: { replicas: 1 } };
  const managedFields = atOnce(manager.update(undefined, created, write));
  const live = JSON.parse(JSON.stringify({ ...created, metadata: { uid: "u", managedFields } }));
  const entries = atOnce(manager.update(live, { ...live, spec: { replicas: 1, paused: true } }, write));
  expect(entries[0]?.fieldsV1).toEqual({ "f:spec": { "f:paused": {}, "f:replicas": {} } });
  expect(managedFields[0]?.fieldsV1).toEqual({ "f:spec": { "f:replicas": {} } });
});

/** Uses a type that only the sets know then. */
function useType(sets: CreatedSets): WeakRef<object> {
  const fresh = structType(new Map());
  sets.of({ a: 1 }, fresh, undefined, () => fieldSetOf(["a"]));
  return new WeakRef(fresh);
}

test("a type is freed when nobody else holds it", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const sets = new CreatedSets();
  const used = useType(sets);
  // A WeakRef holds its value until the turn ends.
  await new Promise(setImmediate);
  collect();
  expect(used.deref()).toBeUndefined();
});
