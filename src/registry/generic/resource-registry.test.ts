import { describe, expect, test, vi } from "vitest";
import { StatusError } from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { configMaps } from "../../apis/core/config-map/resource.js";
import type { ConfigMap } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { serverWriter, WriteScope } from "../../request/write-scope.js";
import { createObjectStore } from "../../storage/store/object-store.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import { createResourceCodec } from "./resource-codec.js";
import { ResourceRegistry, type ResourceRegistryParts } from "./resource-registry.js";
import type { RegistryHooks } from "./write-stages.js";

const user = { name: "jane", uid: "", groups: [], extra: {} };
const now = new Date("2022-01-02T03:04:05Z");
const definition = configMaps(testApiContext());

function open(
  hooks?: RegistryHooks<ConfigMap>,
  parts: Partial<
    Pick<ResourceRegistryParts<ConfigMap>, "definition" | "random" | "retriesGeneratedNames">
  > = {},
): ResourceRegistry<ConfigMap> {
  const codec = createResourceCodec(definition, "protobuf");
  const store = createObjectStore({ kv: new MemoryStore(), prefix: "/registry/configmaps/", codec });
  let last = 0;
  return new ResourceRegistry({
    definition,
    codec,
    store,
    hooks,
    random: { uid: () => `uid-${++last}`, nameSuffix: () => `x${++last}` },
    ...parts,
  });
}

function write(dryRun = false): WriteScope {
  return new WriteScope(serverWriter(user, now), { namespace: "ns", dryRun });
}

const agreed = async (): Promise<void> => undefined;
const newest = { kind: "mostRecent" } as const;
const refusal = new StatusError({ reason: "Forbidden", message: "no", code: 403 });

function map(name: string, meta: ConfigMap["metadata"] = {}): ConfigMap {
  return { metadata: { name, ...meta } };
}

/** An update that sets `data.a`. */
function setting(value: string, between: () => Promise<unknown> = agreed) {
  return {
    transform: async (current: { copy(): ConfigMap } | undefined): Promise<ConfigMap> => {
      const object = current?.copy() ?? map("a");
      object.data = { ...object.data, a: value };
      return object;
    },
    validate: async (): Promise<void> => void (await between()),
  };
}

/** Records the calls of hooks, in order. */
function noting(notes: string[]): RegistryHooks<ConfigMap> {
  const settled = (what: string) => async (stored: boolean) => void notes.push(`${what} ${stored}`);
  return {
    beforeCreate: async (_context, { metadata }) => settled(`create ${metadata.name}`),
    beforeUpdate: async (_context, { data }) => settled(`update ${data?.a}`),
    afterDelete: async ({ metadata }) => void notes.push(`deleted ${metadata.name}`),
  };
}

test("hooks learn whether the object they prepared was stored, once for each attempt", async () => {
  const notes: string[] = [];
  const registry = open(noting(notes));
  await registry.create(write(), map("a"));
  await expect(registry.create(write(), map("a"))).rejects.toMatchObject({ code: 409 });
  await expect(registry.create(write(), map("b"), { validate: () => Promise.reject(refusal) })).rejects.toBe(
    refusal,
  );
  await expect(registry.create(write(), map("b c"))).rejects.toMatchObject({ code: 422 });
  await registry.create(write(true), map("dry"));
  expect(notes.splice(0)).toEqual([
    "create a true",
    "create a false",
    "create b false",
    "create b c false",
    "create dry true",
  ]);
  await expect(
    registry.update(
      write(),
      "a",
      setting("no", () => Promise.reject(refusal)),
    ),
  ).rejects.toBe(refusal);
  let isOvertaken = false;
  await registry.update(
    write(),
    "a",
    setting("slow", async () => {
      if (isOvertaken) return;
      isOvertaken = true;
      await registry.update(write(), "a", setting("fast"));
    }),
  );
  expect(notes.splice(0)).toEqual([
    "update no false",
    "update fast true",
    "update slow false",
    "update slow true",
  ]);
  await registry.delete(write(true), "a", {}, agreed);
  expect(notes).toEqual([]);
  await registry.delete(write(), "a", {}, agreed);
  expect(notes).toEqual(["deleted a"]);
});

