import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { ApiClient } from "../support/api-client.js";
import { apiServices, availability } from "../support/api-services.js";
import { ConnectProxy } from "../support/connect-proxy.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";
import { TestAuthority } from "../support/test-authority.js";

/** Which address of a service requests go to. A proxy stands for the network of the cluster, and sees it. */

const group = "wardle.example.com";
const endpoint = { ip: "10.1.2.3", port: 6443 };
const flunders = `/apis/${group}/v1/flunders`;
const ends: (() => unknown)[] = [];
let authority: TestAuthority;

beforeAll(async () => {
  authority = await TestAuthority.create("extension servers");
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const publishEndpoints = (api: ApiClient) =>
  api.post("/api/v1/namespaces/default/endpoints", {
    metadata: { name: "flunders" },
    subsets: [{ addresses: [{ ip: endpoint.ip }], ports: [{ port: endpoint.port }] }],
  });

const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

const publishSlice = (api: ApiClient) =>
  api.post(slices, {
    metadata: { name: "flunders-1", labels: { "kubernetes.io/service-name": "flunders" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [endpoint.ip] }],
    ports: [{ port: endpoint.port }],
  });

/** A server with `args` and an extension server behind a cluster IP. `asked` are the addresses that were connected to. */
async function routed(
  args: readonly string[] = [],
  publish: (api: ApiClient) => Promise<unknown> = publishEndpoints,
): Promise<{ ground: GroundHere; clusterAddress: string; asked: readonly string[] }> {
  const directory = mkdtempSync(join(tmpdir(), "aggregator-routing-"));
  ends.push(() => rmSync(directory, { recursive: true, force: true }));
  const names = ["flunders.default.svc"];
  const extension = await ExtensionApiServer.start({ group, version: "v1", names, authority });
  ends.push(() => extension.stop());
  const hosts = new Map([[`${endpoint.ip}:${endpoint.port}`, extension.port]]);
  const proxy = await ConnectProxy.start({ hosts });
  ends.push(() => proxy.stop());
  const connection = {
    proxyProtocol: "HTTPConnect",
    transport: { tcp: { url: `http://127.0.0.1:${proxy.port}` } },
  };
  const configuration = {
    apiVersion: "apiserver.k8s.io/v1beta1",
    kind: "EgressSelectorConfiguration",
    egressSelections: [{ name: "cluster", connection }],
  };
  const file = join(directory, "egress.json");
  writeFileSync(file, JSON.stringify(configuration));
  const ground = await openGroundHere([`--egress-selector-config-file=${file}`, ...args]);
  ends.push(() => ground.dispose());
  const { api } = ground;
  await publish(api);
  const service = await api.post("/api/v1/namespaces/default/services", {
    metadata: { name: "flunders" },
    spec: { ports: [{ port: 443, targetPort: endpoint.port }] },
  });
  const clusterAddress = `${service.body.spec.clusterIP}:443`;
  hosts.set(clusterAddress, extension.port);
  await api.post(apiServices, {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: "v1",
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      service: { namespace: "default", name: "flunders" },
      caBundle: Buffer.from(authority.caPem).toString("base64"),
    },
  });
  await expect.poll(async () => (await availability(api, "v1", group)).status).toBe("True");
  return { ground, clusterAddress, asked: proxy.asked };
}

test("the cluster IP, unless told otherwise", async () => {
  const { ground, clusterAddress, asked } = await routed();
  expect((await ground.api.get(flunders)).status).toBe(200);
  // Beside an address that is slow, an endpoint is tried.
  expect(asked[0]).toBe(clusterAddress);
});

test("the endpoints, with --enable-aggregator-routing", async () => {
  const { ground, asked } = await routed(["--enable-aggregator-routing"]);
  expect((await ground.api.get(flunders)).status).toBe(200);
  expect(new Set(asked)).toEqual(new Set([`${endpoint.ip}:${endpoint.port}`]));
});

test("a service that has lost its endpoints is not available, with --enable-aggregator-routing", async () => {
  const { ground } = await routed(["--enable-aggregator-routing"]);
  const { api } = ground;
  await api.delete("/api/v1/namespaces/default/endpoints/flunders");
  await expect
    .poll(async () => await availability(api, "v1", group))
    .toMatchObject({ status: "False", reason: "EndpointsNotFound" });
  expect((await api.get(flunders)).status).toBe(503);
});

test.each(["1.34", "1.36"])(
  "at %s slices say where the servers of a service are, not endpoints",
  async (level) => {
    const { ground, asked } = await routed(
      [`--api-level=${level}`, "--enable-aggregator-routing"],
      publishSlice,
    );
    const { api } = ground;
    expect((await api.get(flunders)).status).toBe(200);
    expect(new Set(asked)).toEqual(new Set([`${endpoint.ip}:${endpoint.port}`]));
    await publishEndpoints(api);
    await api.delete(`${slices}/flunders-1`);
    await expect
      .poll(async () => await availability(api, "v1", group))
      .toMatchObject({
        reason: "EndpointsNotFound",
        message: 'cannot find endpointslices for service/flunders in "default"',
      });
    await publishSlice(api);
    await expect.poll(async () => (await availability(api, "v1", group)).status).toBe("True");
  },
);

test("at 1.33 slices do not count", async () => {
  const { ground } = await routed(["--api-level=1.33", "--enable-aggregator-routing"]);
  const { api } = ground;
  await publishSlice(api);
  await api.delete("/api/v1/namespaces/default/endpoints/flunders");
  await expect
    .poll(async () => await availability(api, "v1", group))
    .toMatchObject({ message: 'cannot find endpoints for service/flunders in "default"' });
});
