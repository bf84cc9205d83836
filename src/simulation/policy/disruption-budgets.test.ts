import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { DisruptionBudgets } from "./disruption-budgets.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new DisruptionBudgets(cluster));
});

afterEach(() => ground.stop());

const addBudget = (spec: object) =>
  ground.registries.create("poddisruptionbudgets", {
    metadata: { name: "web", namespace: "ns" },
    spec: { selector: { matchLabels: { app: "web" } }, ...spec },
  });

/** Pods of a replica set that wants `wanted`. */
async function addPods(ready: number, wanted: number): Promise<void> {
  const labels = { app: "web" };
  const spec = { containers: [{ name: "c", image: "web" }] };
  const set = await ground.registries.create("replicasets", {
    metadata: { name: "web", namespace: "ns" },
    spec: { replicas: wanted, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  const { uid } = set.decode().metadata;
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid, controller: true };
  for (let number = 0; number < ready; number++) {
    const metadata = { name: `web-${number}`, namespace: "ns", labels, ownerReferences: [owner] };
    await ground.registries.create("pods", { metadata, spec });
    await ground.setPhase(`web-${number}`, "Running");
  }
}

const status = async () => (await ground.find("poddisruptionbudgets.policy", "web"))?.status;

test.each([
  [{ minAvailable: 2 }, { expectedPods: 3, desiredHealthy: 2, disruptionsAllowed: 1 }],
  [{ minAvailable: 3 }, { expectedPods: 3, desiredHealthy: 3, disruptionsAllowed: 0 }],
  // Percentages are of the replicas that the owner wants.
  [{ minAvailable: "50%" }, { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 1 }],
  [{ maxUnavailable: 1 }, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 0 }],
  [{ maxUnavailable: "50%" }, { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 1 }],
])("three ready pods of four, with %j", async (spec, expected) => {
  await addPods(3, 4);
  await addBudget(spec);
  await expect.poll(status).toMatchObject({ ...expected, currentHealthy: 3 });
  const allowed = expected.disruptionsAllowed > 0;
  expect((await status())?.conditions).toMatchObject([
    {
      type: "DisruptionAllowed",
      status: allowed ? "True" : "False",
      reason: allowed ? "SufficientPods" : "InsufficientPods",
    },
  ]);
});

async function addOwned(owner: object): Promise<void> {
  const metadata = { name: "web-0", namespace: "ns", labels: { app: "web" }, ownerReferences: [owner] };
  await ground.registries.create("pods", { metadata, spec: { containers: [{ name: "c", image: "web" }] } });
  await ground.setPhase("web-0", "Running");
}

test("a replication controller tells how many pods it wants", async () => {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "web" }] } };
  const stored = await ground.registries.create("replicationcontrollers", {
    metadata: { name: "web", namespace: "ns" },
    spec: { replicas: 4, selector: labels, template },
  });
  const { uid } = stored.decode().metadata;
  await addOwned({ apiVersion: "v1", kind: "ReplicationController", name: "web", uid, controller: true });
  await addBudget({ maxUnavailable: 1 });
  await expect.poll(status).toMatchObject({ expectedPods: 4, desiredHealthy: 3, currentHealthy: 1 });
});

const daemon = { apiVersion: "apps/v1", kind: "DaemonSet", name: "web", uid: "d", controller: true };

test("pods whose owner cannot be scaled may not be disrupted by a budget that asks it", async () => {
  await addOwned(daemon);
  await addBudget({ maxUnavailable: 1 });
  const message = "daemonsets.apps does not implement the scale subresource";
  await expect.poll(status).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ status: "False", reason: "SyncFailed", message }],
  });
});

test("a number of pods that must stay asks no owner", async () => {
  await addOwned(daemon);
  await addBudget({ minAvailable: 0 });
  await expect.poll(status).toMatchObject({ disruptionsAllowed: 1, expectedPods: 1 });
});

test("a budget whose selector cannot be read counts no pod", async () => {
  await addPods(1, 1);
  await addBudget({
    minAvailable: 1,
    selector: { matchExpressions: [{ key: "a", operator: "In", values: ["no label"] }] },
  });
  await expect.poll(status).toMatchObject({ observedGeneration: 1, expectedPods: 0, disruptionsAllowed: 0 });
});

test("a pod that was evicted does not count, until it is late", async () => {
  await addPods(2, 2);
  await addBudget({ minAvailable: 1 });
  await expect.poll(async () => (await status())?.disruptionsAllowed).toBe(1);
  await ground.cluster
    .writer("test")
    .changePart("poddisruptionbudgets.policy", { namespace: "ns", name: "web" }, (budget) => {
      const at = new Date(ground.clock.now()).toISOString().replace(/\.\d+Z/, "Z");
      budget.status.disruptedPods = { "web-0": at };
      budget.status.disruptionsAllowed = 0;
    });
  await expect.poll(async () => (await status())?.currentHealthy).toBe(1);
  await ground.clock.advance(120_000);
  await expect.poll(status).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
  expect((await status())?.disruptedPods).toBeUndefined();
});

test("without pods, nothing may be disrupted", async () => {
  await addBudget({ minAvailable: 0 });
  await expect.poll(status).toMatchObject({ observedGeneration: 1, expectedPods: 0, disruptionsAllowed: 0 });
});
