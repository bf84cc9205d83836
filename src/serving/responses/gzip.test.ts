import { gunzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import { acceptsGzip, gzipThresholdBytes, respondCompressed, startGzipStream } from "./gzip.js";

let server: TestServer | undefined;
afterEach(() => server?.close());

test.each([
  [undefined, false],
  ["", false],
  ["gzip", true],
  ["deflate, gzip;q=1.0, *;q=0.5", true],
  ["GZIP", true],
  ["gzip;q=0", false],
  ["gzip; q=0.0", false],
  ["identity", false],
  ["x-gzip", false],
])("Accept-Encoding %s: %s", (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

test.each([
  ["large, wanted", gzipThresholdBytes + 1, "gzip", "GET", true, true],
  ["at the threshold", gzipThresholdBytes, "gzip", "GET", true, false],
  ["not accepted", gzipThresholdBytes + 1, "identity", "GET", true, false],
  ["gate off", gzipThresholdBytes + 1, "gzip", "GET", false, false],
  ["HEAD", gzipThresholdBytes + 1, "gzip", "HEAD", true, false],
] as const)(
  "an answer is compressed when it pays: %s",
  async (_what, bytes, accept, method, compress, expected) => {
    const body = Buffer.alloc(bytes, "abcdefg");
    server = await startTestServer(async (exchange) => {
      await respondCompressed(exchange, {
        status: 200,
        headers: { "Content-Type": "application/json" },
        body,
        compress,
      });
    });
    const answer = await server.fetch("/", { method, headers: { "accept-encoding": accept } });
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.headers["content-encoding"]).toBe(expected ? "gzip" : undefined);
    expect(answer.headers.vary).toBe(expected ? "Accept-Encoding" : undefined);
    if (expected) expect(gunzipSync(answer.body).equals(body)).toBe(true);
    else if (method === "GET") expect(answer.body.equals(body)).toBe(true);
    else expect(answer.headers["content-length"]).toBe(String(bytes));
  },
);

test("the client has the beginning before the end was written", async () => {
  let proceed = (): void => {};
  const firstArrived = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const noise = Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i * i * 31 + (i >> 3)) & 0xff));
  server = await startTestServer(async (exchange) => {
    const stream = startGzipStream(exchange, 200, {});
    if (!stream.write(noise)) await stream.drained();
    await firstArrived;
    stream.write(Buffer.from("end"));
    stream.end();
    expect(stream.closed).toBe(true);
  });
  const session = server.http2();
  const request = session.request({ ":path": "/" });
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => {
    pieces.push(piece);
    proceed();
  });
  await new Promise((resolve) => request.once("end", resolve));
  expect(gunzipSync(Buffer.concat(pieces)).equals(Buffer.concat([noise, Buffer.from("end")]))).toBe(true);
  session.close();
});

test("a compressed stream whose client left lets its writer go", async () => {
  let done = (): void => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  server = await startTestServer(async (exchange) => {
    const stream = startGzipStream(exchange, 200, {});
    const noise = Buffer.from(Array.from({ length: 300_000 }, () => Math.floor(Math.random() * 256)));
    while (!stream.closed) if (!stream.write(noise)) await stream.drained();
    done();
  });
  const socket = await server.tls();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.once("data", () => socket.destroy());
  await finished;
});
