import { afterEach, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { Taint } from "../../apis/gen/core-v1.js";
import { TestCluster } from "../testing/test-cluster.js";
import { TaintEvictions } from "./taint-evictions.js";

let ground: TestCluster;

afterEach(() => ground.stop());

async function clusterAt(level: ApiLevel): Promise<void> {
  ground = new TestCluster(level);
  await ground.start((cluster) => new TaintEvictions(cluster));
  await ground.registries.create("nodes", { metadata: { name: "one" } });
  await ground.registries.create("pods", {
    metadata: { name: "pod", namespace: "ns" },
    spec: { nodeName: "one", containers: [{ name: "c", image: "c" }] },
  });
  await ground.setPhase("pod", "Running");
}

const taint = (taints: Taint[]) =>
  ground.cluster.writer("test").change("nodes", { namespace: "", name: "one" }, ({ spec }) => {
    spec.taints = taints;
  });
const setReady = (status: string) =>
  ground.cluster.writer("test").changePart("nodes", { namespace: "", name: "one" }, (node) => {
    node.status.conditions = [{ type: "Ready", status }];
  });
const pod = () => ground.find("pods", "pod");
const isTerminating = async () => (await pod())?.metadata.deletionTimestamp !== undefined;
const disruption = async () =>
  (await pod())?.status.conditions?.find(({ type }) => type === "DisruptionTarget");

test.each<[ApiLevel, object | undefined]>([
  ["1.25", undefined],
  [
    "1.26",
    {
      status: "True",
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
    },
  ],
])("at %s, a pod that a taint drives away says so: %j", async (level, told) => {
  await clusterAt(level);
  await taint([{ key: "a", effect: "NoExecute" }]);
  await expect.poll(isTerminating).toBe(true);
  expect(await disruption()).toEqual(told && expect.objectContaining(told));
});

test.each<[ApiLevel, boolean]>([
  ["1.25", false],
  ["1.26", true],
  ["1.36", true],
])("at %s, a deleted pod of a node that is out of service goes: %s", async (level, goes) => {
  await clusterAt(level);
  const outOfService: Taint = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" };
  await setReady("True");
  await taint([outOfService]);
  await expect.poll(isTerminating).toBe(true);
  await setReady("Unknown");
  if (goes) await expect.poll(pod).toBeUndefined();
  // The pod of a node that is gone goes at every level, so that there is something to wait for.
  await ground.registries.create("nodes", { metadata: { name: "two" } });
  await ground.registries.create("pods", {
    metadata: { name: "other", namespace: "ns" },
    spec: { nodeName: "two", containers: [{ name: "c", image: "c" }] },
  });
  await ground.cluster.writer("test").delete("nodes", { namespace: "", name: "two" });
  await expect.poll(() => ground.find("pods", "other")).toBeUndefined();
  expect((await pod()) === undefined).toBe(goes);
});

test("a pod with a finalizer whose node is gone has failed, and says why", async () => {
  await clusterAt("1.26");
  await ground.cluster.writer("test").change("pods", { namespace: "ns", name: "pod" }, ({ metadata }) => {
    metadata.finalizers = ["example.com/hold"];
  });
  await ground.cluster.writer("test").delete("nodes", { namespace: "", name: "one" });
  await expect.poll(isTerminating).toBe(true);
  expect((await pod())?.status.phase).toBe("Failed");
  expect(await disruption()).toMatchObject({
    reason: "DeletionByPodGC",
    message: "PodGC: node no longer exists",
  });
});
