import { afterAll, beforeAll, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { boatDefinition } from "../support/boat-definition.js";
import { mergePatch } from "../support/fixtures.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const { apiServiceName } = createNaming("kubernetes");
const args = ["--advertise-address=10.7.0.1", "--feature-gates=APIServerIdentity=true"];
const flowControl = "/apis/flowcontrol.apiserver.k8s.io/v1beta2";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";
const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const started: ServerHere[] = [];
let api: ApiClient;

async function start(dataDirectory?: string): Promise<void> {
  const server = await startServerHere({ args, ...(dataDirectory !== undefined && { dataDirectory }) });
  started.push(server);
  api = new ApiClient(server);
}

beforeAll(async () => await start());

afterAll(async () => {
  await api.close();
  await disposeAll(started);
});

/** Deletes what is at `path`. Resolves with the uid that it had. */
async function remove(path: string): Promise<string> {
  const { status, body } = await api.get(path);
  expect(status, path).toBe(200);
  expect((await api.delete(path)).status, path).toBe(200);
  return body.metadata.uid;
}

async function expectNewAt(path: string, former: string): Promise<void> {
  const uid = async (): Promise<unknown> => (await api.get(path)).body.metadata?.uid;
  await expect.poll(uid, { timeout: 60_000, message: path }).toMatch(/-/);
  expect(await uid()).not.toBe(former);
}

/** The system's namespaces, a minute's work, are tried in `src/controllers/system-namespaces.test.ts`. */
test("what a running server keeps comes back after it was deleted", { timeout: 60_000 }, async () => {
  const lease = (await api.get(leases)).body.items[0].metadata.name;
  const paths = [
    `/api/v1/namespaces/default/endpoints/${apiServiceName}`,
    `/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/${apiServiceName}`,
    "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
    `${flowControl}/flowschemas/catch-all`,
    `${flowControl}/flowschemas/service-accounts`,
    `${flowControl}/prioritylevelconfigurations/exempt`,
    `${flowControl}/prioritylevelconfigurations/workload-low`,
    `${leases}/${lease}`,
    `/api/v1/namespaces/default/services/${apiServiceName}`,
  ];
  for (const path of paths) await expect.poll(async () => (await api.get(path)).status).toBe(200);
  const former: string[] = [];
  // The service comes last, because its endpoints go with it.
  for (const path of paths) former.push(await remove(path));
  await Promise.all(paths.map((path, index) => expectNewAt(path, former[index] ?? "")));
});

test("the API service of a custom resource's version comes back and keeps its priority", async () => {
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boatDefinition());
  const path = `${apiServices}/v1.example.com`;
  await expect.poll(async () => (await api.get(path)).status).toBe(200);
  await expectNewAt(path, await remove(path));
  const patched = await api.patch(path, mergePatch, { spec: { versionPriority: 7 } });
  expect(patched.body.spec.versionPriority).toBe(7);
  await expect.poll(async () => (await api.get(path)).body.spec.versionPriority).toBe(100);
});

test("what is made at the start alone stays deleted until the next one", async () => {
  const paths = [
    `${rbac}/clusterroles/view`,
    `${rbac}/clusterrolebindings/system:basic-user`,
    `${rbac}/namespaces/kube-system/roles/system:controller:token-cleaner`,
    `${apiServices}/v1.apps`,
  ];
  const former = await Promise.all(paths.map(remove));
  const [server] = started;
  await api.close();
  await server?.stop();
  await start(server?.dataDirectory);
  await Promise.all(paths.map((path, index) => expectNewAt(path, former[index] ?? "")));
});