test("the server's own writes wait before each of their stages for what their context says", async () => {
  const notes: string[] = [];
  const registry = open({
    problems: async () => {
      notes.push("checked");
      return [];
    },
  });
  const context = write();
  context.beforeStage = async () => void notes.push("stage");
  await registry.create(context, map("a"));
  expect(notes.splice(0)).toEqual(["stage", "checked", "stage"]);
  await registry.change(context, "a", () => void notes.push("changed"));
  expect(notes.splice(0)).toEqual(["stage", "stage", "changed", "stage", "checked", "stage"]);
  await registry.delete(context, "a", {});
  expect(notes.splice(0)).toEqual(["stage", "stage"]);
});

test("the last change of an object that ends is printed in a stage of its own", async () => {
  const registry = open();
  await registry.create(write(), map("a", { finalizers: ["example.org/held"] }));
  await registry.delete(write(), "a", {});
  const context = write();
  const stages = vi.fn(async () => undefined);
  context.beforeStage = stages;
  const stored = await registry.change(context, "a", ({ metadata }) => {
    metadata.finalizers = [];
  });
  expect(stages).toHaveBeenCalledTimes(5);
  expect(stored.decode().metadata.finalizers).toBeUndefined();
});

test("the identity, the time and a made-up name are the server's", async () => {
  const registry = open();
  const sent = map("", { generateName: "made-", uid: "mine", creationTimestamp: "2000-01-01T00:00:00Z" });
  const { metadata } = (await registry.create(write(), sent)).decode();
  expect(metadata).toMatchObject({
    name: "made-x2",
    uid: "uid-1",
    namespace: "ns",
    creationTimestamp: "2022-01-02T03:04:05Z",
  });
  await expect(open().create(write(), map(""))).rejects.toMatchObject({ code: 422 });
});

describe("a generated name that is taken", () => {
  const suffixes = (...given: readonly string[]) => {
    const left = [...given];
    return { uid: () => "uid", nameSuffix: () => left.shift() ?? "last" };
  };
  const taken = "a-a a-b a-c a-d a-e a-f a-g a-h".split(" ");

  test("is a conflict without retries", async () => {
    const registry = open({}, { random: suffixes("a", "b") });
    await registry.create(write(), map("a-a"));
    await expect(registry.create(write(), map("", { generateName: "a-" }))).rejects.toMatchObject({
      code: 409,
    });
  });

  test("is made anew seven times", async () => {
    const notes: string[] = [];
    const registry = open(noting(notes), {
      random: suffixes("a", "b", "c", "d", "e", "f", "g", "i"),
      retriesGeneratedNames: true,
    });
    for (const name of taken) await registry.create(write(), map(name));
    notes.length = 0;
    const sent = map("", { generateName: "a-", labels: { kept: "yes" } });
    const { metadata } = (await registry.create(write(), sent)).decode();
    expect(metadata).toMatchObject({ name: "a-i", labels: { kept: "yes" } });
    expect(notes).toEqual([..."abcdefg"].map((x) => `create a-${x} false`).concat("create a-i true"));
  });

  test("is a conflict after eight", async () => {
    const registry = open(undefined, {
      random: suffixes(..."abcdefghi"),
      retriesGeneratedNames: true,
    });
    for (const name of taken) await registry.create(write(), map(name));
    await expect(registry.create(write(), map("", { generateName: "a-" }))).rejects.toMatchObject({
      code: 409,
      status: { message: expect.stringContaining("the server was not able to generate a unique name") },
    });
  });
});

test("an update that may create what is missing finds what another made meanwhile", async () => {
  const registry = open();
  let isOvertaken = false;
  const { created, stored } = await registry.update(write(), "a", {
    ...setting("mine"),
    createIfMissing: true,
    validate: async () => {
      if (isOvertaken) return;
      isOvertaken = true;
      await registry.create(write(), { ...map("a"), data: { other: "theirs" } });
    },
  });
  expect([created, stored.decode().data]).toEqual([false, { a: "mine", other: "theirs" }]);
  await expect(registry.update(write(), "b", setting("x"))).rejects.toMatchObject({ code: 404 });
  const missing = { ...setting("x"), createIfMissing: true, uid: "wanted" };
  await expect(registry.update(write(), "b", missing)).rejects.toMatchObject({ code: 409 });
});

test.each<[level: ApiLevel, code: number]>([
  ["1.33", 409],
  ["1.34", 404],
])("at %s, an update of an object that was deleted is %d", async (level, code) => {
  const registry = open({}, { definition: { ...definition, level } });
  const update = { ...setting("x"), uid: "deleted" };
  await expect(registry.update(write(), "b", update)).rejects.toMatchObject({ code });
  await expect(registry.update(write(true), "b", update)).rejects.toMatchObject({ code });
});

