import { expect, test, vi } from "vitest";
import { configMaps } from "../../apis/core/config-map/resource.js";
import type { ConfigMap } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { serverWriter, WriteScope } from "../../request/write-scope.js";
import type { ObjectStore, StoredObject } from "../../storage/object-store.js";
import { createObjectStore } from "../../storage/store/object-store.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import { createResourceCodec } from "./resource-codec.js";
import { ResourceRegistry } from "./resource-registry.js";

const definition = configMaps(testApiContext());
const hold = { finalizers: ["example.org/hold"] };
const newest = { kind: "mostRecent" } as const;

/** A registry whose writes start from `copy`, if set, as from a cache that lags behind. */
class Ground {
  copy: StoredObject<ConfigMap> | undefined;
  readonly codec = createResourceCodec(definition, "protobuf");
  readonly registry: ResourceRegistry<ConfigMap>;
  readonly #store: ObjectStore<ConfigMap>;

  constructor() {
    const { codec } = this;
    const store = createObjectStore({ kv: new MemoryStore(), prefix: "/registry/configmaps/", codec });
    this.#store = {
      get: (key, at) => store.get(key, at),
      list: (request) => store.list(request),
      watch: (request, sink) => store.watch(request, sink),
      count: () => store.count(),
      currentRevision: () => store.currentRevision(),
      create: (key, object, options) => store.create(key, object, options),
      begin: (key) => (this.copy === undefined ? store.begin(key) : { key, object: this.copy }),
      newerThan: (state) => store.newerThan(state),
      replace: (state, object, options) => store.replace(state, object, options),
      remove: (state) => store.remove(state),
      removeUnreadable: (key) => store.removeUnreadable(key),
    };
    let last = 0;
    this.registry = new ResourceRegistry({
      definition,
      codec,
      store: this.#store,
      random: { uid: () => `uid-${++last}`, nameSuffix: () => "x" },
    });
  }

  write(): WriteScope {
    const user = { name: "jane", uid: "", groups: [], extra: {} };
    return new WriteScope(serverWriter(user, new Date("2022-01-02T03:04:05Z")), {
      namespace: "ns",
      dryRun: false,
    });
  }

  create(metadata: ConfigMap["metadata"] = {}): Promise<StoredObject<ConfigMap>> {
    return this.registry.create(this.write(), { metadata: { name: "a", ...metadata } });
  }

  async data(): Promise<ConfigMap["data"]> {
    return (await this.registry.get("ns", "a", newest)).decode().data;
  }
}

test("what an outdated copy refuses is tried again with the newest object", async () => {
  const ground = new Ground();
  const { registry } = ground;
  const copy = await ground.create();
  await registry.change(ground.write(), "a", (object) => {
    object.data = { ready: "yes" };
  });
  ground.copy = copy;
  const seen: (ConfigMap["data"] | undefined)[] = [];
  await registry.change(ground.write(), "a", (object) => {
    seen.push(object.data);
    if (object.data === undefined) throw new Error("not ready");
    object.data = { ...object.data, taken: "yes" };
  });
  expect(seen).toEqual([undefined, { ready: "yes" }]);
  expect(await ground.data()).toEqual({ ready: "yes", taken: "yes" });
});

test("an error after the copy was found to be the newest is the caller's", async () => {
  const ground = new Ground();
  ground.copy = await ground.create();
  const refusal = new Error("no");
  const refused = ground.registry.change(ground.write(), "a", () => {
    throw refusal;
  });
  const decode = vi.spyOn(ground.codec, "fromStorage");
  await expect(refused).rejects.toBe(refusal);
  expect(decode).not.toHaveBeenCalled();
});

test("a delete does not take an object for one of its name that was being deleted", async () => {
  const ground = new Ground();
  const { registry } = ground;
  await ground.create(hold);
  const { stored: pending } = await registry.delete(ground.write(), "a", {});
  await registry.change(ground.write(), "a", ({ metadata }) => {
    metadata.finalizers = undefined;
  });
  await ground.create();
  ground.copy = pending;
  expect((await registry.delete(ground.write(), "a", {})).removed).toBe(true);
  await expect(registry.get("ns", "a", newest)).rejects.toMatchObject({ code: 404 });
});
