import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { TestCluster } from "../testing/test-cluster.js";
import { VolumeBinding } from "./volume-binding.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new VolumeBinding(cluster));
});

afterEach(() => ground.stop());

const accessModes = ["ReadWriteOnce"];

const addClaim = (name: string, storage: string, spec: object = {}) =>
  ground.registries.create("persistentvolumeclaims", {
    metadata: { name, namespace: "ns" },
    spec: { accessModes, storageClassName: "", resources: { requests: { storage } }, ...spec },
  });

const addVolume = (name: string, storage: string, spec: object = {}) =>
  ground.registries.create("persistentvolumes", {
    metadata: { name, labels: { disk: name } },
    spec: { accessModes, capacity: { storage }, hostPath: { path: "/data" }, ...spec },
  });

const claim = (name: string) => ground.find("persistentvolumeclaims", name);
const volume = (name: string) => ground.find("persistentvolumes", name);
const volumeOf = async (name: string) => (await claim(name))?.spec.volumeName;
const phaseOf = async (name: string) => (await volume(name))?.status.phase;

async function reasons(): Promise<readonly (string | undefined)[]> {
  const list = { prefix: "ns/", at: { kind: "mostRecent" }, limit: 0 } as const;
  const { items } = await ground.cluster.context.builtin("events").list(list);
  return items.map((stored) => stored.decode().reason);
}

test("a claim of the simulated class gets a volume, which is deleted with it", async () => {
  await addClaim("data", "2Gi", { storageClassName: "standard" });
  await expect.poll(async () => (await claim("data"))?.status.phase).toBe("Bound");
  const name = (await volumeOf("data")) ?? "";
  expect(name).toBe(`pvc-${(await claim("data"))?.metadata.uid}`);
  expect(await volume(name)).toMatchObject({
    spec: { capacity: { storage: "2Gi" }, accessModes, claimRef: { namespace: "ns", name: "data" } },
    status: { phase: "Bound" },
  });
  await expect.poll(reasons).toEqual(["ProvisioningSucceeded"]);
  await ground.registries.remove("persistentvolumeclaims", "data", {});
  await expect.poll(() => volume(name)).toBeUndefined();
});

test("of the suitable volumes, the smallest is bound", async () => {
  await addVolume("large", "10Gi");
  await addVolume("small", "1Gi");
  await addVolume("middle", "5Gi");
  await addVolume("other", "3Gi", { storageClassName: "other" });
  await addVolume("shared", "2Gi", { accessModes: ["ReadOnlyMany"] });
  await addClaim("data", "2Gi");
  await expect.poll(() => volumeOf("data")).toBe("middle");
  await expect.poll(() => phaseOf("middle")).toBe("Bound");
  await expect.poll(() => phaseOf("large")).toBe("Available");
});

test("a claim whose selector cannot be read gets no volume, and others do", async () => {
  await addVolume("one", "1Gi");
  await addClaim("odd", "1Gi", {
    selector: { matchExpressions: [{ key: "a", operator: "In", values: ["no label"] }] },
  });
  await expect.poll(reasons).toContain("FailedBinding");
  await addClaim("plain", "1Gi");
  await expect.poll(() => volumeOf("plain")).toBe("one");
  expect(await volumeOf("odd")).toBeUndefined();
});

test("two claims do not get one volume, and the second gets one that comes", async () => {
  await addVolume("one", "1Gi");
  await addClaim("a", "1Gi");
  await addClaim("b", "1Gi");
  await expect.poll(() => volumeOf("a")).toBe("one");
  await expect.poll(reasons).toContain("FailedBinding");
  expect(await volumeOf("b")).toBeUndefined();
  await addVolume("two", "1Gi");
  await expect.poll(() => volumeOf("b")).toBe("two");
});

