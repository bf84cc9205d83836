import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject, WatchEventType, WatchRequest, WatchSink } from "../../storage/object-store.js";
import { silentLog } from "../../telemetry/testing/silent-log.js";
import { systemClock } from "../../time/clock.js";
import type { ControllerContext } from "../controller.js";
import { GarbageCollector } from "./garbage-collector.js";

const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "owner-uid" }];
const owner = stored({ metadata: { namespace: "default", name: "owner", uid: "owner-uid" } });
const dependent = stored({
  metadata: { namespace: "default", name: "dependent", uid: "dependent-uid", ownerReferences },
});

/** Config maps whose events and answers the test controls. */
class FakeRegistry {
  readonly definition = { kind: "ConfigMap", group: "", namespaced: true, versions: [{ version: "v1" }] };
  readonly deleted: string[] = [];
  /** Pending lookups. */
  readonly asked: { answer(found: StoredObject<ApiObject> | undefined): void }[] = [];
  #sink: WatchSink<ApiObject> | undefined;

  async watch(_request: WatchRequest, sink: WatchSink<ApiObject>) {
    this.#sink = sink;
    return { stop: () => undefined };
  }

  find(): Promise<StoredObject<ApiObject> | undefined> {
    return new Promise((answer) => void this.asked.push({ answer }));
  }

  async list() {
    return { items: [] };
  }

  async delete(_context: unknown, name: string): Promise<void> {
    this.deleted.push(name);
  }

  tell(type: WatchEventType, object: StoredObject<ApiObject>): void {
    this.#sink?.events([{ type, object, revision: object.revision }]);
  }
}

function stored(object: ApiObject): StoredObject<ApiObject> {
  const { namespace, name } = object.metadata;
  // All that the collector reads of a stored object.
  return {
    key: `${namespace}/${name}`,
    body: Buffer.from(JSON.stringify(object).slice(1)),
  } as unknown as StoredObject<ApiObject>;
}

async function collecting(registry: FakeRegistry): Promise<GarbageCollector> {
  // All that the collector uses of a registry.
  const configMaps = registry as unknown as ResourceRegistry;
  const context: ControllerContext = {
    builtin: () => configMaps as never,
    registries: () => [configMaps],
    onRegistries: () => () => undefined,
    log: silentLog,
    fieldManager: "apiserver",
    clock: systemClock,
    now: () => new Date(),
  };
  const collector = new GarbageCollector(context);
  await collector.start();
  return collector;
}

test("a dependent whose owner is deleted while it is processed is deleted, too", async () => {
  const registry = new FakeRegistry();
  const collector = await collecting(registry);
  registry.tell("ADDED", dependent);
  await expect.poll(() => registry.asked).toHaveLength(1);

  registry.tell("DELETED", owner);
  // The answer is older than the deletion.
  registry.asked[0]?.answer(owner);
  await expect.poll(() => registry.asked).toHaveLength(2);
  registry.asked[1]?.answer(undefined);
  await expect.poll(() => registry.deleted).toEqual(["dependent"]);
  await collector.stop();
});

test("an object that thousands of owner references name is read once", async () => {
  const registry = new FakeRegistry();
  const collector = await collecting(registry);
  const references = Array.from({ length: 5000 }, (_, i) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: "owner",
    uid: `uid-${i}`,
  }));
  registry.tell(
    "ADDED",
    stored({ metadata: { namespace: "default", name: "many", uid: "many", ownerReferences: references } }),
  );
  await expect.poll(() => registry.asked).toHaveLength(1);
  registry.asked[0]?.answer(owner);
  // No owner has that uid.
  await expect.poll(() => registry.deleted).toEqual(["many"]);
  expect(registry.asked).toHaveLength(1);
  await collector.stop();
});

test("yields to other work while it processes thousands of owner references", async () => {
  const registry = new FakeRegistry();
  const collector = await collecting(registry);
  const references = Array.from({ length: 5000 }, (_, i) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    name: "owner",
    uid: `uid-${i}`,
  }));
  let milliseconds = 0;
  // Each look at the clock takes a millisecond.
  const clock = vi.spyOn(performance, "now").mockImplementation(() => ++milliseconds);
  let rounds = 0;
  try {
    registry.tell(
      "ADDED",
      stored({ metadata: { namespace: "default", name: "many", uid: "many", ownerReferences: references } }),
    );
    // No lookup follows in the round of the event loop in which the object was read.
    expect(registry.asked).toHaveLength(0);
    while (registry.asked.length === 0) await nextRound();
    registry.asked[0]?.answer(owner);
    for (; registry.deleted.length === 0; rounds++) await nextRound();
  } finally {
    clock.mockRestore();
  }
  expect(rounds).toBeGreaterThan(500);
  await collector.stop();
});
