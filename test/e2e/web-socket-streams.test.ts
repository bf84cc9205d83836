import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type FakeNodeAgent, startNodeAgent } from "../support/fake-node-agent.js";
import { freePorts } from "../support/free-ports.js";
import { type ServerHere, startInProcess, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

/** Streams of containers and ports over WebSockets, for agents that know SPDY alone. */

const { kubectlCurrent } = clientBinaries();
const pods = "/api/v1/namespaces/default/pods";
let home: string;
let agent: FakeNodeAgent;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "web-socket-streams-"));
  agent = await startNodeAgent(join(home, "agent"));
});
afterAll(async () => {
  await agent.close();
  rmSync(home, { recursive: true, force: true });
});

interface Cluster {
  readonly server: ServerHere;
  readonly api: ApiClient;
  kubectl(args: readonly string[], input?: string): ReturnType<typeof runClient>;
  dispose(): Promise<void>;
}

async function openCluster(level: ApiLevel, gates = ""): Promise<Cluster> {
  const server = await startServerHere({
    args: [
      `--api-level=${level}`,
      ...(gates === "" ? [] : [`--feature-gates=${gates}`]),
      `--kubelet-certificate-authority=${agent.caFile}`,
      `--kubelet-client-certificate=${agent.clientCertFile}`,
      `--kubelet-client-key=${agent.clientKeyFile}`,
    ],
  });
  const api = new ApiClient(server);
  const node = async (name: string, port: number, declaredFeatures?: string[]): Promise<void> => {
    const status = {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      ...(declaredFeatures && { declaredFeatures }),
    };
    expect((await api.post("/api/v1/nodes", { metadata: { name }, status })).status).toBe(201);
  };
  await node("real", agent.port);
  await node("modern", agent.port, ["ExtendWebSocketsToKubelet"]);
  await node("gone", 1);
  for (const [name, nodeName] of [
    ["solo", "real"],
    ["left", "modern"],
    ["lost", "gone"],
  ]) {
    const spec = { nodeName, containers: [{ name: "main", image: "i" }] };
    expect((await api.post(pods, { metadata: { name }, spec })).status).toBe(201);
    const patched = await api.ask("PATCH", `${pods}/${name}/status`, {
      body: { status: { phase: "Running" } },
      contentType: "application/merge-patch+json",
    });
    expect(patched.status).toBe(200);
  }
  return {
    server,
    api,
    kubectl: (args, input = "") =>
      runClient(kubectlCurrent, args, { kubeconfig: server.kubeconfig, home, input }),
    async dispose() {
      await api.close();
      await server.dispose();
    },
  };
}

/** The status with which an upgrade to WebSocket is refused. */
async function refusedUpgrade(
  { server, api }: Cluster,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const asked = request(`${server.url}${path}`, { ...api.tls, headers: { ...upgrade, ...headers } });
    asked.once("response", (answer) => resolve(answer.resume().statusCode));
    asked.once("upgrade", () => reject(new Error("it was not refused")));
    asked.once("error", reject);
    asked.end();
  });
}

/** What a client of `v5.channel` is told, by channel. */
async function exchanged(
  cluster: Cluster,
  path: string,
  send: (client: WebSocket) => void = () => {},
): Promise<{
  readonly protocol: string;
  readonly texts: Readonly<Record<number, string>>;
  readonly code: number;
}> {
  const client = new WebSocket(`${cluster.server.url.replace("https", "wss")}${path}`, "v5.channel.k8s.io", {
    ...cluster.api.tls,
  });
  const texts: Record<number, string> = {};
  client.on("open", () => send(client));
  client.on("message", (data: Buffer) => {
    const channel = data[0] ?? 0;
    texts[channel] = (texts[channel] ?? "") + data.subarray(1).toString("utf8");
  });
  const code = await new Promise<number>((resolve, reject) => {
    client.once("close", resolve);
    client.once("error", reject);
  });
  return { protocol: client.protocol, texts, code };
}

