import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { Deployments } from "./deployments.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new Deployments(cluster));
});

afterEach(() => ground.stop());

const labels = { app: "web" };

const addDeployment = (spec: object) =>
  ground.registries.create("deployments", {
    metadata: { name: "web", namespace: "ns" },
    spec: {
      replicas: 1,
      strategy: { type: "RollingUpdate" },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "web:1" }] } },
      ...spec,
    },
  });

const pause = (paused: boolean) =>
  ground.cluster.writer("test").change("deployments.apps", { namespace: "ns", name: "web" }, ({ spec }) => {
    spec.paused = paused;
  });

const isObserved = async () => {
  const deployment = await ground.find("deployments.apps", "web");
  return deployment?.status.observedGeneration === deployment?.metadata.generation;
};

test("the progress of a deployment without a deadline is not told", async () => {
  const told = new Set<string | undefined>();
  ground.cluster.views.selecting("deployments.apps").onChange(({ value }) => {
    for (const { type } of value?.stored.decode().status.conditions ?? []) told.add(type);
  });
  await addDeployment({ progressDeadlineSeconds: 2 ** 31 - 1 });
  await expect.poll(isObserved).toBe(true);
  for (const paused of [true, false]) {
    await pause(paused);
    await expect.poll(isObserved).toBe(true);
  }
  expect([...told]).toEqual(["Available"]);
});

test("a deployment that is paused for longer than its deadline is left alone", async () => {
  const schedule = vi.spyOn(ground.clock, "schedule");
  await addDeployment({ progressDeadlineSeconds: 600, paused: true });
  await expect.poll(isObserved).toBe(true);
  expect(schedule).not.toHaveBeenCalledWith(600_000, expect.anything());
});

test("a deployment counts revisions of any size", async () => {
  const key = `deployment.${ground.cluster.context.naming.domain}/revision`;
  await ground.registries.create("replicasets", {
    metadata: { name: "old", namespace: "ns", labels, annotations: { [key]: "3546343826724305832" } },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "web:0" }] } },
    },
  });
  await addDeployment({});
  const revision = async () => (await ground.find("deployments.apps", "web"))?.metadata.annotations?.[key];
  await expect.poll(revision).toBe("3546343826724305833");
});
