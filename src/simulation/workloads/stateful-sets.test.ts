import { afterEach, beforeEach, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { StatefulSet } from "../../apis/gen/apps-v1.js";
import { TestCluster } from "../testing/test-cluster.js";
import { StatefulSets } from "./stateful-sets.js";

let ground: TestCluster;

async function startAt(level: ApiLevel): Promise<void> {
  ground = new TestCluster(level);
  await ground.start((cluster) => new StatefulSets(cluster));
}

beforeEach(() => startAt("1.23"));

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

const change = (work: (set: StatefulSet) => void) =>
  ground.cluster.writer("test").change("statefulsets.apps", { namespace: "ns", name: "db" }, work);

const newImage = ({ spec }: StatefulSet): void => {
  const [container] = spec.template.spec?.containers ?? [];
  if (container !== undefined) container.image = "db:2";
};

const images = async () => (await ground.pods()).map(({ spec }) => spec.containers?.[0]?.image);

async function allReady(...wanted: readonly string[]): Promise<void> {
  await expect.poll(names).toEqual(wanted);
  for (const name of wanted) await ground.setPhase(name, "Running");
  await expect.poll(async () => (await status())?.readyReplicas).toBe(wanted.length);
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
  await allReady("db-0", "db-1");
  await change(newImage);
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
  await change(({ spec }) => {
    spec.replicas = 1;
  });
  await expect.poll(names).toEqual(["db-0"]);
});

test("an ordered set with pods that are not ready deletes only the lowest of them", async () => {
  await addSet();
  await expect.poll(names).toEqual(["db-0"]);
  await ground.setPhase("db-0", "Running");
  await allReady("db-0", "db-1");
  for (const name of ["db-0", "db-1"]) await ground.setPhase(name, "Running", false);
  await expect.poll(async () => (await status())?.readyReplicas ?? 0).toBe(0);
  await change(({ spec }) => {
    spec.replicas = 0;
  });
  await expect.poll(async () => (await status())?.observedGeneration).toBe(2);
  expect(await names()).toEqual(["db-0", "db-1"]);
  await ground.setPhase("db-1", "Running");
  await expect.poll(names).toEqual([]);
});

test("the partition of a set is counted from its first ordinal", async () => {
  await ground.stop();
  await startAt("1.31");
  await addSet({
    podManagementPolicy: "Parallel",
    ordinals: { start: 2 },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
  });
  await allReady("db-2", "db-3");
  await change(newImage);
  await expect.poll(images).toEqual(["db:1", "db:2"]);
  await ground.setPhase("db-3", "Running");
  await expect.poll(status).toMatchObject({ updatedReplicas: 1, readyReplicas: 2 });
  expect(await images()).toEqual(["db:1", "db:2"]);
});

test("a pod gets back the label with its name", async () => {
  await addSet({ replicas: 1 });
  await allReady("db-0");
  await ground.cluster.writer("test").change("pods", { namespace: "ns", name: "db-0" }, ({ metadata }) => {
    metadata.labels = { app: "db" };
  });
  const label = async () =>
    (await ground.find("pods", "db-0"))?.metadata.labels?.["statefulset.kubernetes.io/pod-name"];
  await expect.poll(label).toBe("db-0");
});

const owners = async (ordinal: number) => {
  const claim = await ground.find("persistentvolumeclaims", `data-db-${ordinal}`);
  return claim?.metadata.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`);
};

test("claims go with the set, or with pods that it no longer wants, if the set says so", async () => {
  await ground.stop();
  await startAt("1.27");
  const resources = { requests: { storage: "1Gi" } };
  const claim = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources } };
  await addSet({
    podManagementPolicy: "Parallel",
    volumeClaimTemplates: [claim],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
  });
  await allReady("db-0", "db-1");
  expect([await owners(0), await owners(1)]).toEqual([["StatefulSet/db"], ["StatefulSet/db"]]);
  await change(({ spec }) => {
    spec.replicas = 1;
  });
  await expect.poll(() => owners(1)).toEqual(["Pod/db-1"]);
  await change(({ spec }) => {
    spec.persistentVolumeClaimRetentionPolicy = { whenDeleted: "Retain", whenScaled: "Retain" };
  });
  await expect.poll(() => owners(0)).toBeUndefined();
});