describe.each(["1.23", "1.24", "1.36"] as const)("at %s", (apiLevel) => {
  test("an agent's redirect leads nowhere", async () => {
    const own = await startInProcess({
      apiLevel,
      nodeagentCertificateAuthority: agent.caFile,
      nodeagentClientCertificate: agent.clientCertFile,
      nodeagentClientKey: agent.clientKeyFile,
    });
    const status = {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: agent.port } },
    };
    await own.api.post("/api/v1/nodes", { metadata: { name: "real" }, status });
    const spec = { nodeName: "real", containers: [{ name: "redirected", image: "i" }] };
    expect((await own.api.post(pods, { metadata: { name: "moved" }, spec })).status).toBe(201);
    const url = `${own.url.replace("https", "wss")}${pods}/moved/exec?command=ls&stdout=1`;
    const client = new WebSocket(url, "v4.channel.k8s.io", { ...own.api.tls });
    const code = await new Promise((resolve) => {
      client.once("unexpected-response", (_request, { statusCode }) => resolve(statusCode));
      client.once("error", resolve);
    });
    expect(code).toBe(500);
    expect(last()?.url).toContain("/redirected");
    await own.dispose();
  });
});

const last = () => agent.seen.at(-1);

describe("before the gates are on", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await openCluster("1.29");
  });
  afterAll(() => cluster.dispose());

  test("WebSockets are passed on as they are", async () => {
    const { texts } = await exchanged(cluster, `${pods}/solo/exec?command=ls&stdout=true`);
    expect(texts[1]).toBe("from the container\n");
    expect(last()).toMatchObject({ method: "GET", headers: { upgrade: "websocket" } });
    expect((await cluster.api.get("/metrics")).text).not.toContain(
      "apiserver_stream_translator_requests_total",
    );
  });
});

describe.each(["1.30", "1.36"] as const)("at %s, containers", (level) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await openCluster(level);
  });
  afterAll(() => cluster.dispose());

  test("kubectl exec: what is said and heard, and how it ended", async () => {
    const { kubectl } = cluster;
    expect(await kubectl(["exec", "solo", "--", "echo", "from the container"])).toEqual({
      status: 0,
      stdout: "from the container\n",
      stderr: "",
    });
    expect(last()).toMatchObject({
      method: "POST",
      url: "/exec/default/solo/main?command=echo&command=from%20the%20container&error=1&output=1",
      headers: { upgrade: "SPDY/3.1", "x-stream-protocol-version": "v4.channel.k8s.io" },
      clientName: "the-api-server",
    });
    const heard = await kubectl(["exec", "-i", "solo", "--", "cat"], "big ".repeat(500_000));
    expect([heard.status, heard.stdout === "big ".repeat(500_000)]).toEqual([0, true]);
    const complained = await kubectl(["exec", "solo", "--", "ls", "/no/such/place"]);
    expect([complained.status, complained.stderr]).toEqual([2, expect.stringContaining("/no/such/place")]);
    expect(complained.stderr).toContain("command terminated with exit code 2");
    const attached = await kubectl(["attach", "-i", "solo"], "hello\n");
    expect(attached.stdout).toContain("attached\nhello\n");
  });

  test("a client is told what it asks for, and the outcome last", async () => {
    const path = `${pods}/solo/exec?command=sh&command=-c&command=cat%3Becho%20e>%262%3Bexit%203&stdin=1&stdout=1&stderr=1`;
    const { protocol, texts, code } = await exchanged(cluster, path, (client) => {
      client.send(Buffer.from("\u0000in"));
      client.send(Buffer.from([255, 0]));
    });
    expect([protocol, code, texts[1], texts[2]]).toEqual(["v5.channel.k8s.io", 1000, "in", "e\n"]);
    expect(JSON.parse(texts[3] ?? "")).toMatchObject({
      status: "Failure",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    });
  });

  test("an agent that cannot be reached, or refuses, is told of in the stream of errors", async () => {
    const { texts } = await exchanged(cluster, `${pods}/lost/exec?command=ls&stdout=1`);
    expect(JSON.parse(texts[3] ?? "")).toMatchObject({
      status: "Failure",
      message: expect.stringContaining("connection refused"),
    });
  });

  test("a client that leaves ends the command", async () => {
    const seen = agent.seen.length;
    const client = new WebSocket(
      `${cluster.server.url.replace("https", "wss")}${pods}/solo/exec?command=cat&stdin=1&stdout=1`,
      "v5.channel.k8s.io",
      { ...cluster.api.tls },
    );
    await new Promise((resolve) => client.once("message", resolve));
    client.terminate();
    await expect.poll(() => agent.seen.length).toBeGreaterThan(seen);
    const { texts } = await exchanged(cluster, `${pods}/solo/exec?command=true&stdout=1`);
    expect(JSON.parse(texts[3] ?? "")).toEqual({ metadata: {}, status: "Success" });
  });

  test("what is translated is counted", async () => {
    const metrics = (await cluster.api.get("/metrics")).text;
    expect(metrics).toMatch(/apiserver_stream_translator_requests_total\{code="200"\} \d/);
    const kinds =
      'apiserver_websocket_streaming_requests_total{subresource="exec",proxy_type="translated_at_apiserver"}';
    expect(metrics.includes("apiserver_websocket_streaming_requests_total")).toBe(level === "1.36");
    if (level === "1.36") expect(metrics).toMatch(new RegExp(kinds.replace(/[{}]/g, "\\$&")));
  });

  test("an agent that says it knows WebSockets is left to it, at 1.36", async () => {
    await exchanged(cluster, `${pods}/left/exec?command=ls&stdout=1`);
    const upgrade = level === "1.36" ? "websocket" : "SPDY/3.1";
    expect(last()?.headers.upgrade).toBe(upgrade);
  });
});

