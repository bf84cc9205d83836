import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import { http2Frame, http2Preface } from "./testing/http2-frames.js";

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
  // Longer than the pause between two checks, at full speed.
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
