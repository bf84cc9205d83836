import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type FakeNodeAgent, startNodeAgent } from "../support/fake-node-agent.js";
import { freePort, freePorts } from "../support/free-ports.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";
import { credentialsOf, startServer, type TestServer } from "../support/server-process.js";

const binaries = clientBinaries();
let home: string;
let agent: FakeNodeAgent;
let server: ServerHere;
let api: ApiClient;

const pods = "/api/v1/namespaces/default/pods";

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "node-agent-"));
  agent = await startNodeAgent(join(home, "agent"));
  server = await startServerHere({
    args: [
      `--kubelet-certificate-authority=${agent.caFile}`,
      `--kubelet-client-certificate=${agent.clientCertFile}`,
      `--kubelet-client-key=${agent.clientKeyFile}`,
      "--kubelet-preferred-address-types=ExternalIP,InternalIP",
      "--kubelet-timeout=2s",
    ],
  });
  api = new ApiClient(server);
  await node("real", agent.port, "127.0.0.1");
  await pod("solo", "real", ["main"]);
  await pod("pair", "real", ["left", "right"]);
  await pod("waiting", undefined, ["main"]);
  await pod("running", "real", ["main"], { phase: "Running" });
  await pod("failing", "real", ["broken", "lost", "refused"]);
});

afterAll(async () => {
  await server.dispose();
  await agent.close();
  rmSync(home, { recursive: true, force: true });
});

