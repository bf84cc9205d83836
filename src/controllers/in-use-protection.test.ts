import { afterEach, expect, test } from "vitest";
import type { ApiObject } from "../apimachinery/meta.js";
import { builtinResources } from "../apis/builtin-resources.js";
import { testApiContext, testWriteContext } from "../apis/testing/api-context.js";
import { createResourceCodec } from "../registry/generic/resource-codec.js";
import { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { createVersionedView } from "../registry/generic/versioned-view.js";
import { createObjectStore } from "../storage/store/object-store.js";
import { MemoryStore } from "../storage/testing/memory-store.js";
import type { Controller } from "./controller.js";
import { claimProtection, InUseProtectionController, volumeProtection } from "./in-use-protection.js";

const definitions = builtinResources(testApiContext());
const running: Controller[] = [];

afterEach(async () => {
  for (const controller of running.splice(0)) await controller.stop();
});

/** Registries of claims, volumes and pods, with both controllers. */
async function ground() {
  const registries = new Map(
    ["persistentvolumeclaims", "persistentvolumes", "pods"].map((resource) => {
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
    now: () => new Date(),
  };
  for (const resource of [claimProtection("example.io"), volumeProtection("example.io")]) {
    const controller = new InUseProtectionController(context, resource);
    running.push(controller);
    await controller.start();
  }
  const create = async (resource: string, json: object) => {
    const { definition } = registry(resource);
    const [version] = definition.versions;
    if (version === undefined) throw new Error("the resource has a version");
    const view = createVersionedView(definition, version);
    await registry(resource).create(write, view.toHub(view.fromJson(json as never)), async () => {});
  };
  const remove = (resource: string, name: string) =>
    registry(resource).delete(write, name, {}, async () => {});
  const find = async (resource: string, name: string): Promise<ApiObject | undefined> => {
    try {
      const { namespaced } = registry(resource).definition;
      const stored = await registry(resource).get(namespaced ? "ns" : "", name, { kind: "mostRecent" });
      return stored.decode();
    } catch (error) {
      if (isStatus(error, "NotFound")) return undefined;
      throw error;
    }
  };
  return { create, remove, find, registry, write };
}

const claim = {
  metadata: { name: "c", namespace: "ns", finalizers: ["example.io/pvc-protection"] },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

function podUsing(volume: object, nodeName?: string) {
  return {
    metadata: { name: "p", namespace: "ns" },
    spec: { nodeName, containers: [{ name: "a", image: "a" }], volumes: [{ name: "v", ...volume }] },
  };
}

test.each([
  ["no pod", undefined, false],
  ["a pod without a node", podUsing({ persistentVolumeClaim: { claimName: "c" } }), false],
  ["a pod of another claim", podUsing({ persistentVolumeClaim: { claimName: "d" } }, "n"), false],
  ["a pod on a node", podUsing({ persistentVolumeClaim: { claimName: "c" } }, "n"), true],
])("a claim that is deleted while there is %s", async (_what, pod, stays) => {
  const { create, remove, find, registry, write } = await ground();
  await create("persistentvolumeclaims", claim);
  if (pod !== undefined) await create("pods", pod);
  await remove("persistentvolumeclaims", "c");
  if (stays) {
    expect(await find("persistentvolumeclaims", "c")).toBeDefined();
    await registry("pods").delete(write, "p", { gracePeriodSeconds: 0 }, async () => {});
  }
  await expect.poll(() => find("persistentvolumeclaims", "c")).toBeUndefined();
});

test("a claim without protection gets it", async () => {
  const { create, find } = await ground();
  await create("persistentvolumeclaims", { ...claim, metadata: { name: "c", namespace: "ns" } });
  await expect
    .poll(async () => (await find("persistentvolumeclaims", "c"))?.metadata.finalizers)
    .toEqual(["example.io/pvc-protection"]);
});

test("a volume that is not bound goes", async () => {
  const { create, remove, find } = await ground();
  await create("persistentvolumes", {
    metadata: { name: "v", finalizers: ["example.io/pv-protection"] },
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/x" } },
  });
  await remove("persistentvolumes", "v");
  await expect.poll(() => find("persistentvolumes", "v")).toBeUndefined();
});
