import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeNodeAgent, startNodeAgent } from "../support/fake-node-agent.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";

/** Connections to nodes through the proxy that `--egress-selector-config-file` names. */

const directory = mkdtempSync(join(tmpdir(), "egress-"));
const asked: string[] = [];
let proxy: Server;
let agent: FakeNodeAgent;
let ground: GroundHere;
let isRefusing = false;

beforeAll(async () => {
  agent = await startNodeAgent(join(directory, "agent"));
  const socketPath = join(directory, "proxy.sock");
  proxy = createServer().on("connect", (request, client: Socket) => {
    asked.push(request.url ?? "");
    client.on("error", () => {});
    if (isRefusing) return void client.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
    // The name of the node leads nowhere but through here.
    const other = connect(agent.port, "127.0.0.1").on("error", () => client.destroy());
    other.once("connect", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(other).pipe(client);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(socketPath, resolve));
  const file = join(directory, "egress.yaml");
  writeFileSync(
    file,
    `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: HTTPConnect
    transport: {uds: {udsName: ${socketPath}}}
`,
  );
  ground = await openGroundHere([
    `--egress-selector-config-file=${file}`,
    `--kubelet-client-certificate=${agent.clientCertFile}`,
    `--kubelet-client-key=${agent.clientKeyFile}`,
    "--kubelet-preferred-address-types=InternalIP",
    "--kubelet-timeout=2s",
  ]);
  const { api } = ground;
  await api.post("/api/v1/nodes", {
    metadata: { name: "far" },
    status: {
      addresses: [{ type: "InternalIP", address: "node.invalid" }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    },
  });
  await api.post("/api/v1/namespaces/default/pods", {
    metadata: { name: "pod" },
    spec: { nodeName: "far", containers: [{ name: "main", image: "image" }] },
  });
});

afterAll(async () => {
  await ground.dispose();
  await agent.close();
  proxy.close();
  rmSync(directory, { recursive: true, force: true });
});

test("the log of a container comes through the proxy", async () => {
  const answer = await ground.api.get("/api/v1/namespaces/default/pods/pod/log");
  expect(answer.status, answer.text).toBe(200);
  expect(asked).toEqual(["node.invalid:10250"]);
  expect((await ground.api.get("/metrics")).text).toMatch(
    /^apiserver_egress_dialer_dial_duration_seconds_count\{protocol="http_connect",transport="uds"\} 1$/m,
  );
  expect(agent.seen.at(-1)).toMatchObject({
    url: "/containerLogs/default/pod/main",
    clientName: "the-api-server",
  });
});

test("a proxy that refuses is told of", async () => {
  isRefusing = true;
  const answer = await ground.api.get("/api/v1/namespaces/default/pods/pod/log");
  expect(answer.status).toBe(500);
  expect(answer.body.message).toContain("proxy error while dialing node.invalid:10250, code 503");
  expect((await ground.api.get("/metrics")).text).toMatch(
    /^apiserver_egress_dialer_dial_failure_count\{protocol="http_connect",transport="uds",stage="proxy"\} 1$/m,
  );
});