async function node(name: string, port: number, address: string): Promise<void> {
  const status = {
    addresses: [
      { type: "Hostname", address: "nowhere.invalid" },
      { type: "InternalIP", address },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  const answer = await api.post("/api/v1/nodes", { metadata: { name }, status });
  expect(answer.status).toBe(201);
}

async function pod(
  name: string,
  nodeName: string | undefined,
  containers: readonly string[],
  status?: object,
): Promise<void> {
  const spec = {
    ...(nodeName !== undefined && { nodeName }),
    initContainers: [{ name: "prepare", image: "i" }],
    containers: containers.map((container) => ({ name: container, image: "i" })),
  };
  expect((await api.post(pods, { metadata: { name }, spec })).status).toBe(201);
  if (status === undefined) return;
  const patched = await api.ask("PATCH", `${pods}/${name}/status`, {
    body: { status },
    contentType: "application/merge-patch+json",
  });
  expect(patched.status).toBe(200);
}

const kubectl = (args: string, binary = binaries.kubectl123, input = "") =>
  runClient(binary, args.split(" "), { kubeconfig: server.kubeconfig, home, input });

test("kubectl logs: the agent's text, asked for by the API server's own certificate", async () => {
  agent.seen.length = 0;
  const run = await kubectl("logs solo --tail=5 --timestamps --limit-bytes=100 --since=10s");
  expect(run).toMatchObject({ status: 0, stdout: "line 1\nline 2\n" });
  const [seen] = agent.seen;
  expect(seen).toMatchObject({
    method: "GET",
    url: "/containerLogs/default/solo/main?limitBytes=100&sinceSeconds=10&tailLines=5&timestamps=true",
    clientName: "the-api-server",
  });
  expect(seen?.headers.authorization).toBeUndefined();
  const plain = await api.get(`${pods}/solo/log`);
  expect(plain.headers["content-type"]).toBe("text/plain");
  expect(plain.headers["x-agent"]).toBeUndefined();
});

test("requests for logs are counted, and those that fail because of the agent's certificate", async () => {
  const other = await startNodeAgent(join(home, "other"));
  try {
    await node("untrusted", other.port, "127.0.0.1");
    await pod("elsewhere", "untrusted", ["main"]);
    const log = `${pods}/elsewhere/log`;
    expect((await api.get(log)).status).toBe(500);
    expect((await api.get(`${log}?insecureSkipTLSVerifyBackend=true`)).status).toBe(200);
  } finally {
    await other.close();
  }
  // Nobody listens here any more.
  expect((await api.get(`${pods}/elsewhere/log`)).status).toBe(500);
  const { text } = await api.get("/metrics");
  const requests = "kube_apiserver_pod_logs_pods_logs_insecure_backend_total";
  expect(text).toMatch(new RegExp(`^${requests}\\{usage="enforce_tls"\\} [2-9]`, "m"));
  expect(text).toMatch(new RegExp(`^${requests}\\{usage="skip_tls_allowed"\\} [1-9]`, "m"));
  expect(text).toMatch(/^kube_apiserver_pod_logs_pods_logs_backend_tls_failure_total 1$/m);
});

test("a log that is followed comes as it is written, and ends at the agent when the client goes", async () => {
  const { response } = await open("GET", `${pods}/solo/log?follow=true`);
  const [first] = (await once(response, "data")) as [Buffer];
  expect(first.toString()).toBe("line 1\n");
  response.destroy();
  await agent.followingEnded;
});

test.each([
  ["pair/log", 400, "a container name must be specified for pod pair, choose one of: [prepare left right]"],
  ["pair/log?container=middle", 400, "container middle is not valid for pod pair"],
  [
    "solo/log?tailLines=-1",
    422,
    'PodLogOptions "solo" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  ["solo/log?sinceTime=yesterday", 400, /yesterday/],
  ["nobody/log", 404, 'pods "nobody" not found'],
  ["failing/log?container=broken", 400, "container is waiting to start"],
  ["failing/log?container=lost", 404, "the server could not find the requested resource ( pods/log failing)"],
  ["solo/log/more", 404, "the server could not find the requested resource"],
  ["solo/exec", 400, "Upgrade request required"],
  ["waiting/exec", 400, "pod waiting does not have a host assigned"],
  ["waiting/attach", 400, "pod waiting does not have a host assigned"],
  ["waiting/portforward?ports=80", 400, "pod waiting does not have a host assigned"],
  [
    "pair/exec",
    400,
    /^a container name must be specified for pod pair, choose one of: \[prepare left right\]/,
  ],
  ["solo/portforward?ports=0", 400, /"0" is no port/],
])("GET %s: %d", async (path, status, message) => {
  const answer = await api.get(`${pods}/${path}`);
  expect(answer.body).toMatchObject({
    kind: "Status",
    code: status,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
  expect(answer.status).toBe(status);
});

test("more ports and arguments than anybody asks for are refused", async () => {
  const ports = await api.get(`${pods}/solo/portforward?ports=${"1,".repeat(1000)}1`);
  expect(ports.body).toMatchObject({ code: 413, message: expect.stringContaining("more than 1000 ports") });
  const commands = await api.get(`${pods}/solo/exec?command=${"a&command=".repeat(5000)}`);
  expect(commands.body).toMatchObject({
    code: 413,
    message: expect.stringContaining('more than 5000 parameters "command"'),
  });
});

test("an unscheduled pod has no log; methods that a subresource does not have are refused", async () => {
  expect((await api.get(`${pods}/waiting/log`)).status).toBe(204);
  expect((await api.post(`${pods}/solo/log`, {})).status).toBe(405);
  expect((await api.delete(`${pods}/solo/exec`)).status).toBe(405);
});

test("nodes that are not there, have no address, or do not answer", async () => {
  await pod("orphan", "unknown", ["main"]);
  expect((await api.get(`${pods}/orphan/log`)).body).toMatchObject({
    code: 404,
    message: 'pods "unknown" not found',
  });
  await api.post("/api/v1/nodes", { metadata: { name: "homeless" } });
  await pod("lost", "homeless", ["main"]);
  expect((await api.get(`${pods}/lost/log`)).body).toMatchObject({
    code: 500,
    message: "no preferred addresses found; known addresses: []",
  });
  const closed = await freePort();
  await node("closed", closed, "127.0.0.1");
  await pod("refused", "closed", ["main"]);
  expect((await api.get(`${pods}/refused/log`)).body).toMatchObject({
    code: 500,
    message: `Get "https://127.0.0.1:${closed}/containerLogs/default/refused/main": dial tcp 127.0.0.1:${closed}: connect: connection refused`,
  });
  const run = await kubectl("exec refused -- ls");
  expect(run.stderr).toContain(
    `Error from server: error dialing backend: dial tcp 127.0.0.1:${closed}: connect: connection refused`,
  );
});

test("an agent that takes the connection and says nothing is given up after --kubelet-timeout", async () => {
  const held = new Set<Socket>();
  const silent = createTcpServer((socket) => void held.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  await node("silent", port, "127.0.0.1");
  await pod("hushed", "silent", ["main"]);
  const answer = await api.get(`${pods}/hushed/log`);
  expect(answer.body).toMatchObject({
    code: 500,
    message: expect.stringContaining(`dial tcp 127.0.0.1:${port}: i/o timeout`),
  });
  for (const socket of held) socket.destroy();
  silent.close();
});

test("exec over an upgrade: bytes are passed on both ways, and the end of one side is the end of both", async () => {
  agent.seen.length = 0;
  const upgraded = await openUpgrade(
    "POST",
    `${pods}/solo/exec?command=ls&command=-l%20x&stdin=true&stdout=true&stderr=false&tty=0`,
    "SPDY/3.1",
  );
  expect(upgraded.response.statusCode).toBe(101);
  expect(upgraded.response.headers["x-stream-protocol-version"]).toBe("v4");
  const [seen] = agent.seen;
  expect(seen).toMatchObject({
    method: "POST",
    url: "/exec/default/solo/main?command=ls&command=-l%20x&input=1&output=1",
  });
  expect(seen?.headers).toMatchObject({ upgrade: "SPDY/3.1", "x-forwarded-for": "127.0.0.1" });
  const { socket } = upgraded;
  const received = collect(socket);
  const big = "x".repeat(300_000);
  socket.write("knock ");
  socket.write(big);
  await received.until("HELLO KNOCK ".length + big.length);
  expect(received.text()).toBe(`HELLO KNOCK ${big.toUpperCase()}`);
  const closed = once(socket, "close");
  socket.end();
  await closed;
});

test("what an agent says instead of changing the protocol is the answer", async () => {
  const { response, text } = await ask("POST", `${pods}/failing/exec?container=refused`, {
    Connection: "Upgrade",
    Upgrade: "SPDY/3.1",
  });
  expect(response.statusCode).toBe(403);
  expect(text).toBe("not me");
});

test("kubectl exec and attach over WebSocket", async () => {
  const run = await kubectl("exec solo -- ls", binaries.kubectlCurrent);
  expect(run).toMatchObject({ status: 0, stdout: "from the container\n" });
  const attached = await kubectl("attach solo", binaries.kubectlCurrent);
  expect(attached).toMatchObject({ status: 0, stdout: expect.stringContaining("from the container\n") });
  expect(agent.seen.at(-1)?.url).toBe("/attach/default/solo/main?error=1&output=1");
});

test("kubectl exec over SPDY: what is said and heard, and how it ended", async () => {
  expect(await kubectl("exec solo -c main -- echo from the container")).toEqual({
    status: 0,
    stdout: "from the container\n",
    stderr: "",
  });
  const heard = await kubectl("exec -i solo -- cat", binaries.kubectl123, "big ".repeat(200_000));
  expect(heard.status).toBe(0);
  expect(heard.stdout).toBe("big ".repeat(200_000));
  expect(agent.seen.at(-1)).toMatchObject({
    url: "/exec/default/solo/main?command=cat&error=1&input=1&output=1",
  });
  const complained = await kubectl("exec solo -- ls /no/such/place");
  expect([complained.status, complained.stderr]).toEqual([2, expect.stringContaining("/no/such/place")]);
  expect(complained.stderr).toContain("command terminated with exit code 2");
});

test("kubectl attach over SPDY", async () => {
  const run = await kubectl("attach -i solo", binaries.kubectl123, "hello\n");
  expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining("attached\nhello\n") });
  expect(agent.seen.at(-1)?.url).toBe("/attach/default/solo/main?error=1&input=1&output=1");
});

test("kubectl cp there and back", async () => {
  const [local, remote, back] = ["sent", "there", "returned"].map((name) => join(home, name));
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  writeFileSync(local ?? "", content);
  expect(await kubectl(`cp -c main ${local} solo:${remote}`)).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(remote ?? "").equals(content)).toBe(true);
  expect(await kubectl(`cp -c main solo:${remote} ${back}`)).toMatchObject({ status: 0 });
  expect(readFileSync(back ?? "").equals(content)).toBe(true);
});

// The current one tries a WebSocket first, that agents of this version do not know.
test.each([
  ["kubectl 1.23", binaries.kubectl123],
  ["the current kubectl", binaries.kubectlCurrent],
])("%s port-forward: several connections, and a port where nobody listens", async (_name, kubectlBinary) => {
  const web: Server = createServer((request, response) =>
    response.end(`web ${request.url} ${"x".repeat(100_000)}`),
  );
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const { port } = web.address() as AddressInfo;
  const [mine, closed, other] = await freePorts(3);
  const args = ["port-forward", "--address=127.0.0.1", "running", `${mine}:${port}`, `${other}:${closed}`];
  const forward = spawn(kubectlBinary, args, {
    env: { PATH: process.env.PATH, HOME: home, KUBECONFIG: server.kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [forward.stdout, forward.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      printed += bytes.toString("utf8");
    });
  }
  try {
    await expect.poll(() => printed).toContain(`Forwarding from 127.0.0.1:${other} -> ${closed}`);
    const answers = await Promise.all(
      ["/a", "/b", "/c"].map(async (path) => await (await fetch(`http://127.0.0.1:${mine}${path}`)).text()),
    );
    expect(answers.map((answer) => answer.slice(0, 8))).toEqual(["web /a x", "web /b x", "web /c x"]);
    expect(answers.every((answer) => answer.length > 100_000)).toBe(true);
    expect(agent.seen.at(-1)).toMatchObject({ method: "POST", url: "/portForward/default/running" });
    await expect(fetch(`http://127.0.0.1:${other}/`)).rejects.toThrow();
    await expect.poll(() => printed).toContain("an error occurred forwarding");
  } finally {
    forward.kill();
    web.closeAllConnections();
    web.close();
  }
});

test("port forwarding hands the ports on", async () => {
  const { socket, response } = await openUpgrade("POST", `${pods}/solo/portforward?ports=80,443`, "SPDY/3.1");
  expect(response.statusCode).toBe(101);
  expect(agent.seen.at(-1)?.url).toBe("/portForward/default/solo?port=80&port=443");
  socket.destroy();
});

test("a WebSocket through a node's proxy", async () => {
  const client = new WebSocket(`${server.url.replace("https", "wss")}/api/v1/nodes/real/proxy/talk?a=b`, {
    ...credentialsOf(server),
    perMessageDeflate: false,
  });
  await once(client, "open");
  client.send("hello");
  const [message] = (await once(client, "message")) as [Buffer];
  expect(message.toString()).toBe("HELLO");
  expect(agent.seen.at(-1)?.url).toBe("/talk?a=b");
  client.close();
  await once(client, "close");
});

test("a WebSocket client's token may come as a subprotocol, which goes no further", async () => {
  while ((await api.get("/api/v1/namespaces/default/serviceaccounts/default")).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const issued = await api.post("/api/v1/namespaces/default/serviceaccounts/default/token", {});
  const carrier = (token: string): string =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString("base64url")}`;
  const dial = (...protocols: string[]) =>
    new WebSocket(
      `${server.url.replace("https", "wss")}${pods}/solo/exec?command=ls&stdout=true`,
      protocols,
      { ca: credentialsOf(server).ca },
    );
  const right = carrier(issued.body.status.token);
  const client = dial("v5.channel.k8s.io", right);
  const [message] = (await once(client, "message")) as [Buffer];
  expect(message.toString()).toBe("\u0001from the container\n");
  expect(client.protocol).toBe("v5.channel.k8s.io");
  expect(agent.seen.at(-1)?.headers["sec-websocket-protocol"]).toBe("v5.channel.k8s.io");
  client.terminate();
  const wrong = ["v5.channel.k8s.io", carrier("wrong")];
  for (const refused of [wrong, ["v5.channel.k8s.io", carrier("not a token")], [right]]) {
    const [, refusal] = (await once(dial(...refused), "unexpected-response")) as [unknown, IncomingMessage];
    expect(refusal.statusCode).toBe(401);
    refusal.destroy();
  }
});

test("a node's proxy: any method, headers of one hop taken out, the rest passed on", async () => {
  const path = "/api/v1/nodes/real/proxy/some%20where/?q=1%2F2&q=3";
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await api.ask(method, path, {
      ...(method !== "GET" && method !== "OPTIONS" && { body: { a: 1 } }),
      headers: { "X-Mine": "1", "X-Forwarded-For": "10.0.0.1", Cookie: "c=d" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      method,
      url: "/some%20where/?q=1%2F2&q=3",
      body: method === "GET" || method === "OPTIONS" ? "" : '{"a":1}',
      headers: {
        "x-mine": "1",
        cookie: "c=d",
        "x-forwarded-for": "10.0.0.1, 127.0.0.1",
        "x-forwarded-uri": "/api/v1/nodes/real/proxy/some%20where/",
        host: server.url.slice("https://".length),
      },
    });
    expect(answer.headers["x-agent"]).toBe("yes");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(answer.headers["keep-alive"]).not.toBe("timeout=77");
  }
  const withToken = await api.ask("GET", path, { headers: { Authorization: "Basic YTpi" } });
  expect(withToken.body.headers.authorization).toBeUndefined();
});

test("HTTP/2 clients are proxied too, bodies included", async () => {
  const client = new ApiClient(server, { http2: true });
  const answer = await client.ask("POST", "/api/v1/nodes/real/proxy/x", { body: { a: 1 } });
  expect(answer.body).toMatchObject({ method: "POST", url: "/x", body: '{"a":1}' });
});

test("redirects lead through the proxy; a path that names nothing is sent to its slash", async () => {
  const redirect = await api.get("/api/v1/nodes/real/proxy/redirect");
  expect(redirect.status).toBe(302);
  expect(redirect.headers.location).toBe("/api/v1/nodes/real/proxy/elsewhere?x=1");
  const bare = await api.get("/api/v1/nodes/real/proxy?a=b");
  expect(bare.status).toBe(301);
  expect(bare.headers.location).toBe("/api/v1/nodes/real/proxy/?a=b");
});

test("a response that breaks off breaks off for the client, too", async () => {
  await expect(api.get("/api/v1/nodes/real/proxy/cut")).rejects.toThrow();
});

test("proxy names that cannot be, and addresses that must not be", async () => {
  const failures: [string, number, string][] = [
    ["/api/v1/nodes/ftp:real:80/proxy/", 400, 'invalid node request "ftp:real:80"'],
    ["/api/v1/nodes/real:81/proxy/", 400, "address not allowed"],
    ["/api/v1/nodes/none/proxy/", 404, 'nodes "none" not found'],
    [`${pods}/solo/proxy/`, 400, "address not allowed"],
    ["/api/v1/namespaces/default/services/none:1/proxy/", 404, 'services "none" not found'],
    ["/api/v1/namespaces/default/services/none/proxy/", 404, 'services "none" not found'],
  ];
  await pod("looped", "real", ["main"], { podIP: "127.0.0.1", podIPs: [{ ip: "127.0.0.1" }] });
  failures.push([`${pods}/looped:${agent.port}/proxy/`, 400, "address not allowed"]);
  for (const [path, code, message] of failures) {
    expect((await api.get(path)).body).toMatchObject({ code, message });
  }
});

const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(
    ({ family, internal, address }) => family === "IPv4" && !internal && !address.startsWith("169.254."),
  )?.address;

test.skipIf(outside === undefined)("pods and services are reached at the pod's address", async () => {
  const web: Server = createServer((request, response) => response.end(`web ${request.url}`));
  await new Promise<void>((resolve) => web.listen(0, outside, resolve));
  const { port } = web.address() as AddressInfo;
  await pod("web", "real", ["main"], { podIP: outside, podIPs: [{ ip: outside }] });
  expect((await api.get(`${pods}/web:${port}/proxy/a?b`)).text).toBe("web /a?b");

  const namespace = "/api/v1/namespaces/default";
  const ports = [{ name: "http", port: 80, targetPort: port }];
  await api.post(`${namespace}/services`, { metadata: { name: "web" }, spec: { ports } });
  const service = `${namespace}/services`;
  expect((await api.get(`${service}/web:http/proxy/`)).body).toMatchObject({ code: 404 });
  const addresses = [{ ip: outside, targetRef: { kind: "Pod", namespace: "default", name: "web" } }];
  await api.post(`${namespace}/endpoints`, {
    metadata: { name: "web" },
    subsets: [{ addresses, ports: [{ name: "http", port }] }],
  });
  expect((await api.get(`${service}/web:http/proxy/x`)).text).toBe("web /x");
  expect((await api.get(`${service}/http:web:80/proxy/x`)).text).toBe("web /x");
  expect((await api.get(`${service}/web:81/proxy/`)).body).toMatchObject({
    code: 503,
    message: 'no service port 81 found for service "web"',
  });
  expect((await api.get(`${service}/web:other/proxy/`)).body).toMatchObject({
    code: 503,
    message: 'no endpoints available for service "web:other"',
  });
  web.close();
  await once(web, "close");
  expect((await api.get(`${pods}/web:${port}/proxy/`)).body).toMatchObject({
    code: 503,
    reason: "ServiceUnavailable",
    message: `error trying to reach service: dial tcp ${outside}:${port}: connect: connection refused`,
  });
});

test("a server that stops ends what is open", async () => {
  const other = await startServer();
  try {
    const client = new ApiClient(other);
    await client.post("/api/v1/nodes", {
      metadata: { name: "real" },
      status: {
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: agent.port } },
      },
    });
    const spec = { nodeName: "real", containers: [{ name: "main", image: "i" }] };
    await client.post(pods, { metadata: { name: "solo" }, spec });
    const { socket } = await openUpgrade("POST", `${pods}/solo/exec`, "SPDY/3.1", other);
    const closed = once(socket.resume(), "close");
    expect(await other.stop()).toBe(0);
    await closed;
  } finally {
    await other.dispose();
  }
});

function call(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  of: TestServer = server,
) {
  return httpsRequest(`${of.url}${path}`, { method, headers, agent: false, ...credentialsOf(of) });
}

async function open(method: string, path: string, headers = {}): Promise<{ response: IncomingMessage }> {
  const request = call(method, path, headers);
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => {});
  return { response };
}

async function ask(method: string, path: string, headers = {}) {
  const { response } = await open(method, path, headers);
  const received = collect(response);
  await once(response, "end");
  return { response, text: received.text() };
}

async function openUpgrade(method: string, path: string, protocol: string, of: TestServer = server) {
  const request = call(method, path, { Connection: "Upgrade", Upgrade: protocol }, of);
  request.end();
  const [response, socket, head] = (await once(request, "upgrade")) as [IncomingMessage, Socket, Buffer];
  socket.on("error", () => {});
  if (head.length > 0) socket.unshift(head);
  return { response, socket };
}

function collect(stream: NodeJS.ReadableStream) {
  let text = "";
  let changed: () => void = () => {};
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    changed();
  });
  return {
    text: () => text,
    async until(length: number) {
      while (text.length < length) {
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
  };
}
