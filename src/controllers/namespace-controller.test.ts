import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ApiObject } from "../apimachinery/objects/meta.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import type { StoredObject, WatchRequest, WatchSink } from "../storage/object-store.js";
import { silentLog } from "../telemetry/testing/silent-log.js";
import { systemClock } from "../time/clock.js";
import { type ControllerContext, serverWrite } from "./controller.js";
import { NamespaceController } from "./namespace-controller.js";
import { TestRegistries } from "./testing/registries.js";

const finalizer = "orch";
const namespace = {
  metadata: { name: "full", deletionTimestamp: "2022-01-01T00:00:00Z" },
  spec: { finalizers: [finalizer] },
  status: { phase: "Terminating" },
};

/** A namespace that is terminating, with config maps whose deletion takes a turn of the event loop. */
class FakeStore {
  readonly deleted: string[] = [];
  deletingNow = 0;
  deletingMost = 0;
  released = 0;
  readonly #names: Set<string>;

  constructor(count: number) {
    this.#names = new Set(Array.from({ length: count }, (_, index) => `full/map-${index}`));
  }

  readonly namespaces = {
    definition: {
      namespaced: false,
      subresources: ["status", "finalize"].map((name) => ({ name, kind: "part", strategy: { of: name } })),
    },
    watch: async (_request: WatchRequest, sink: WatchSink<ApiObject>) => {
      const object = { key: "full", fields: { "status.phase": "Terminating" } };
      sink.events([{ type: "ADDED", object: stored(object), revision: stored(object).revision }]);
      return { stop: () => undefined };
    },
    find: async () => ({ decode: () => namespace }),
    change: async (_write: unknown, _name: unknown, _change: unknown, by: { strategy: { of: string } }) => {
      if (by.strategy.of === "finalize") this.released++;
    },
  };