test("a volume that is meant for a claim is that claim's, and a selector chooses", async () => {
  await addVolume("meant", "9Gi", { claimRef: { namespace: "ns", name: "b" } });
  await addVolume("fast", "8Gi");
  await addVolume("slow", "1Gi");
  await addClaim("b", "1Gi");
  await expect.poll(() => volumeOf("b")).toBe("meant");
  await addClaim("c", "1Gi", { selector: { matchLabels: { disk: "fast" } } });
  await expect.poll(() => volumeOf("c")).toBe("fast");
});

test("a volume that is kept is released with its claim, and a claim that lost its volume says so", async () => {
  await addVolume("kept", "1Gi", { persistentVolumeReclaimPolicy: "Retain" });
  await addClaim("data", "1Gi");
  await expect.poll(() => phaseOf("kept")).toBe("Bound");
  await ground.registries.remove("persistentvolumeclaims", "data", {});
  await expect.poll(() => phaseOf("kept")).toBe("Released");
  await addVolume("lost", "1Gi");
  await addClaim("poor", "1Gi");
  await expect.poll(async () => (await claim("poor"))?.status.phase).toBe("Bound");
  await ground.registries.remove("persistentvolumes", "lost", {});
  await expect.poll(async () => (await claim("poor"))?.status.phase).toBe("Lost");
});

test("volumes are released whose claims go while they are bound", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `disk-${index}`);
  for (const name of names) await addVolume(name, "1Gi", { persistentVolumeReclaimPolicy: "Retain" });
  const removed: Promise<unknown>[] = [];
  ground.cluster.views.of("persistentvolumes").onChange(({ value }) => {
    const { spec, status } = value?.stored.decode() ?? {};
    if (status?.phase !== "Bound") return;
    removed.push(
      ground.registries.remove("persistentvolumeclaims", spec?.claimRef?.name ?? "", {}).catch(() => {}),
    );
  });
  for (const name of names) await addClaim(name, "1Gi");
  await expect
    .poll(async () => new Set(await Promise.all(names.map(phaseOf))))
    .toEqual(new Set(["Released"]));
  await Promise.all(removed);
});

test("a claim waits for its pod's node where its class says so", async () => {
  await ground.registries.create("storageclasses", {
    metadata: { name: "late" },
    provisioner: "volumes.simulation.orch.io",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await addClaim("data", "1Gi", { storageClassName: "late" });
  await expect.poll(reasons).toEqual(["WaitForFirstConsumer"]);
  await ground.cluster
    .writer("test")
    .change("persistentvolumeclaims", { namespace: "ns", name: "data" }, ({ metadata }) => {
      metadata.annotations = { "volume.kubernetes.io/selected-node": "one" };
    });
  await expect.poll(async () => (await claim("data"))?.status.phase).toBe("Bound");
});

test("a claim says what its class lacks", async () => {
  await addClaim("nowhere", "1Gi", { storageClassName: "none" });
  await expect.poll(reasons).toEqual(["ProvisioningFailed"]);
  await ground.registries.create("storageclasses", {
    metadata: { name: "none" },
    provisioner: "volumes.simulation.orch.io",
  });
  await expect.poll(async () => (await claim("nowhere"))?.status.phase).toBe("Bound");
});

test.each<[ApiLevel, string | undefined]>([
  ["1.25", undefined],
  ["1.26", "standard"],
  ["1.33", "standard"],
])("at %s a claim that waits without a class gets the default that comes later: %s", async (level, name) => {
  await ground.stop();
  ground = new TestCluster(level);
  await ground.start((cluster) => new VolumeBinding(cluster));
  const writer = ground.cluster.writer("client");
  const mark = (value: string) =>
    writer.change("storageclasses.storage", { namespace: "", name: "standard" }, ({ metadata }) => {
      metadata.annotations = { "storageclass.kubernetes.io/is-default-class": value };
    });
  await mark("false");
  await addClaim("late", "1Gi", { storageClassName: undefined });
  await expect.poll(reasons).toContain("FailedBinding");
  await mark("true");
  await addClaim("named", "1Gi", { storageClassName: "standard" });
  await expect.poll(async () => (await claim("named"))?.status.phase).toBe("Bound");
  await expect.poll(async () => (await claim("late"))?.spec.storageClassName).toBe(name);
});