describe.each([
  ["1.30", false],
  ["1.31", true],
  ["1.36", true],
] as const)("at %s, kubectl port-forward", (level, isTunnelled) => {
  test(`goes through ${isTunnelled ? "a WebSocket" : "SPDY"}`, async () => {
    const cluster = await openCluster(level);
    const web: Server = createServer((request, response) =>
      response.end(`web ${request.url} ${"x".repeat(100_000)}`),
    );
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const { port } = web.address() as AddressInfo;
    const [mine] = await freePorts(1);
    const forward = spawn(
      kubectlCurrent,
      ["port-forward", "--address=127.0.0.1", "-v=6", "solo", `${mine}:${port}`],
      {
        env: { PATH: process.env.PATH, HOME: home, KUBECONFIG: cluster.server.kubeconfig },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let printed = "";
    for (const stream of [forward.stdout, forward.stderr]) {
      stream.on("data", (bytes: Buffer) => {
        printed += bytes.toString("utf8");
      });
    }
    try {
      await expect.poll(() => printed).toContain(`Forwarding from 127.0.0.1:${mine}`);
      const answers = await Promise.all(
        ["/a", "/b", "/c"].map(async (path) => (await fetch(`http://127.0.0.1:${mine}${path}`)).text()),
      );
      expect(answers.map((answer) => answer.slice(0, 6))).toEqual(["web /a", "web /b", "web /c"]);
      expect(answers.every((answer) => answer.length > 100_000)).toBe(true);
      expect(last()).toMatchObject({
        method: "POST",
        url: "/portForward/default/solo",
        headers: { upgrade: "SPDY/3.1", "x-stream-protocol-version": "portforward.k8s.io" },
      });
      const counted = (await cluster.api.get("/metrics")).text;
      expect(counted.includes('apiserver_stream_tunnel_requests_total{code="101"} 1')).toBe(isTunnelled);
      if (isTunnelled) {
        // The agent has agreed already when this handshake turns out to have no key.
        const open = agent.openStreams;
        const path = `${pods}/solo/portforward?ports=${port}`;
        const headers = {
          "sec-websocket-protocol": "SPDY/3.1+portforward.k8s.io",
          "sec-websocket-version": "13",
        };
        expect(await refusedUpgrade(cluster, path, headers)).toBe(400);
        await expect.poll(() => agent.openStreams).toBe(open);
      }
    } finally {
      forward.kill();
      web.closeAllConnections();
      web.close();
      await cluster.dispose();
    }
  });
});