  readonly configMaps = {
    definition: { namespaced: true, resource: "configmaps", group: "" },
    count: async () => this.#names.size,
    list: async () => ({ items: [...this.#names].map((key) => ({ key })) }),
    delete: async (_context: unknown, name: string) => {
      this.deletingNow++;
      this.deletingMost = Math.max(this.deletingMost, this.deletingNow);
      await setImmediate();
      this.deletingNow--;
      this.#names.delete(`full/${name}`);
      this.deleted.push(name);
      return { removed: true } as { removed: boolean; stored?: unknown };
    },
  };

  context(): ControllerContext {
    // The controller uses no more of registries than the fakes have.
    const namespaces = this.namespaces as unknown as ResourceRegistry;
    const configMaps = this.configMaps as unknown as ResourceRegistry;
    return {
      builtin: () => namespaces as never,
      onRegistries: () => () => undefined,
      registries: () => [namespaces, configMaps],
      log: silentLog,
      fieldManager: "apiserver",
      clock: systemClock,
      now: () => new Date(),
    };
  }
}

function stored(object: object): StoredObject<ApiObject> {
  return object as StoredObject<ApiObject>; // what the controller looks at
}

test("a namespace is emptied by concurrent deletes, each object once, and then finalized", async () => {
  const store = new FakeStore(200);
  const controller = new NamespaceController(store.context(), {
    finalizer,
    prefix: "orch",
    podsFirst: false,
  });
  await controller.start();
  await expect.poll(() => store.released).toBe(1);
  expect(new Set(store.deleted).size).toBe(200);
  expect(store.deleted).toHaveLength(200);
  expect(store.deletingMost).toBeGreaterThan(1);
  await controller.stop();
});

test("a stop does not wait until a namespace is empty, and does not finalize it", async () => {
  const store = new FakeStore(100_000);
  const controller = new NamespaceController(store.context(), {
    finalizer,
    prefix: "orch",
    podsFirst: false,
  });
  await controller.start();
  await expect.poll(() => store.deleted.length).toBeGreaterThan(0);
  await controller.stop();
  expect(store.deletingNow).toBe(0);
  expect(store.deleted.length).toBeLessThan(100_000);
  expect(store.released).toBe(0);
});

test("an object that cannot be deleted does not stop the deletion of others, and is reported", async () => {
  const store = new FakeStore(3);
  const conditions: unknown[] = [];
  const failing = { ...store.configMaps, definition: { namespaced: true, resource: "secrets", group: "" } };
  failing.delete = async () => {
    throw new Error("refused");
  };
  const context: ControllerContext = {
    ...store.context(),
    registries: () => [failing, store.configMaps] as unknown as ResourceRegistry[], // as far as it is used
  };
  store.namespaces.change = async (_write, _name, made) => {
    const change = made as (object: { status?: { conditions?: unknown[] } }) => void;
    const object: { status?: { conditions?: unknown[] } } = { status: {} };
    change(object);
    conditions.push(...(object.status?.conditions ?? []));
  };
  const controller = new NamespaceController(context, { finalizer, prefix: "orch", podsFirst: false });
  await controller.start();
  await expect
    .poll(() => conditions)
    .toContainEqual(
      expect.objectContaining({
        type: "NamespaceDeletionContentFailure",
        status: "True",
        reason: "ContentDeletionFailed",
        message: "Failed to delete all resource types, 1 remaining: refused",
      }),
    );
  await controller.stop();
  expect(store.deleted).toHaveLength(3);
});

test("the event loop goes on while very many objects are looked at that finalizers hold", async () => {
  const objects = 200_000;
  const store = new FakeStore(objects);
  let tried = 0;
  store.configMaps.delete = async () => {
    tried++;
    const held = { metadata: { finalizers: ["example.com/hold"] } };
    return { removed: false, stored: { decode: () => held } };
  };
  const controller = new NamespaceController(store.context(), {
    finalizer,
    prefix: "orch",
    podsFirst: false,
  });
  await controller.start();
  await expect.poll(() => tried, { interval: 0 }).toBeGreaterThan(0);
  expect(tried).toBeLessThan(objects);
  await controller.stop();
});

test.each([true, false])(
  "pods first %s: other objects stay until the pods are gone, or do not",
  async (podsFirst) => {
    const store = new FakeStore(3);
    let held = true;
    let tried = 0;
    const pods = {
      definition: { namespaced: true, resource: "pods", group: "" },
      count: async () => 1,
      list: async () => ({ items: [{ key: "full/pod" }] }),
      delete: async () => {
        tried++;
        return {
          removed: !held,
          stored: { decode: () => ({ metadata: { finalizers: ["example.com/hold"] } }) },
        };
      },
    };
    const context: ControllerContext = {
      ...store.context(),
      registries: () => [store.configMaps, pods] as unknown as ResourceRegistry[], // as far as it is used
    };
    const controller = new NamespaceController(context, { finalizer, prefix: "orch", podsFirst });
    await controller.start();
    await expect.poll(() => tried).toBeGreaterThan(1);
    expect(store.deleted).toHaveLength(podsFirst ? 0 : 3);
    held = false;
    await expect.poll(() => store.deleted).toHaveLength(3);
    await controller.stop();
  },
);

test("a namespace that only finalizers hold no longer reports remaining content", async () => {
  const registries = new TestRegistries(["configmaps", "namespaces"]);
  await registries.create("namespaces", { metadata: { name: "ns" }, spec: { finalizers: ["a.b/c"] } });
  const held = { name: "held", namespace: "ns", finalizers: ["a.b/c"] };
  await registries.create("configmaps", { metadata: held });
  const { context } = registries;
  const controller = new NamespaceController(context, {
    finalizer: "kubernetes",
    prefix: "kubernetes",
    podsFirst: false,
  });
  await controller.start();
  await registries.remove("namespaces", "ns");
  const find = async () =>
    (await context.builtin("namespaces").find("", "ns", { kind: "mostRecent" }))?.decode();
  const told = async () =>
    (await find())?.status?.conditions?.filter(({ status }) => status === "True").map(({ type }) => type);
  await expect.poll(told).toEqual(["NamespaceContentRemaining", "NamespaceFinalizersRemaining"]);
  const write = serverWrite(context, "ns");
  await context.builtin("configmaps").change(write, "held", ({ metadata }) => {
    metadata.finalizers = [];
  });
  await expect.poll(told).toEqual([]);
  await expect.poll(async () => (await find())?.spec?.finalizers).toEqual(["a.b/c"]);
  await controller.stop();
});
