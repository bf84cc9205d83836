import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { Deployments } from "./deployments.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new Deployments(cluster));
});

afterEach(() => ground.stop());

test("the progress of a deployment without a deadline is not told", async () => {
  const told = new Set<string | undefined>();
  const { cluster } = ground;
  cluster.views.selecting("deployments.apps").onChange(({ value }) => {
    for (const { type } of value?.stored.decode().status.conditions ?? []) told.add(type);
  });
  const labels = { app: "web" };
  await ground.registries.create("deployments", {
    metadata: { name: "web", namespace: "ns" },
    spec: {
      progressDeadlineSeconds: 2 ** 31 - 1,
      replicas: 1,
      strategy: { type: "RollingUpdate" },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "web:1" }] } },
    },
  });
  const isObserved = async () => {
    const deployment = await ground.find("deployments.apps", "web");
    return deployment?.status.observedGeneration === deployment?.metadata.generation;
  };
  await expect.poll(isObserved).toBe(true);
  for (const paused of [true, false]) {
    await cluster.writer("test").change("deployments.apps", { namespace: "ns", name: "web" }, ({ spec }) => {
      spec.paused = paused;
    });
    await expect.poll(isObserved).toBe(true);
  }
  expect([...told]).toEqual(["Available"]);
});
