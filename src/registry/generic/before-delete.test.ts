import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import { configMaps } from "../../apis/core/config-map/resource.js";
import { strategy } from "../../apis/definition/base-strategy.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { checkPreconditions, planDeletion } from "./before-delete.js";
import type { DeleteOptions } from "./delete-options.js";

const now = new Date("2026-01-02T03:04:05Z");
// Deletion only looks at metadata, which every kind has.
const definition = configMaps(testApiContext()) as ResourceDefinition<ApiObject>;
const plain = strategy<ApiObject>();
const graceful = strategy<ApiObject>({
  gracefulDeletion: (_object, requested) => ({ gracePeriodSeconds: requested ?? 30 }),
});

function plan(
  meta: ObjectMeta,
  options: DeleteOptions = {},
  by: Strategy<ApiObject> = plain,
  { recordsPropagation = true, level }: { recordsPropagation?: boolean; level?: ApiLevel } = {},
) {
  const object: ApiObject = { metadata: { name: "a", uid: "u", resourceVersion: "7", ...meta } };
  const deleted = { ...definition, strategy: by, level };
  checkPreconditions(deleted, object, options);
  const { kind, ...rest } = planDeletion(deleted, object, options, {
    now,
    version: "v1",
    recordsPropagation,
  });
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers, generation } = object.metadata;
  return { kind, ...rest, deletionTimestamp, deletionGracePeriodSeconds, finalizers, generation };
}

test("an object that nothing holds is removed", () => {
  expect(plan({})).toMatchObject({ kind: "remove" });
});

test("finalizers hold it: it is marked, and its generation tells controllers", () => {
  expect(plan({ finalizers: ["example.com/x"], generation: 3 })).toMatchObject({
    kind: "mark",
    thenRemove: false,
    deletionTimestamp: "2026-01-02T03:04:05Z",
    deletionGracePeriodSeconds: 0,
    generation: 4,
  });
});

test("a second delete of what is marked changes nothing", () => {
  const marked = {
    finalizers: ["example.com/x"],
    deletionTimestamp: "2026-01-01T00:00:00Z",
    deletionGracePeriodSeconds: 0,
  };
  expect(plan(marked)).toMatchObject({ kind: "pending", deletionTimestamp: "2026-01-01T00:00:00Z" });
});

test.each([
  [{ propagationPolicy: "Foreground" }, ["foregroundDeletion"]],
  [{ propagationPolicy: "Orphan" }, ["orphan"]],
  [{ orphanDependents: true }, ["orphan"]],
])("%j is recorded as a finalizer", (options, finalizers) => {
  expect(plan({}, options)).toMatchObject({ kind: "mark", thenRemove: false, finalizers });
});

test("background takes the finalizers of an earlier wish away, and then nothing holds the object", () => {
  const meta = { finalizers: ["orphan"], deletionTimestamp: "2026-01-01T00:00:00Z" };
  expect(plan(meta, { propagationPolicy: "Background" })).toMatchObject({ kind: "remove" });
});

test("a kind may orphan by default, in some versions", () => {
  const elsewhere = strategy<ApiObject>({
    defaultPropagation: (version) => (version === "v1" ? "background" : "orphan"),
  });
  expect(plan({}, {}, elsewhere)).toMatchObject({ kind: "remove" });
  const orphaning = strategy<ApiObject>({ defaultPropagation: () => "orphan" });
  expect(plan({}, {}, orphaning)).toMatchObject({ kind: "mark", finalizers: ["orphan"] });
  expect(plan({}, { propagationPolicy: "Background" }, orphaning)).toMatchObject({ kind: "remove" });
});

test("a graceful kind stays for its grace period", () => {
  expect(plan({}, {}, graceful)).toMatchObject({
    kind: "mark",
    thenRemove: false,
    deletionTimestamp: "2026-01-02T03:04:35Z",
    deletionGracePeriodSeconds: 30,
  });
});

test("without a grace period a graceful kind is marked all the same before it goes", () => {
  const marked = { deletionTimestamp: "2026-01-02T03:04:05Z", deletionGracePeriodSeconds: 0 };
  expect(plan({}, { gracePeriodSeconds: 0 }, graceful)).toMatchObject({
    kind: "mark",
    thenRemove: true,
    ...marked,
  });
  const held = plan({ finalizers: ["example.com/x"] }, { gracePeriodSeconds: 0 }, graceful);
  expect(held).toMatchObject({ kind: "mark", thenRemove: false, ...marked });
  expect(plan(marked, {}, graceful)).toMatchObject({ kind: "remove" });
});

