import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { credentialsOf, type ServerProcess, startServer } from "../support/server-process.js";

// Without the options each of these would last longer than a test may: the defaults are 32, 90 and 60 s, and 10,000 connections.
const connectionsMax = 30;
const args = [
  "--connection-header-timeout=1s",
  "--connection-idle-timeout=1s",
  "--request-timeout=2s",
  `--max-connections=${connectionsMax}`,
];
const maps = "/api/v1/namespaces/default/configmaps";
const closesMs = 25_000;
let server: ServerProcess;
let api: ApiClient;

beforeAll(async () => {
  // Without the limits, which end the requests of a client that the machine hardly lets run.
  const { dataDirectory } = await filledServer();
  server = await startServer({ args, dataDirectory });
  api = new ApiClient(server);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

/** A server with large objects, stopped. */
async function filledServer(): Promise<ServerProcess> {
  const filled = await startServer();
  const client = new ApiClient(filled);
  for (let i = 0; i < 40; i++) {
    await client.post(maps, { metadata: { name: `large-${i}` }, data: { text: "x".repeat(500_000) } });
  }
  await client.close();
  await filled.stop();
  return filled;
}

async function tls(protocol: string): Promise<TLSSocket> {
  const socket = connectTls({
    host: "127.0.0.1",
    port: server.port,
    ALPNProtocols: [protocol],
    ...credentialsOf(server),
  });
  await once(socket, "secureConnect");
  return socket;
}

/** All that comes until the server closes the connection. */
async function untilClosed(socket: Socket): Promise<string> {
  let text = "";
  socket.on("error", () => undefined);
  socket.on("data", (piece: Buffer) => {
    text += piece.toString("latin1");
  });
  if (!socket.closed) await once(socket, "close");
  return text;
}

const http1Head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`;
const halfHello = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]);
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

test.each<[what: string, protocol: string | undefined, sent: string | Buffer]>([
  ["a silent TCP connection", undefined, ""],
  ["half a hello", undefined, halfHello],
  ["half of a request's headers", "http/1.1", http1Head("GET", "/version")],
  ["half of an HTTP/2 preface", "h2", preface.slice(0, 10)],
  ["an HTTP/1.1 connection without requests", "http/1.1", `${http1Head("GET", "/livez")}\r\n`],
  ["an HTTP/2 connection without requests", "h2", preface],
])("%s ends in the time that the options give it", { timeout: closesMs }, async (_what, protocol, sent) => {
  const socket = protocol === undefined ? connectTcp(server.port, "127.0.0.1") : await tls(protocol);
  socket.write(sent);
  await untilClosed(socket);
});

test("a body that does not come is waited for as long as a request may take", {
  timeout: closesMs,
}, async () => {
  const socket = await tls("http/1.1");
  socket.write(`${http1Head("POST", maps)}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 504 /);

  const session = connectHttp2(server.url, credentialsOf(server));
  session.on("error", () => undefined);
  const stream = session.request({ ":method": "POST", ":path": maps, "content-type": "application/json" });
  stream.on("error", () => undefined);
  stream.write("{");
  const [headers] = await once(stream, "response");
  expect(headers[":status"]).toBe(504);
  session.destroy();
});

test("an answer that is not read is cut", { timeout: closesMs }, async () => {
  const socket = await tls("http/1.1");
  socket.pause();
  socket.write(`${http1Head("GET", `${maps}?pretty=true`)}\r\n`);
  await expect.poll(async () => openConnections(), { timeout: closesMs }).toBe(1);
  const text = await untilClosed(socket.resume());
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).not.toContain('large-9"');
});

test("above the limit of connections unfinished handshakes make room", async () => {
  const silent = Array.from({ length: 2 * connectionsMax }, () => connectTcp(server.port, "127.0.0.1"));
  const closed = silent.map((socket) => untilClosed(socket));
  expect((await api.get("/livez")).status).toBe(200);
  // Those that make room count until they are closed.
  expect(await openConnections()).toBeLessThan(1.5 * connectionsMax);
  await expect.poll(openConnections).toBeLessThanOrEqual(connectionsMax);
  for (const socket of silent) socket.destroy();
  await Promise.all(closed);
});

/** As the server counts its sockets; the one that asks is among them. */
async function openConnections(): Promise<number> {
  const { text } = await api.get("/debug/pprof/goroutine?debug=1");
  return Number(/^(\d+) @ TCPSocketWrap$/m.exec(text)?.[1]);
}
