import { connect, createServer, type Socket } from "node:net";
import { afterEach, beforeAll, expect, test } from "vitest";
import {
  type PeerAnswer,
  type PeerOptions,
  type PeerRequest,
  type RemotePeer,
  startRemotePeer,
} from "../../test/support/remote-peer.js";
import { TestAuthority } from "../../test/support/test-authority.js";
import type { ClientIdentity, ServerConfig } from "./client-config.js";
import { noIdentity } from "./client-config.js";
import { directDial } from "./direct-dial.js";
import type { RemoteRequest } from "./remote-call.js";
import { type Dial, RemoteClient, type RemoteClientOptions } from "./remote-client.js";
import { RemoteError } from "./remote-error.js";
import { tlsTrust } from "./tls-trust.js";

let authority: TestAuthority;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create("test-ca");
});
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close();
});

async function peer(
  answer: (request: PeerRequest) => PeerAnswer | "hang" | Promise<PeerAnswer | "hang">,
  options: Partial<PeerOptions> = {},
): Promise<RemotePeer> {
  const started = await startRemotePeer({ authority, ...options }, answer);
  opened.push(started);
  return started;
}

function client(
  url: string,
  server: Partial<ServerConfig> = {},
  options: Partial<RemoteClientOptions> = {},
): RemoteClient {
  const made = new RemoteClient({
    server: { url: new URL(url), caPem: authority.caPem, serverName: undefined, insecure: false, ...server },
    ...options,
  });
  opened.push(made);
  return made;
}

const get: RemoteRequest = { method: "GET", timeoutMs: 10_000, answerBytesMax: 1000 };

test.each([
  [false, "2.0"],
  [true, "1.1"],
])("many calls share connections (HTTP/1.1 only: %s)", async (http1Only, httpVersion) => {
  const server = await peer(({ body }) => ({ status: 201, body: { echo: body } }), { http1Only });
  const calls = client(`${server.url}/base?kept=1`, {}, { connectionsMax: 2 });
  const bodies = Array.from({ length: 20 }, (_, index) => `body ${index}`);
  const answers = await Promise.all(
    bodies.map((body) =>
      calls.request({ ...get, method: "POST", path: "/below", query: { timeout: "1s" }, body }),
    ),
  );
  expect(answers.map(({ status, body }) => [status, JSON.parse(body.toString()).echo])).toEqual(
    bodies.map((body) => [201, body]),
  );
  expect(new Set(server.requests.map((request) => request.httpVersion))).toEqual(new Set([httpVersion]));
  expect(server.requests[0]).toMatchObject({ method: "POST", path: "/base/below?kept=1&timeout=1s" });
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test("a client shows its certificate, its authorization, and whom it acts for", async () => {
  const server = await peer(() => ({}), { clientCaPem: authority.caPem });
  const certificate = await authority.issue({ commonName: "the-server", usage: "client" });
  const identity: ClientIdentity = {
    certificate,
    authorization: "Bearer abc",
    impersonation: [
      ["Impersonate-User", "jane"],
      ["Impersonate-Group", "a"],
      ["Impersonate-Group", "b"],
    ],
  };
  await client(server.url, {}, { identity }).request({ ...get, headers: { "X-Own": "1" } });
  expect(server.requests).toMatchObject([
    {
      client: "the-server",
      headers: {
        authorization: "Bearer abc",
        "impersonate-user": "jane",
        "impersonate-group": "a, b",
        "x-own": "1",
      },
    },
  ]);
  const stranger = client(server.url, {}, { identity: noIdentity });
  await expect(stranger.request(get)).rejects.toThrow(RemoteError);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["", "/"],
  ["/", "/"],
  ["//hook", "/hook"],
  ["/a//b/", "/a/b"],
  ["/a%2Fb/?kept=1", "/a%2Fb?kept=1"],
])("the server's own path %j is asked for as %j", async (path, asked) => {
  const server = await peer(() => ({}));
  await client(`${server.url}${path}`).request({ ...get, method: "POST" });
  expect(server.requests).toMatchObject([{ path: asked }]);
});

test("the server is told the name of the client, when it has one", async () => {
  const server = await peer(() => ({}));
  await client(server.url, {}, { userAgent: "made-up" }).request(get);
  await client(server.url).request(get);
  expect(server.requests.map(({ headers }) => headers["user-agent"])).toEqual(["made-up", undefined]);
});

test("any certificate of the bundle is an anchor: an intermediate authority, or the server's own", async () => {
  const intermediate = await authority.intermediate("intermediate");
  const request = { commonName: "peer", usage: "server", names: ["127.0.0.1"] } as const;
  const certificate = await intermediate.issue(request);
  const server = await peer(() => ({}), { certificate });
  for (const caPem of [intermediate.caPem, certificate.certPem]) {
    expect((await client(server.url, { caPem }).request(get)).status).toBe(200);
  }
  const sibling = await intermediate.issue(request);
  await expect(client(server.url, { caPem: sibling.certPem }).request(get)).rejects.toThrow(
    "x509: certificate signed by unknown authority",
  );
  const expired = await intermediate.issue({ ...request, notAfter: Date.now() - 1000 });
  const late = await peer(() => ({}), { certificate: expired });
  await expect(client(late.url, { caPem: expired.certPem }).request(get)).rejects.toThrow(
    "tls: failed to verify certificate: x509: certificate has expired or is not yet valid",
  );
});

test("without a bundle the system's authorities are trusted", () => {
  expect(tlsTrust(undefined)).toEqual({});
});

test("the server's certificate must be one of the authority's, for the name", async () => {
  const server = await peer(() => ({}), { names: ["webhook.default.svc"] });
  const other = await TestAuthority.create("other");
  await expect(client(server.url).request(get)).rejects.toMatchObject({
    failure: "connect",
    message: expect.stringMatching(
      /^Get "https:\/\/127\.0\.0\.1:\d+\/": tls: failed to verify certificate: x509: certificate is not valid for/,
    ),
  });
  await expect(
    client(server.url, { serverName: "webhook.default.svc", caPem: other.caPem }).request(get),
  ).rejects.toMatchObject({
    message: expect.stringMatching(
      /: tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
    ),
  });
  await expect(
    client(server.url, { serverName: "webhook.default.svc", caPem: undefined }).request(get),
  ).rejects.toThrow("x509: certificate signed by unknown authority");
  const answers = await Promise.all([
    client(server.url, { serverName: "webhook.default.svc" }).request(get),
    client(server.url, { insecure: true, caPem: undefined }).request(get),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test("a call ends when its time is over, or its caller's", async () => {
  const server = await peer(() => "hang");
  const calls = client(server.url);
  await expect(calls.request({ ...get, timeoutMs: 100, query: { timeout: "100ms" } })).rejects.toMatchObject({
    failure: "timeout",
    message: expect.stringMatching(/^Get "https:.*\?timeout=100ms": context deadline exceeded$/),
  });
  const caller = new AbortController();
  const call = calls.request({ ...get, signal: caller.signal });
  caller.abort();
  await expect(call).rejects.toMatchObject({ failure: "aborted" });
  const last = calls.request(get);
  const refusal = expect(last).rejects.toMatchObject({ failure: "aborted" });
  await calls.close();
  await refusal;
});

test("a server that takes the connection and says nothing has no longer than the call", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on("error", () => {})));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  opened.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => silent.close(() => resolve()));
    },
  });
  const { port } = silent.address() as { port: number };
  const calls = client(`https://127.0.0.1:${port}`);
  await expect(calls.request({ ...get, timeoutMs: 100 })).rejects.toMatchObject({ failure: "timeout" });
});

