import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import type { ResponseStream } from "../http/exchange.js";
import { sendBytes } from "./send-bytes.js";
import { RecordedExchange } from "./testing/recorded-exchange.js";

let server: TestServer | undefined;
afterEach(() => server?.close());

test.each([
  ["GET", 10],
  ["GET", 128 * 1024],
  ["GET", 3_000_001],
  ["HEAD", 3_000_001],
])("%s: %i bytes arrive as they are, with their length", async (method, length) => {
  const bytes = Buffer.alloc(length, "abcdefg");
  server = await startTestServer((exchange) =>
    sendBytes(exchange, 200, { "Content-Type": "text/plain" }, bytes),
  );
  const answer = await server.fetch("/", { method });
  expect(answer.headers["content-length"]).toBe(String(length));
  expect(answer.body.equals(method === "HEAD" ? Buffer.alloc(0) : bytes)).toBe(true);
});

/** A client that has gone after two pieces. */
class Leaving extends RecordedExchange {
  pieces = 0;
  override startStream(): ResponseStream {
    const leaving = this;
    return {
      get closed() {
        return leaving.pieces === 2;
      },
      chunked: false,
      flushHeaders() {},
      write: () => {
        leaving.pieces++;
        return false;
      },
      writeFrames: () => false,
      drained: async () => undefined,
      end() {},
      abort() {},
    };
  }
}

test("a client that goes ends it", async () => {
  const exchange = new Leaving({ target: "/" });
  await sendBytes(exchange, 200, {}, Buffer.alloc(3_000_000));
  expect(exchange.pieces).toBe(2);
});
