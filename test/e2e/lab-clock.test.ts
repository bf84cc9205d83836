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

test("others move the clock at its path, if they may", async () => {
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
  } finally {
    await plain.dispose();
  }
});
