import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { Autoscalers } from "./autoscalers.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new Autoscalers(cluster));
});

afterEach(() => ground.stop());

const addScaler = (metrics: string) =>
  ground.registries.create("horizontalpodautoscalers", {
    metadata: {
      name: "web",
      namespace: "ns",
      annotations: { "simulation.orch.io/metrics": metrics },
    },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [
        {
          type: "External",
          external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "10" } },
        },
      ],
    },
  });

function addDeployment(replicas: number) {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  return ground.registries.create("deployments", {
    metadata: { name: "web", namespace: "ns" },
    spec: { replicas, selector: { matchLabels: labels }, template },
  });
}

const replicas = async () => (await ground.find("deployments.apps", "web"))?.spec.replicas;
const status = async () => (await ground.find("horizontalpodautoscalers.autoscaling", "web"))?.status;
const setMetrics = (metrics: string) =>
  ground.cluster
    .writer("test")
    .change("horizontalpodautoscalers.autoscaling", { namespace: "ns", name: "web" }, ({ metadata }) => {
      metadata.annotations = { "simulation.orch.io/metrics": metrics };
    });

test("a workload follows the desired number, up in steps and down after a window", async () => {
  await addDeployment(2);
  await addScaler("queue=70");
  await expect.poll(replicas).toBe(4);
  await expect.poll(status).toMatchObject({ currentReplicas: 2, desiredReplicas: 4 });
  await ground.clock.advance(16_000);
  await expect.poll(replicas).toBe(7);
  await setMetrics("queue=20");
  await ground.clock.advance(60_000);
  expect(await replicas()).toBe(7);
  await expect
    .poll(async () => {
      await ground.clock.advance(60_000);
      return await replicas();
    })
    .toBe(2);
});

test("an autoscaler without a workload says so", async () => {
  await addScaler("queue=70");
  const told = async () => (await status())?.conditions?.map(({ type, reason }) => [type, reason]);
  await expect.poll(told).toEqual([["AbleToScale", "FailedGetScale"]]);
  await addDeployment(7);
  await expect.poll(told).toContainEqual(["ScalingActive", "ValidMetricFound"]);
});