test.each<[level: ApiLevel, shown: "last change" | "deletion"]>([
  ["1.25", "last change"],
  ["1.26", "deletion"],
])("at %s, a removed object is shown at the revision of its %s", async (level, shown) => {
  const registry = open({}, { definition: { ...definition, level } });
  const { revision } = await registry.create(write(), map("a"));
  const dryRun = await registry.delete(write(true), "a", {});
  expect(dryRun).toMatchObject({ removed: true, stored: { revision } });
  const { removed, stored } = await registry.delete(write(), "a", {});
  const expected = shown === "deletion" ? revision + 1 : revision;
  expect([removed, stored.revision, stored.decode().metadata]).toMatchObject([
    true,
    expected,
    { name: "a", resourceVersion: String(expected) },
  ]);
});

test("a finalizer that appears before the removal holds the object", async () => {
  const registry = open();
  await registry.create(write(), map("a"));
  const { metadata: held } = map("a", { finalizers: ["example.org/hold"] });
  let isHeld = false;
  const { removed, stored } = await registry.delete(write(), "a", {}, async () => {
    if (isHeld) return;
    isHeld = true;
    await registry.update(write(), "a", {
      transform: async (current) => {
        const object = current?.copy() ?? map("a");
        object.metadata.finalizers = held.finalizers;
        return object;
      },
      validate: agreed,
    });
  });
  expect([removed, stored.decode().metadata]).toMatchObject([
    false,
    { finalizers: ["example.org/hold"], deletionTimestamp: "2022-01-02T03:04:05Z" },
  ]);
  expect((await registry.get("ns", "a", newest)).decode().metadata.deletionTimestamp).toBeDefined();
});

test("a delete that changes nothing of one that is under way is not admitted", async () => {
  const strategy = { ...definition.strategy, gracefulDeletion: () => ({ gracePeriodSeconds: 30 }) };
  const registry = open({}, { definition: { ...definition, strategy } });
  await registry.create(write(), map("a"));
  let admitted = 0;
  const remove = (gracePeriodSeconds?: number) =>
    registry.delete(write(), "a", { gracePeriodSeconds }, async () => void admitted++);
  await remove();
  await remove();
  await remove(40);
  expect(admitted).toBe(1);
  await remove(5);
  expect(admitted).toBe(2);
});

test("taking the last finalizer of what is being deleted removes it, unless it was changed meanwhile", async () => {
  const notes: string[] = [];
  const registry = open(noting(notes));
  await registry.create(write(), map("a", { finalizers: ["example.org/hold"] }));
  await registry.delete(write(), "a", {}, agreed);
  const release = {
    transform: async (current: { copy(): ConfigMap } | undefined): Promise<ConfigMap> => {
      const object = current?.copy() ?? map("a");
      object.metadata.finalizers = undefined;
      return object;
    },
    validate: agreed,
  };
  const dry = await registry.update(write(true), "a", release);
  expect(dry.stored.decode().metadata.finalizers).toBeUndefined();
  expect((await registry.get("ns", "a", newest)).decode().metadata.finalizers).toHaveLength(1);
  notes.length = 0;
  let isOvertaken = false;
  await registry.update(write(), "a", {
    ...release,
    validate: async () => {
      if (isOvertaken) return;
      isOvertaken = true;
      await registry.update(write(), "a", setting("meanwhile"));
    },
  });
  expect(notes).toEqual([
    "update meanwhile true",
    "update undefined false",
    "update meanwhile false",
    "deleted a",
  ]);
  await expect(registry.get("ns", "a", newest)).rejects.toMatchObject({ code: 404 });
});

test("preconditions are those of the object that is removed, not of the one that was first seen", async () => {
  const registry = open();
  const { revision } = await registry.create(write(), map("a"));
  let isChanged = false;
  const preconditions = { uid: "uid-1", resourceVersion: String(revision) };
  await expect(
    registry.delete(write(), "a", { preconditions }, async () => {
      if (isChanged) return;
      isChanged = true;
      await registry.update(write(), "a", setting("newer"));
    }),
  ).rejects.toMatchObject({ code: 409 });
  expect((await registry.get("ns", "a", newest)).decode().data).toEqual({ a: "newer" });
});