test("while a grace period runs, deletes that do not shorten it change nothing", () => {
  const meta = { deletionTimestamp: "2026-01-02T03:04:35Z", deletionGracePeriodSeconds: 30 };
  const ended = strategy<ApiObject>({ gracefulDeletion: () => ({ gracePeriodSeconds: 0 }) });
  expect(plan(meta, {}, ended)).toMatchObject({ kind: "pending", deletionGracePeriodSeconds: 30 });
  expect(plan(meta, { propagationPolicy: "Orphan" }, graceful)).toMatchObject({
    kind: "pending",
    finalizers: undefined,
  });
  const ended0 = plan({ ...meta, finalizers: ["example.com/x"] }, { gracePeriodSeconds: 0 }, graceful);
  expect(ended0).toMatchObject({
    kind: "mark",
    thenRemove: false,
    deletionTimestamp: "2026-01-02T03:04:05Z",
    deletionGracePeriodSeconds: 0,
  });
});

test("a kind with a termination is marked by the first delete, and removed by a later one that finds nothing left", () => {
  let isHeld = true;
  const begin = (object: ApiObject): void => {
    object.metadata.generation = 9;
  };
  const terminating = strategy<ApiObject>({ termination: { begin, isHeld: () => isHeld } });
  const marked = { deletionTimestamp: "2026-01-02T03:04:05Z" };
  expect(plan({}, {}, terminating)).toMatchObject({
    kind: "mark",
    thenRemove: false,
    generation: 9,
    ...marked,
    deletionGracePeriodSeconds: undefined,
  });
  expect(plan(marked, { propagationPolicy: "Orphan" }, terminating)).toMatchObject({
    kind: "pending",
    finalizers: undefined,
  });
  isHeld = false;
  expect(plan({}, {}, terminating)).toMatchObject({ kind: "mark", thenRemove: false });
  expect(plan(marked, {}, terminating)).toMatchObject({ kind: "remove" });
  const orphan = { propagationPolicy: "Orphan" } as const;
  expect(plan({}, orphan, terminating)).toMatchObject({ kind: "mark", finalizers: ["orphan"] });
  const ignorant = strategy<ApiObject>({
    termination: { begin, isHeld: () => false, ignoresPropagation: true },
  });
  expect(plan({}, orphan, ignorant)).toMatchObject({ kind: "mark", finalizers: undefined });
  expect(() => plan({}, { preconditions: { uid: "x" } }, terminating)).toThrow(
    'Operation cannot be fulfilled on configmaps "a": Precondition failed: UID in precondition: x, UID in object meta: u',
  );
});

test("a second delete may shorten the grace period, never lengthen it", () => {
  const meta = { deletionTimestamp: "2026-01-02T03:04:35Z", deletionGracePeriodSeconds: 30 };
  expect(plan(meta, { gracePeriodSeconds: 10 }, graceful)).toMatchObject({
    kind: "mark",
    deletionTimestamp: "2026-01-02T03:04:15Z",
    deletionGracePeriodSeconds: 10,
  });
  expect(plan(meta, { gracePeriodSeconds: 60 }, graceful)).toMatchObject({ kind: "pending" });
  expect(plan(meta, { gracePeriodSeconds: -5 }, graceful)).toMatchObject({
    kind: "mark",
    deletionGracePeriodSeconds: 1,
  });
  expect(plan({}, { gracePeriodSeconds: -5 }, graceful)).toMatchObject({ deletionGracePeriodSeconds: 1 });
});

test.each<[level: ApiLevel, requested: number, deletionTimestamp: string, seconds: number]>([
  ["1.32", 10, "2026-01-02T03:03:45Z", 10],
  ["1.33", 10, "2026-01-02T03:04:05Z", 1],
  ["1.33", 0, "2026-01-02T03:04:05Z", 0],
  ["1.33", 40, "2026-01-02T03:04:15Z", 40],
])(
  "at %s, a grace period shortened to %i s when 30 s of it are over ends at %s, after %i s",
  (level, requested, deletionTimestamp, seconds) => {
    const meta = { deletionTimestamp: "2026-01-02T03:04:35Z", deletionGracePeriodSeconds: 60 };
    expect(plan(meta, { gracePeriodSeconds: requested }, graceful, { level })).toMatchObject({
      kind: "mark",
      deletionTimestamp,
      deletionGracePeriodSeconds: seconds,
    });
  },
);

test.each([
  [{ uid: "other" }, "the UID in the precondition (other) does not match the UID in record (u)"],
  [
    { resourceVersion: "6" },
    "the ResourceVersion in the precondition (6) does not match the ResourceVersion in record (7)",
  ],
])("precondition %j that does not hold is 409", (preconditions, message) => {
  expect(() => plan({}, { preconditions })).toThrow(expect.objectContaining({ code: 409 }));
  expect(() => plan({}, { preconditions })).toThrow(message);
});

test("without a garbage collector policies leave no finalizers, and finalizers that are there are kept", () => {
  for (const propagationPolicy of ["Foreground", "Orphan", "Background"]) {
    expect(plan({}, { propagationPolicy }, plain, { recordsPropagation: false })).toEqual({ kind: "remove" });
    const held = plan({ finalizers: ["orphan"] }, { propagationPolicy }, plain, {
      recordsPropagation: false,
    });
    expect(held).toMatchObject({ kind: "mark", thenRemove: false, finalizers: ["orphan"] });
  }
});
