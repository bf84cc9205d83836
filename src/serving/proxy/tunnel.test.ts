import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ensureLocalPki } from "../../server/pki/local-pki.js";
import { openTunnel, type TunnelProxy } from "./tunnel.js";

const closing: (() => void)[] = [];
const never = new AbortController().signal;

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}

/** A server that echoes its input. */
async function echo(): Promise<{ host: string; port: number }> {
  const server = createTcpServer((socket) => void socket.on("error", () => {}).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { host: "127.0.0.1", port: portOf(server) };
}

/** Connects to any address except port 1. */
function proxying(server: Server, asked: string[]): Server {
  server.on("connect", ({ url = "", headers }, client: Socket) => {
    asked.push(`${url} ${headers.host}`);
    client.on("error", () => {});
    const [host, port] = url.split(":");
    if (port === "1") return void client.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
    const other = connect(Number(port), host).on("error", () => client.destroy());
    other.once("connect", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(other).pipe(client);
    });
  });
  closing.push(() => server.close());
  return server;
}

async function roundTrip(proxy: TunnelProxy): Promise<string> {
  const socket = await openTunnel(proxy, await echo(), never);
  socket.write("hello");
  const [received] = await once(socket, "data");
  socket.destroy();
  return String(received);
}

test("a connection goes through a proxy in the clear, which is told where to", async () => {
  const asked: string[] = [];
  const server = proxying(createServer(), asked);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  expect(await roundTrip({ at: { host: "127.0.0.1", port: portOf(server) } })).toBe("hello");
  expect(asked).toEqual([expect.stringMatching(/^(127\.0\.0\.1:\d+) \1$/)]);
});

test("through a proxy at a socket in the file system", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tunnel-"));
  closing.push(() => rmSync(directory, { recursive: true, force: true }));
  const socketPath = join(directory, "proxy.sock");
  const server = proxying(createServer(), []);
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  expect(await roundTrip({ at: { socketPath } })).toBe("hello");
});

test("through a proxy whose certificate is verified, and that verifies ours", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tunnel-"));
  closing.push(() => rmSync(directory, { recursive: true, force: true }));
  const pki = await ensureLocalPki({
    directory,
    now: Date.now(),
    authorityName: "proxies",
    serving: { commonName: "proxy", names: ["127.0.0.1"] },
    admin: { commonName: "the-api-server", organizations: [] },
  });
  const { caPem, serving } = pki;
  const admin = await pki.admin;
  if (serving === undefined || admin === undefined) throw new Error("no certificates");
  const server = proxying(
    createSecureServer({
      cert: serving.certPem,
      key: serving.keyPem,
      ca: caPem,
      requestCert: true,
      rejectUnauthorized: true,
    }),
    [],
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = { host: "127.0.0.1", port: portOf(server) };
  const tls = { ca: caPem, cert: admin.certPem, key: admin.keyPem };
  expect(await roundTrip({ at, tls })).toBe("hello");
  // The proxy's certificate has no name of the target.
  const { port } = await echo();
  const named = await openTunnel({ at, tls }, { host: "localhost", port }, never);
  named.destroy();
  await expect(roundTrip({ at, tls: {} })).rejects.toThrow("dialing the proxy to");
});

test("a refusal of the proxy is told", async () => {
  const server = proxying(createServer(), []);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = { host: "127.0.0.1", port: portOf(server) };
  const stages: string[] = [];
  const failed = (stage: string) => void stages.push(stage);
  const target = { host: "127.0.0.1", port: 1 };
  await expect(openTunnel({ at }, target, never, failed)).rejects.toThrow(
    "proxy error while dialing 127.0.0.1:1, code 503",
  );
  await new Promise((resolve) => server.close(resolve));
  await expect(openTunnel({ at }, target, never, failed)).rejects.toThrow("ECONNREFUSED");
  expect(stages).toEqual(["proxy", "connect"]);
});

test("nobody waits for a proxy longer than the signal says", async () => {
  const silent = createTcpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  closing.push(() => silent.close());
  const stop = new AbortController();
  const opening = openTunnel(
    { at: { host: "127.0.0.1", port: portOf(silent) } },
    { host: "::1", port: 5 },
    stop.signal,
  );
  stop.abort(new Error("enough"));
  await expect(opening).rejects.toThrow("enough");
});
