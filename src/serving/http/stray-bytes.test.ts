import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import {
  frameTypes,
  Http2FrameReader,
  headersFrame,
  http2Frame,
  http2Preface,
} from "./testing/http2-frames.js";

let server: TestServer;
afterEach(() => server.close());

const limits = { strayBytesPerSecondMax: 64 * 1024 };

test("a connection that floods frames of an unknown type is cut, and others go on", async () => {
  server = await startTestServer((exchange) => exchange.respond(200, {}, "here"), { limits });
  const other = server.http2();
  const socket = await server.tls({ ALPNProtocols: ["h2"] });
  socket.on("error", () => {});
  socket.resume();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const flood = Buffer.concat(Array.from({ length: 10_000 }, () => http2Frame(0xbb, 0, 0)));
  const send = (): void => {
    while (!socket.destroyed && socket.write(flood));
  };
  socket.on("drain", send);
  socket.write(http2Preface);
  send();
  await closed;
  const stream = other.request({ ":path": "/" });
  const [headers] = await once(stream, "response");
  expect(headers[":status"]).toBe(200);
  stream.close();
  other.close();
});

test.each(["read", "streamed"])("a connection with many large bodies that are %s is not cut", async (how) => {
  server = await startTestServer(
    async (exchange) => {
      if (how === "read") await exchange.readBody(4e6);
      if (how === "streamed") for await (const _ of exchange.bodyStream());
      exchange.respond(200, {}, "done");
    },
    { limits },
  );
  const session = server.http2();
  // Sends at full speed for longer than the interval of the checks.
  const until = performance.now() + 2_500;
  const body = Buffer.alloc(3e6);
  while (performance.now() < until) {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const stream = session.request({ ":method": "POST", ":path": "/" });
        stream.on("error", () => {});
        stream.end(body);
        const [headers] = await once(stream, "response");
        expect(headers[":status"]).toBe(200);
        stream.close();
      }),
    );
  }
  expect(session.destroyed).toBe(false);
  session.close();
});

test.each([
  ["that was on its way when its stream ended", false, 240 * 1024],
  ["that goes on and on after the end of its stream", true, 1024 * 1024],
])("the connection of a body %s is cut: %s", async (_what, isCut, bytes) => {
  // Answers at once, and asks the client to stop sending.
  server = await startTestServer((exchange) => exchange.respond(405, {}, "no"), { limits });
  const socket = await server.tls({ ALPNProtocols: ["h2"] });
  socket.on("error", () => {});
  const ended = new Set<number>();
  const reader = new Http2FrameReader();
  socket.on("data", (data: Buffer) => {
    for (const { type, stream } of reader.take(data)) if (type === frameTypes.reset) ended.add(stream);
  });
  socket.write(http2Preface);
  const head = { ":method": "POST", ":scheme": "https", ":authority": "localhost", ":path": "/" };
  const piece = Buffer.alloc(16 * 1024);
  // Longer than the interval of the checks.
  const until = performance.now() + 2_500;
  for (let stream = 1; performance.now() < until && !socket.destroyed; stream += 2) {
    socket.write(headersFrame(stream, head, { end: false }));
    await expect.poll(() => ended.has(stream) || socket.destroyed, { interval: 5 }).toBe(true);
    for (let sent = 0; sent < bytes; sent += piece.length) {
      socket.write(http2Frame(frameTypes.data, 0, stream, piece));
    }
  }
  expect(socket.destroyed).toBe(isCut);
  socket.destroy();
});