test("an HTTP/2 connection that is stuck is given up", async () => {
  let isStuck = false;
  const server = await peer(() => (isStuck ? "hang" : { body: "yes" }));
  const calls = client(server.url);
  // Opening a connection may take longer than the calls below have.
  await calls.request(get);
  isStuck = true;
  for (let time = 0; time < 3; time++) {
    await expect(calls.request({ ...get, timeoutMs: 50 })).rejects.toMatchObject({ failure: "timeout" });
  }
  expect(server.connections()).toBe(1);
  isStuck = false;
  expect(String((await calls.request(get)).body)).toBe("yes");
  expect(server.connections()).toBe(2);
});

test("an answer has a bound", async () => {
  const server = await peer(({ path }) => ({ body: "x".repeat(Number(path.slice(1))) }));
  const calls = client(server.url);
  expect((await calls.request({ ...get, path: "1000" })).body).toHaveLength(1000);
  for (const bytes of ["1001", "5000000"]) {
    await expect(calls.request({ ...get, path: bytes })).rejects.toMatchObject({ failure: "too-large" });
  }
  expect((await calls.request({ ...get, path: "10" })).body).toHaveLength(10);
});

test("a server that is away is named without the URL's secrets", async () => {
  const server = await peer(() => ({}));
  await server.close();
  const calls = client(`https://user:secret@127.0.0.1:${server.port}/path`);
  await expect(calls.request(get)).rejects.toMatchObject({
    failure: "connect",
    message: `Get "https://127.0.0.1:${server.port}/path": dial tcp 127.0.0.1:${server.port}: connect: connection refused`,
  });
});

test.each([true, false])("calls go on after the server restarted (HTTP/1.1 only: %s)", async (http1Only) => {
  const server = await peer(() => ({}), { http1Only });
  const calls = client(server.url);
  await calls.request(get);
  await server.close();
  const again = await peer(() => ({}), { http1Only, port: server.port });
  expect((await calls.request({ ...get, method: "POST", idempotent: true })).status).toBe(200);
  expect(again.requests).toHaveLength(1);
});

test("connections that are opened at once do not warn of listeners", async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", note);
  try {
    const server = await peer(() => ({}), { http1Only: true, names: ["webhook.default.svc"] });
    const dial: Dial = (_, signal) => directDial({ host: "127.0.0.1", port: server.port }, signal);
    const calls = client("https://webhook.default.svc", {}, { dial });
    await Promise.all(Array.from({ length: 20 }, () => calls.request(get)));
    expect(server.connections()).toBe(20);
  } finally {
    process.off("warning", note);
  }
  expect(warnings).not.toContain("MaxListenersExceededWarning");
});

test("connections go where dial opens them", async () => {
  const server = await peer(() => ({}), { names: ["webhook.default.svc"] });
  const targets: unknown[] = [];
  const calls = client(
    "https://webhook.default.svc/validate",
    {},
    {
      dial: async (target) => {
        targets.push(target);
        return connect(server.port, "127.0.0.1");
      },
    },
  );
  expect((await calls.request(get)).status).toBe(200);
  expect(targets).toEqual([{ host: "webhook.default.svc", port: 443 }]);
  expect(server.requests).toMatchObject([{ path: "/validate", httpVersion: "2.0" }]);
  const missing = client("https://a.b.svc/p?c=d", {}, { dial: () => Promise.reject(new Error("no route")) });
  await expect(missing.request(get)).rejects.toThrow('Get "https://a.b.svc:443/p?c=d": no route');
  const failing = client("https://nowhere", {}, { dial: () => Promise.reject(new Error("no route")) });
  await expect(failing.request(get)).rejects.toThrow('Get "https://nowhere/": no route');
});
