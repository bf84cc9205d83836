import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";

let server: TestServer;
let reached: string[] = [];
afterEach(async () => {
  await server.close();
  reached = [];
});

async function start(): Promise<void> {
  server = await startTestServer(async (exchange) => {
    reached.push(`${exchange.method} ${exchange.path}`);
    const body = exchange.method === "POST" ? await exchange.readBody(1e6) : new Uint8Array();
    exchange.respond(200, {}, `${body.length} bytes`);
  });
}

/** Everything until the server closes the connection. */
async function textUntilClosed(socket: TLSSocket): Promise<string> {
  let text = "";
  socket.on("data", (piece: Buffer) => {
    text += piece.toString("latin1");
  });
  await once(socket, "close");
  return text;
}

const extension = `;a=${"x".repeat(20_000)}`;

test.each([
  ["CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n", "405 Method Not Allowed"],
  [
    "CONNECT with bytes behind it",
    "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n\x16\x03\x01",
    "405 Method Not Allowed",
  ],
  ["another version", "GET / HTTP/1.2\r\nHost: x\r\n\r\n", "505 HTTP Version Not Supported"],
  ["a version far ahead", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", "505 HTTP Version Not Supported"],
  [
    "a long chunk extension",
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1${extension}\r\na\r\n0\r\n\r\n`,
    "413 Payload Too Large",
  ],
  [
    "a length that is no number",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "400 Bad Request",
  ],
  ["rubbish", "rubbish\r\n\r\n", "400 Bad Request"],
  [
    "long headers",
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${"x".repeat(1_100_000)}`,
    "431 Request Header Fields Too Large",
  ],
])("HTTP/1.1: %s is answered, and ends the connection", async (_what, sent, status) => {
  await start();
  const socket = await server.tls();
  socket.on("error", () => {});
  socket.write(sent, "latin1");
  const text = await textUntilClosed(socket);
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\\r\\n`));
  expect(text).toContain("\r\nConnection: close\r\n");
  expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  expect(server.errors).toEqual([]);
});

test("HTTP/1.1: what follows an answered request is refused behind its answer", async () => {
  await start();
  const socket = await server.tls();
  socket.write("GET /first HTTP/1.1\r\nHost: x\r\n\r\n");
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString("latin1")).toMatch(/^HTTP\/1\.1 200 /);
  socket.write("GET / HTTP/1.2\r\nHost: x\r\n\r\n");
  expect(await textUntilClosed(socket)).toMatch(/^HTTP\/1\.1 505 /);
  expect(reached).toEqual(["GET /first"]);
});

test("HTTP/1.1: a connection with a malformed request behind one that is not answered yet is cut", async () => {
  server = await startTestServer(() => new Promise(() => {}));
  const socket = await server.tls();
  socket.on("error", () => {});
  socket.write("GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.2\r\n\r\n");
  expect(await textUntilClosed(socket)).toBe("");
});

test("HTTP/2: CONNECT is refused, and the connection goes on", async () => {
  await start();
  const session = server.http2();
  const connect = session.request({ ":method": "CONNECT", ":authority": "x:443" });
  const [refused] = await once(connect, "response");
  expect(refused[":status"]).toBe(405);
  const stream = session.request({ ":path": "/next" });
  const [headers] = await once(stream, "response");
  expect(headers[":status"]).toBe(200);
  expect(reached).toEqual(["GET /next"]);
  stream.close();
  connect.close();
  session.close();
});
