import { afterEach, expect, test } from "vitest";
import type { ApiObject } from "../../apimachinery/meta.js";
import { builtinResources } from "../../apis/builtin-resources.js";
import { QuotaEvaluators } from "../../apis/core/resource-quota/evaluators.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { testApiContext, testWriteContext } from "../../apis/testing/api-context.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import { createObjectStore } from "../../storage/store/object-store.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import { writeStatus } from "../status-write.js";
import { ResourceQuotaController } from "./resource-quota-controller.js";

const apiContext = testApiContext();
const definitions = builtinResources(apiContext);
const running: ResourceQuotaController[] = [];

afterEach(async () => {
  for (const controller of running.splice(0)) await controller.stop();
});

/** Registries of quotas, pods and config maps, and a clock. */
function ground() {
  const clock = { now: 1_700_000_000_000 };
  const registries = new Map(
    ["resourcequotas", "pods", "configmaps"].map((resource) => {
      const definition = definitions.find((candidate) => candidate.resource === resource);
      if (definition === undefined) throw new Error(`no resource ${resource}`);
      const codec = createResourceCodec(definition, "json");
      const store = createObjectStore<ApiObject>({ kv: new MemoryStore(), prefix: `/${resource}/`, codec });
      const random = { uid: () => "uid", nameSuffix: () => "abcde" };
      return [resource, new ResourceRegistry({ definition, store, codec, random })];
    }),
  );
  const registry = (resource: string): ResourceRegistry => {
    const found = registries.get(resource);
    if (found === undefined) throw new Error(`no resource ${resource}`);
    return found;
  };
  const write = { ...testWriteContext(), signal: new AbortController().signal, warn() {} };
  const context = {
    registry: (_group: string, resource: string) => registry(resource),
    registries: () => registries.values(),
    onRegistries: () => () => undefined,
    log: { info() {}, warn() {}, error() {}, verbose() {} },
    now: () => new Date(clock.now),
  };
  const create = async (resource: string, json: object) => {
    const { definition } = registry(resource);
    const [version] = definition.versions;
    if (version === undefined) throw new Error("the resource has a version");
    const view = createVersionedView(definition, version);
    await registry(resource).create(write, view.toHub(view.fromJson(json as never)), async () => {});
  };
  return {
    clock,
    create,
    createQuota: (hard: object, spec: object = {}) =>
      create("resourcequotas", { metadata: { name: "q", namespace: "ns" }, spec: { hard, ...spec } }),
    remove: (resource: string, name: string) =>
      registry(resource).delete(write, name, { gracePeriodSeconds: 0 }, async () => {}),
    start: async () => {
      const controller = new ResourceQuotaController(context, new QuotaEvaluators(apiContext.naming));
      running.push(controller);
      await controller.start();
    },
    charge: (used: Record<string, string>) =>
      writeStatus(context, registry("resourcequotas"), {
        namespace: "ns",
        name: "q",
        as: "admin",
        change: (object) => {
          const { status } = object as ResourceQuota; // what the resource holds
          status.used = { ...status.used, ...used };
        },
      }),
    used: async () => {
      const stored = await registry("resourcequotas").get("ns", "q", { kind: "mostRecent" });
      return (stored.decode() as ResourceQuota).status.used;
    },
  };
}

const pod = (name: string, spec: object = {}) => ({
  metadata: { name, namespace: "ns" },
  spec: { containers: [{ name: "a", image: "a", resources: { requests: { cpu: "250m" } } }], ...spec },
});
const configMap = (name: string) => ({ metadata: { name, namespace: "ns" } });

test("a quota is counted at the start, by its scopes, and names that nothing counts are left out", async () => {
  const { create, createQuota, start, used } = ground();
  await create("pods", pod("a"));
  await create("pods", pod("b", { activeDeadlineSeconds: 5 }));
  await createQuota(
    { pods: "9", "requests.cpu": "9", "count/boats.example.com": "1" },
    { scopes: ["NotTerminating"] },
  );
  await start();
  await expect.poll(used).toEqual({ pods: "1", "requests.cpu": "250m" });
});

test("objects that come and go are counted", async () => {
  const { clock, create, createQuota, remove, start, used } = ground();
  await createQuota({ configmaps: "9" });
  await start();
  await expect.poll(used).toEqual({ configmaps: "0" });
  await create("configmaps", configMap("a"));
  await create("configmaps", configMap("b"));
  await expect.poll(used).toEqual({ configmaps: "2" });
  clock.now += 60_000;
  await remove("configmaps", "a");
  await expect.poll(used).toEqual({ configmaps: "1" });
});

test("what was charged a moment ago stays, though its object was not stored yet", async () => {
  const { clock, create, createQuota, remove, charge, start, used } = ground();
  await create("configmaps", configMap("a"));
  await createQuota({ configmaps: "9" });
  await start();
  await expect.poll(used).toEqual({ configmaps: "1" });
  clock.now += 60_000;
  await charge({ configmaps: "3" });
  await remove("configmaps", "a");
  await expect.poll(used).toEqual({ configmaps: "2" });
  clock.now += 60_000;
  await expect.poll(used, { timeout: 10_000 }).toEqual({ configmaps: "0" });
});
