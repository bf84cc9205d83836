import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { type RunningApiServer, type Snapshot, startApiServer } from "orch-apiserver";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { keepCopies } from "./copies.js";

let server: RunningApiServer;
let start: Snapshot;
let core: CoreV1Api;
let stop: () => Promise<void>;

beforeAll(async () => {
  server = await startApiServer({ lab: true });
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: "copies" } } });
  stop = await keepCopies(config, core);
  start = await server.snapshot();
});
afterAll(async () => {
  await stop();
  await server.stop();
});
// Each test has the names for itself, and the controller goes on: it sees the rewind as changes.
beforeEach(() => server.rewind(start));

const labels = { "example.com/copy-to": "copies" };
const original = (data: Record<string, string>) => ({
  namespace: "default",
  body: { metadata: { name: "settings", labels }, data },
});
const copied = async () =>
  (await core.listNamespacedConfigMap({ namespace: "copies" })).items.find(
    ({ metadata }) => metadata?.name === "settings",
  )?.data;

test("a labelled map is copied", async () => {
  await core.createNamespacedConfigMap(original({ colour: "red" }));
  await expect.poll(copied).toEqual({ colour: "red" });
});

test("a copy follows", async () => {
  expect(await copied()).toBeUndefined();
  await core.createNamespacedConfigMap(original({ colour: "green" }));
  await expect.poll(copied).toEqual({ colour: "green" });
  await core.replaceNamespacedConfigMap({ name: "settings", ...original({ colour: "blue" }) });
  await expect.poll(copied).toEqual({ colour: "blue" });
});

test("a copy comes although creates are refused now and then", async () => {
  server.faults.inject({
    match: { verbs: ["watch"] },
    when: { every: 2 },
    effect: { watch: { end: "Expired", afterEvents: 1 } },
  });
  await core.createNamespacedConfigMap(original({ colour: "black" }));
  await expect.poll(copied).toEqual({ colour: "black" });
});
