import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import type { HttpExchange } from "./exchange.js";
import {
  endStream,
  frameTypes,
  Http2FrameReader,
  headersFrame,
  http2Frame,
  http2Preface,
} from "./testing/http2-frames.js";

let server: TestServer;
afterEach(() => server.close());

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a handler does before it reads the body, like a server that first authenticates the client. */
const readers: Readonly<Record<string, (exchange: HttpExchange) => Promise<Uint8Array>>> = {
  "at once": (exchange) => exchange.readBody(100),
  "after a promise": async (exchange) => {
    await Promise.resolve();
    return exchange.readBody(100);
  },
  "turns later": async (exchange) => {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    return exchange.readBody(100);
  },
  "turns later, as a stream": async (exchange) => {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    const pieces: Buffer[] = [];
    for await (const piece of exchange.bodyStream()) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  },
};

async function start(read: (exchange: HttpExchange) => Promise<Uint8Array>): Promise<void> {
  server = await startTestServer(async (exchange) => {
    exchange.respond(200, {}, `${(await read(exchange)).length} bytes`);
  });
}

const fields = (method: string) => ({
  ":method": method,
  ":scheme": "https",
  ":path": "/",
  ":authority": "x",
});
/** Frames after a HEADERS frame that does not end the stream. */
const http2Ends: Readonly<Record<string, (stream: number) => Buffer>> = {
  "an empty DATA frame": (stream) => http2Frame(frameTypes.data, endStream, stream),
  "two empty DATA frames": (stream) =>
    Buffer.concat([http2Frame(frameTypes.data, 0, stream), http2Frame(frameTypes.data, endStream, stream)]),
  "trailers alone": (stream) => headersFrame(stream, { "x-trailer": "1" }, { end: true }),
};

for (const [when, read] of Object.entries(readers)) {
  for (const [what, end] of Object.entries(http2Ends)) {
    test(`HTTP/2: a body of ${what} that is read ${when} is empty`, async () => {
      await start(read);
      const socket = await server.tls({ ALPNProtocols: ["h2"] });
      for (const [index, method] of ["POST", "PUT", "PATCH", "DELETE"].entries()) {
        const stream = 2 * index + 1;
        const request = Buffer.concat([headersFrame(stream, fields(method), { end: false }), end(stream)]);
        socket.write(index === 0 ? Buffer.concat([http2Preface, request]) : request);
        expect(await bodyOf(socket, stream)).toBe("0 bytes");
      }
      socket.destroy();
      expect(server.errors).toEqual([]);
    });
  }

  for (const body of ["Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "\r\n"]) {
    test(`HTTP/1.1: a body of ${JSON.stringify(body)} that is read ${when} is empty`, async () => {
      await start(read);
      const socket = await server.tls();
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        socket.write(`${method} / HTTP/1.1\r\nHost: x\r\n${body}`);
        const [answer] = (await once(socket, "data")) as [Buffer];
        expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*\r\n0 bytes$/);
      }
      socket.destroy();
      expect(server.errors).toEqual([]);
    });
  }
}

const frames = new WeakMap<TLSSocket, Http2FrameReader>();

async function bodyOf(socket: TLSSocket, stream: number): Promise<string> {
  const reader = frames.get(socket) ?? new Http2FrameReader();
  frames.set(socket, reader);
  for (;;) {
    const [bytes] = (await once(socket, "data")) as [Buffer];
    const data = reader
      .take(bytes)
      .find((frame) => frame.stream === stream && frame.type === frameTypes.data && frame.payload.length > 0);
    if (data !== undefined) return data.payload.toString();
  }
}
