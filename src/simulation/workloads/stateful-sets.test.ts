import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";
import { StatefulSets } from "./stateful-sets.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start((cluster) => new StatefulSets(cluster));
});

afterEach(() => ground.stop());

async function addSet(spec: object = {}): Promise<void> {
  await ground.registries.create("statefulsets", {
    metadata: { name: "db", namespace: "ns" },
    spec: {
      serviceName: "db",
      replicas: 2,
      selector: { matchLabels: { app: "db" } },
      template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "db:1" }] } },
      ...spec,
    },
  });
}

const names = async () => (await ground.pods()).map(({ metadata }) => metadata.name);
const status = async () => (await ground.find("statefulsets.apps", "db"))?.status;

test("one pod comes after another, each when the one before is ready", async () => {
  await addSet();
  await expect.poll(names).toEqual(["db-0"]);
  await ground.setPhase("db-0", "Running", false);
  await expect.poll(async () => (await status())?.replicas).toBe(1);
  expect(await names()).toEqual(["db-0"]);
  await ground.setPhase("db-0", "Running");
  await expect.poll(names).toEqual(["db-0", "db-1"]);
  await ground.setPhase("db-1", "Running");
  await expect.poll(status).toMatchObject({ replicas: 2, readyReplicas: 2, currentReplicas: 2 });
});

test("pods of a parallel set come all at once, with claims of their own", async () => {
  const resources = { requests: { storage: "1Gi" } };
  const claim = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources } };
  await addSet({ podManagementPolicy: "Parallel", volumeClaimTemplates: [claim] });
  await expect.poll(names).toEqual(["db-0", "db-1"]);
  const [, second] = await ground.pods();
  expect(second?.spec).toMatchObject({ hostname: "db-1", subdomain: "db" });
  expect(second?.spec.volumes?.[0]?.persistentVolumeClaim?.claimName).toBe("data-db-1");
  expect(await ground.find("persistentvolumeclaims", "data-db-0")).toBeDefined();
});

test("a new template replaces pods from the last to the first, down to the partition", async () => {
  await addSet({
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
  });
  await expect.poll(names).toEqual(["db-0", "db-1"]);
  for (const name of ["db-0", "db-1"]) await ground.setPhase(name, "Running");
  await expect.poll(async () => (await status())?.readyReplicas).toBe(2);
  await ground.cluster
    .writer("test")
    .change("statefulsets.apps", { namespace: "ns", name: "db" }, ({ spec }) => {
      const [container] = spec.template.spec?.containers ?? [];
      if (container !== undefined) container.image = "db:2";
    });
  const images = async () => (await ground.pods()).map(({ spec }) => spec.containers?.[0]?.image);
  await expect.poll(images).toEqual(["db:1", "db:2"]);
  await ground.setPhase("db-1", "Running");
  await expect.poll(status).toMatchObject({ updatedReplicas: 1, currentReplicas: 1, readyReplicas: 2 });
  const { currentRevision, updateRevision } = (await status()) ?? {};
  expect(currentRevision).not.toBe(updateRevision);
  expect(await images()).toEqual(["db:1", "db:2"]);
});

test("fewer replicas take the last pods first", async () => {
  await addSet({ podManagementPolicy: "Parallel", replicas: 3 });
  await expect.poll(names).toEqual(["db-0", "db-1", "db-2"]);
  for (const name of await names()) await ground.setPhase(name ?? "", "Running");
  await ground.cluster
    .writer("test")
    .change("statefulsets.apps", { namespace: "ns", name: "db" }, ({ spec }) => {
      spec.replicas = 1;
    });
  await expect.poll(names).toEqual(["db-0"]);
});
