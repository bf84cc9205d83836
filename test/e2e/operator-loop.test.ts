import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition } from "../support/boat-definition.js";
import { BoatOperator, boatFinalizer } from "../support/boat-operator.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const [group, version, plural, namespace] = ["example.com", "v1", "boats", "default"];

let server: ServerHere;
let api: ApiClient;
let config: KubeConfig;
const operators: BoatOperator[] = [];

beforeAll(async () => {
  server = await startServerHere();
  api = new ApiClient(server);
  config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boatDefinition());
  await vi.waitFor(async () => {
    expect((await api.get(`/apis/${group}/${version}/${plural}`)).status).toBe(200);
  }, 60_000);
});

afterAll(async () => {
  for (const operator of operators) await operator.stop();
  await api.close();
  await server.dispose();
});

async function startOperator(identity: string): Promise<BoatOperator> {
  const operator = new BoatOperator(identity, config);
  operators.push(operator);
  await operator.start();
  return operator;
}

const boats = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
const statusOf = async (name: string) => (await api.get(`${boats}/${name}`)).body.status;
const logOf = async (name: string) =>
  await api.get(`/api/v1/namespaces/${namespace}/configmaps/log-of-${name}`);

test("an operator with a leader, a finalizer, a status and owned objects works as on any cluster", async () => {
  const first = await startOperator("first");
  const second = await startOperator("second");
  expect([first.isLeader, second.isLeader]).toEqual([true, false]);

  await api.post(boats, boat("ann", { sails: 2 }));
  await expect.poll(() => statusOf("ann")).toEqual({ sails: 2 });
  expect((await logOf("ann")).body.data).toEqual({ sails: "2" });
  await api.patch(`${boats}/ann`, "application/merge-patch+json", { spec: { sails: 5 } });
  await expect.poll(() => statusOf("ann")).toEqual({ sails: 5 });
  expect((await api.get(`${boats}/ann`)).body.metadata).toMatchObject({
    generation: 2,
    finalizers: [boatFinalizer],
  });

  await first.stop();
  await expect.poll(() => second.isLeader).toBe(true);
  await api.post(boats, boat("bob", { sails: 1 }));
  await expect.poll(() => statusOf("bob")).toEqual({ sails: 1 });

  for (const name of ["ann", "bob"]) await api.delete(`${boats}/${name}`);
  for (const name of ["ann", "bob"]) {
    await expect.poll(async () => (await api.get(`${boats}/${name}`)).status).toBe(404);
    // The garbage collector removes what a boat owned.
    await expect.poll(async () => (await logOf(name)).status).toBe(404);
  }
  expect([...first.failures, ...second.failures].map(String)).toEqual([]);
});
