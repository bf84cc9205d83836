import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningApiServer } from "../../src/index.js";
import { type LabServer, startLab } from "../support/lab-server.js";

let lab: LabServer;
let server: RunningApiServer;
let core: CoreV1Api;

function coreOf(kubeconfig: string): CoreV1Api {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config.makeApiClient(CoreV1Api);
}

beforeAll(async () => {
  lab = await startLab();
  ({ server } = lab);
  core = coreOf(server.kubeconfig);
});
afterAll(() => lab.dispose());

test("an hour passes at once for events, and for what they say of their age", async () => {
  const namespace = "default";
  const involvedObject = { kind: "Pod", namespace, name: "a" };
  await core.createNamespacedEvent({ namespace, body: { metadata: { name: "old" }, involvedObject } });
  await server.clock.advance("40m");
  await core.createNamespacedEvent({ namespace, body: { metadata: { name: "new" }, involvedObject } });
  await server.clock.advance("30m");
  const { items } = await core.listNamespacedEvent({ namespace });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["new"]);
  const createdAt = items[0]?.metadata.creationTimestamp?.getTime() ?? 0;
  expect(server.clock.now().getTime() - createdAt).toBeGreaterThanOrEqual(30 * 60_000);
});

test("objects that are made in a frozen time were made at the same time", async () => {
  server.clock.freeze();
  expect(server.clock.isFrozen).toBe(true);
  const made = async (name: string) =>
    (await core.createNamespacedConfigMap({ namespace: "default", body: { metadata: { name } } })).metadata
      ?.creationTimestamp;
  const first = await made("frozen-1");
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await made("frozen-2")).toEqual(first);
  // Large enough for a thread of its own.
  const data = { text: "x".repeat(900_000) };
  const large = await core.createNamespacedConfigMap({
    namespace: "default",
    body: { metadata: { name: "frozen-large" }, data },
  });
  expect(large.metadata?.creationTimestamp).toEqual(first);
  server.clock.resume();
});

test("the token of an account expires when its time has passed", async () => {
  await core.createNamespace({ body: { metadata: { name: "robots" } } });
  await core.createNamespacedServiceAccount({ namespace: "robots", body: { metadata: { name: "robot" } } });
  const robot = coreOf(
    await server.kubeconfigFor({ serviceAccount: { namespace: "robots", name: "robot" } }),
  );
  await expect(robot.listNamespace()).rejects.toThrow("namespaces is forbidden");
  await server.clock.advance("25h");
  await expect(robot.listNamespace()).rejects.toThrow("Unauthorized");
});

test("a pod that should be gone by now is no longer counted by its quota", async () => {
  const { api } = lab;
  const place = "/api/v1/namespaces/default";
  const container = { name: "a", image: "a" };
  await api.post(`${place}/resourcequotas`, { metadata: { name: "few" }, spec: { hard: { pods: "5" } } });
  const metadata = { name: "slow", finalizers: ["example.com/held"] };
  await api.post(`${place}/pods`, { metadata, spec: { nodeName: "none", containers: [container] } });
  const used = async () => (await api.get(`${place}/resourcequotas/few`)).body.status.used?.pods;
  await expect.poll(used).toBe("1");
  expect((await api.delete(`${place}/pods/slow?gracePeriodSeconds=600`)).status).toBe(200);
  await server.clock.advance("5m");
  expect(await used()).toBe("1");
  // Its time is what it was given after the deletion, and once more.
  await server.clock.advance("16m");
  await expect.poll(used).toBe("0");
});

test("dependents go while the time stands still", async () => {
  const { api } = lab;
  const maps = "/api/v1/namespaces/default/configmaps";
  server.clock.freeze();
  const { uid, name } = (await api.post(maps, { metadata: { name: "owner" } })).body.metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid }];
  await api.post(maps, { metadata: { name: "dependent", ownerReferences } });
  await api.delete(`${maps}/owner`);
  await expect.poll(async () => (await api.get(`${maps}/dependent`)).status).toBe(404);
  server.clock.resume();
});

test("the leases of a server are renewed as the time is moved, and jobs end as long after as they say", async () => {
  const later = await startLab({ level: "1.29", simulate: true });
  try {
    const { api } = later;
    const { clock } = later.server;
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } };
    await api.post(jobs, { metadata: { name: "short" }, spec: { ttlSecondsAfterFinished: 7200, template } });
    await expect.poll(async () => (await api.get(`${jobs}/short`)).body.status?.succeeded).toBe(1);
    await clock.advance("1h");
    expect((await api.get(`${jobs}/short`)).status).toBe(200);
    const leases = (await api.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases")).body.items;
    const own = leases.filter(({ metadata }: { metadata: { name: string } }) =>
      metadata.name.startsWith("apiserver-"),
    );
    expect(own).toHaveLength(1);
    expect(clock.now().getTime() - Date.parse(own[0].spec.renewTime)).toBeLessThan(60_000);
    const addresses = async () =>
      (await api.get("/api/v1/namespaces/default/endpoints/kubernetes")).body.subsets?.[0]?.addresses;
    expect(await addresses()).toHaveLength(1);
    await clock.advance("2h");
    await expect.poll(async () => (await api.get(`${jobs}/short`)).status).toBe(404);
    expect(await addresses()).toHaveLength(1);
  } finally {
    await later.dispose();
  }
});

test("other users may move the clock at its path, if they have the permission", async () => {
  const { api } = lab;
  const before = server.clock.now().getTime();
  expect(await api.ask("POST", "/lab/clock/freeze")).toMatchObject({ status: 200, body: { frozen: true } });
  const { status, body } = await api.ask("POST", "/lab/clock/advance?by=2h");
  expect(status).toBe(200);
  expect(Date.parse(String(body.now)) - before).toBeGreaterThanOrEqual(2 * 3_600_000);
  expect((await api.ask("POST", "/lab/clock/resume")).body).toMatchObject({ frozen: false });
  expect((await api.get("/lab/clock")).body).toMatchObject({ frozen: false });
  const back = await api.ask("POST", "/lab/clock/advance?by=-1h");
  expect([back.status, back.body.message]).toEqual([400, expect.stringContaining("it goes forward")]);
  expect((await api.ask("POST", "/lab/clock/advance?by=soon")).status).toBe(400);
  expect((await api.delete("/lab/clock")).status).toBe(405);
  const jane = lab.clientOf(await server.kubeconfigFor({ user: "jane" }));
  expect((await jane.ask("POST", "/lab/clock/freeze")).status).toBe(403);
});

test("a server without a lab has no such paths, and says what is missing", async () => {
  const plain = await startLab({ lab: false });
  try {
    expect((await plain.api.get("/lab/clock")).status).toBe(404);
    expect(() => plain.server.clock.freeze()).toThrow("start it with { lab: true }");
    await expect(plain.server.fork()).rejects.toThrow("start it with { lab: true }");
  } finally {
    await plain.dispose();
  }
});
