import { afterEach, expect, test } from "vitest";
import type { Controller } from "./controller.js";
import {
  attributesClassProtection,
  claimProtection,
  InUseProtectionController,
  podGroupProtection,
  volumeProtection,
} from "./in-use-protection.js";
import { writeStatus } from "./status-write.js";
import { TestRegistries } from "./testing/registries.js";

const running: Controller[] = [];

afterEach(async () => {
  for (const controller of running.splice(0)) await controller.stop();
});

/** Registries of claims, volumes and pods, with both controllers. */
async function ground() {
  const registries = new TestRegistries(["persistentvolumeclaims", "persistentvolumes", "pods"]);
  const controllers = [
    new InUseProtectionController(registries.context, claimProtection("example.io")),
    new InUseProtectionController(registries.context, volumeProtection("example.io")),
  ];
  for (const controller of controllers) {
    running.push(controller);
    await controller.start();
  }
  const create = (resource: string, json: object) => registries.create(resource, json);
  const remove = (resource: string, name: string, options = {}) => registries.remove(resource, name, options);
  const find = async (resource: string, name: string) => {
    const registry = registries.of(resource);
    const stored = await registry.find(registry.definition.namespaced ? "ns" : "", name, {
      kind: "mostRecent",
    });
    return stored?.decode();
  };
  return { create, remove, find };
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
  const { create, remove, find } = await ground();
  await create("persistentvolumeclaims", claim);
  if (pod !== undefined) await create("pods", pod);
  await remove("persistentvolumeclaims", "c");
  if (stays) {
    expect(await find("persistentvolumeclaims", "c")).toBeDefined();
    await remove("pods", "p", { gracePeriodSeconds: 0 });
  }
  await expect.poll(() => find("persistentvolumeclaims", "c")).toBeUndefined();
});

test("a claim without the protection finalizer gets it", async () => {
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

test.each([
  ["nothing", undefined, false],
  ["a volume of another class", { volumeAttributesClassName: "other" }, false],
  ["a volume of it", { volumeAttributesClassName: "gold" }, true],
])("a class of attributes that is deleted while there is %s", async (_what, has, stays) => {
  const resources = ["persistentvolumeclaims", "persistentvolumes", "volumeattributesclasses"];
  const registries = new TestRegistries(resources, undefined, "1.35");
  const controller = new InUseProtectionController(
    registries.context,
    attributesClassProtection("example.io"),
  );
  running.push(controller);
  await controller.start();
  const finalizers = ["example.io/vac-protection"];
  await registries.create("volumeattributesclasses", {
    metadata: { name: "gold", finalizers },
    driverName: "example.org",
    parameters: { a: "b" },
  });
  const find = () => registries.of("volumeattributesclasses").find("", "gold", { kind: "mostRecent" });
  if (has !== undefined) {
    const csi = { driver: "example.org", volumeHandle: "h" };
    const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, csi, ...has };
    await registries.create("persistentvolumes", { metadata: { name: "v" }, spec });
  }
  await registries.remove("volumeattributesclasses", "gold");
  if (stays) {
    expect(await find()).toBeDefined();
    await registries.remove("persistentvolumes", "v");
  }
  await expect.poll(find).toBeUndefined();
});

test.each([
  ["no pod", undefined, "Pending", false],
  ["a pod of another group", "other", "Pending", false],
  ["a pod that has ended", "g", "Succeeded", false],
  ["a pod of it", "g", "Pending", true],
])("a group of pods that is deleted while there is %s", async (_what, podGroupName, phase, stays) => {
  const registries = new TestRegistries(["podgroups", "pods"], undefined, "1.36", { GenericWorkload: true });
  const protection = podGroupProtection("scheduling.example.io");
  const controller = new InUseProtectionController(registries.context, protection);
  running.push(controller);
  await controller.start();
  const metadata = { name: "g", namespace: "ns", finalizers: ["scheduling.example.io/podgroup-protection"] };
  const spec = { schedulingPolicy: { basic: {} } };
  await registries.create("podgroups", { metadata, spec });
  await registries.create("podgroups", { metadata: { ...metadata, name: "bare", finalizers: [] }, spec });
  if (podGroupName !== undefined) {
    const pod = podUsing({ emptyDir: {} }, "n");
    await registries.create("pods", { ...pod, spec: { ...pod.spec, schedulingGroup: { podGroupName } } });
    const { context } = registries;
    await writeStatus(context, context.builtin("pods"), {
      namespace: "ns",
      name: "p",
      as: "n",
      change({ status }) {
        status.phase = phase;
      },
    });
  }
  const find = (name: string) => registries.of("podgroups").find("ns", name, { kind: "mostRecent" });
  await registries.remove("podgroups", "g");
  if (stays) {
    expect(await find("g")).toBeDefined();
    await registries.remove("pods", "p", { gracePeriodSeconds: 0 });
  }
  await expect.poll(() => find("g")).toBeUndefined();
  // Only admission protects groups.
  expect((await find("bare"))?.decode().metadata.finalizers).toBeUndefined();
});
