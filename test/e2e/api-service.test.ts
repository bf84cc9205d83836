import { afterEach, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { disposeAll, startServer, type TestServer } from "../support/server-process.js";

const { apiServiceName } = createNaming("kubernetes");
const service = `/api/v1/namespaces/default/services/${apiServiceName}`;
const endpoints = `/api/v1/namespaces/default/endpoints/${apiServiceName}`;
const started: TestServer[] = [];

afterEach(async () => {
  await disposeAll(started);
});

async function start(args: readonly string[], dataDirectory?: string) {
  const server = await startServerHere({ args, ...(dataDirectory !== undefined && { dataDirectory }) });
  started.push(server);
  return { server, api: new ApiClient(server) };
}

test("the service follows the options of each start: its port, and its type by the node port", async () => {
  const first = await start(["--kubernetes-service-node-port=30443", "--advertise-address=10.7.0.1"]);
  const asNodePort = (await first.api.get(service)).body;
  expect(asNodePort.spec.type).toBe("NodePort");
  expect(asNodePort.spec.ports).toEqual([
    { name: "https", protocol: "TCP", port: 443, targetPort: first.server.port, nodePort: 30443 },
  ]);
  // The port is taken.
  const taken = await first.api.post("/api/v1/namespaces/default/services", {
    metadata: { name: "other" },
    spec: { type: "NodePort", ports: [{ port: 1, nodePort: 30443 }] },
  });
  expect(taken.status).toBe(422);
  await first.api.close();
  await first.server.stop();

  const second = await start(["--advertise-address=10.7.0.2"], first.server.dataDirectory);
  const asClusterIp = (await second.api.get(service)).body;
  expect(asClusterIp.spec).toMatchObject({ type: "ClusterIP", clusterIP: asNodePort.spec.clusterIP });
  expect(asClusterIp.spec.ports).toEqual([
    { name: "https", protocol: "TCP", port: 443, targetPort: second.server.port },
  ]);
  const { subsets } = (await second.api.get(endpoints)).body;
  expect(subsets).toEqual([
    {
      addresses: [{ ip: "10.7.0.2" }],
      ports: [{ name: "https", port: second.server.port, protocol: "TCP" }],
    },
  ]);
  await second.api.close();
});

test.each(["1.23", "1.35"])(
  "services whose address and port are outside of the ranges of the next start are named by events, at %s",
  async (level) => {
    const first = await start([`--api-level=${level}`, "--service-cluster-ip-range=10.3.0.0/24"]);
    const { uid } = (
      await first.api.post("/api/v1/namespaces/default/services", {
        metadata: { name: "web" },
        spec: { type: "NodePort", clusterIP: "10.3.0.9", ports: [{ port: 80, nodePort: 30100 }] },
      })
    ).body.metadata;
    await first.api.close();
    await first.server.stop();

    const { api } = await start(
      [
        `--api-level=${level}`,
        "--service-cluster-ip-range=10.4.0.0/24",
        "--service-node-port-range=31000-31100",
      ],
      first.server.dataDirectory,
    );
    const about = { apiVersion: "v1", kind: "Service", namespace: "default", name: "web", uid };
    const events = async () => {
      const { body } = await api.get(
        "/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dweb",
      );
      return body.items.sort((a: { reason: string }, b: { reason: string }) =>
        a.reason < b.reason ? -1 : 1,
      );
    };
    await expect.poll(events).toMatchObject([
      ...(level === "1.23"
        ? [
            {
              involvedObject: about,
              type: "Warning",
              reason: "ClusterIPOutOfRange",
              message:
                "Cluster IP [IPv4]:10.3.0.9 is not within the service CIDR 10.4.0.0/24; please recreate service",
              source: { component: "ipallocator-repair-controller" },
            },
          ]
        : []),
      {
        involvedObject: about,
        type: "Warning",
        reason: "PortOutOfRange",
        message: "Port 30100 is not within the port range 31000-31100; please recreate service",
        source: { component: "portallocator-repair-controller" },
        count: 1,
      },
    ]);
    const ofRange = await api.get(
      "/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind%3DServiceCIDR",
    );
    expect(ofRange.body.items).toMatchObject(
      level === "1.23"
        ? []
        : [
            {
              involvedObject: { apiVersion: "networking.k8s.io/v1", kind: "ServiceCIDR", name: "kubernetes" },
              type: "Warning",
              reason: "KubernetesDefaultServiceCIDRInconsistent",
              message:
                "The default ServiceCIDR [10.3.0.0/24] does not match the controller flag configurations [10.4.0.0/24]",
              source: { component: "kubernetes-service-cidr-controller" },
            },
          ],
    );
    await api.close();
  },
);

test("a server that stops says nothing of trouble", async () => {
  const server = await startServer({ args: ["--advertise-address=10.7.0.1"] });
  started.push(server);
  expect(await server.stop("SIGTERM")).toBe(0);
  expect(server.output()).not.toMatch(/^E /m);
});

test("an advertised address that cannot be an endpoint takes one line of the log, and the service is there without endpoints", async () => {
  const { server, api } = await start(["--advertise-address=127.0.0.1"]);
  expect((await api.get(service)).status).toBe(200);
  expect((await api.get(endpoints)).status).toBe(404);
  const lines = server.output().split("\n");
  expect(lines.filter((line) => line.includes("127.0.0.1") && /^[EW] /.test(line))).toEqual([
    expect.stringMatching(/^W .*own service has no endpoints.*address="127.0.0.1".*loopback range/),
  ]);
  expect(server.output()).not.toMatch(/^E |^ {4}at /m);
  await api.close();
});
