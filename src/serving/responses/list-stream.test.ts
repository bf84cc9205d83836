import { once } from "node:events";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGunzip, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import type { HttpExchange } from "../http/exchange.js";
import { AnswerBudget } from "./answer-budget.js";
import { GroupBuffers } from "./group-buffers.js";
import { type ListBody, sendList } from "./list-stream.js";
import { fullAfter } from "./testing/full-stream.js";

let server: TestServer | undefined;
afterEach(() => server?.close());

/** A list with items of these sizes, and its text. */
function listOf(sizes: readonly number[]): { body: ListBody<{ bytes: Buffer }>; text: string } {
  const texts = sizes.map((size, i) => String.fromCharCode(97 + (i % 26)).repeat(size));
  const items = texts.map((text) => ({ bytes: Buffer.from(text) }));
  const body = {
    head: Buffer.from('{"items":[{'),
    items,
    bytesOf: (item: { bytes: Buffer }) => item.bytes,
    separator: Buffer.from("},{"),
    tail: Buffer.from("}]}\n"),
  };
  return { body, text: `{"items":[{${texts.join("},{")}}]}\n` };
}

const mixed = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 1500);
const cases: [string, readonly number[]][] = [
  ["no item", []],
  ["one item", [10]],
  ["empty items", [0, 0, 0]],
  ["a small list", Array.from({ length: 50 }, () => 100)],
  ["just over the limit of one write", [128 * 1024]],
  ["many items over several groups", mixed],
  ["an item larger than a group", [10, 1_500_000, 10]],
];

for (const protocol of ["HTTP/1.1", "HTTP/2"]) {
  test.each(cases)(`${protocol}: %s arrives whole, with its length`, async (_what, sizes) => {
    const { body, text } = listOf(sizes);
    server = await startTestServer((exchange) =>
      sendList(exchange, {
        status: 200,
        headers: { "Content-Type": "application/json" },
        body,
        compress: true,
        buffers: new GroupBuffers(),
      }),
    );
    const answer = await get(server, protocol);
    expect(answer.text === text).toBe(true);
    expect(answer.length).toBe(Buffer.byteLength(text));
    expect(server.errors).toEqual([]);
  });
}

async function get(from: TestServer, protocol: string): Promise<{ text: string; length: number }> {
  if (protocol === "HTTP/1.1") {
    const { body, headers } = await from.fetch("/");
    return { text: body.toString(), length: Number(headers["content-length"]) };
  }
  const session = from.http2();
  const stream = session.request({ ":path": "/" });
  let length = 0;
  stream.on("response", (headers) => {
    length = Number(headers["content-length"]);
  });
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  session.close();
  return { text: Buffer.concat(pieces).toString(), length };
}

test("a long list is compressed on its way, a short one is not", async () => {
  const long = listOf(mixed);
  const short = listOf([100]);
  server = await startTestServer((exchange) => {
    const { body } = exchange.path === "/long" ? long : short;
    return sendList(exchange, {
      status: 200,
      headers: {},
      body,
      compress: true,
      buffers: new GroupBuffers(),
    });
  });
  const headers = { "accept-encoding": "gzip" };
  const compressed = await server.fetch("/long", { headers });
  expect(compressed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(compressed.body).toString() === long.text).toBe(true);
  expect((await server.fetch("/short", { headers })).body.toString()).toBe(short.text);
});

test("other work runs while a long list is sent", async () => {
  const { body } = listOf(Array.from({ length: 20_000 }, () => 1500));
  let turns = 0;
  server = await startTestServer(async (exchange) => {
    let sending = true;
    const count = (): void => {
      turns++;
      if (sending) setImmediate(count);
    };
    setImmediate(count);
    await sendList(exchange, {
      status: 200,
      headers: {},
      body,
      compress: false,
      buffers: new GroupBuffers(),
    });
    sending = false;
  });
  await server.fetch("/");
  expect(turns).toBeGreaterThan(10);
});

test("of a list that nobody reads few groups are copied", async () => {
  const { body } = listOf(Array.from({ length: 20_000 }, () => 1500));
  const { stream, written } = fullAfter(3);
  // What `sendList` uses of an exchange.
  const exchange = { headers: {}, startStream: () => stream } as unknown as HttpExchange;
  void sendList(exchange, { status: 200, headers: {}, body, compress: false, buffers: new GroupBuffers() });
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(written()).toBe(4);
});

test("without room for a group a list is sent in small ones, whole", async () => {
  const { body, text } = listOf(Array.from({ length: 2000 }, () => 1500));
  const answers = new AnswerBudget({ total: 100 * 1024 });
  const { stream, written } = fullAfter(Number.POSITIVE_INFINITY);
  const pieces: Buffer[] = [];
  const kept = {
    ...stream,
    write(piece: Uint8Array) {
      pieces.push(Buffer.from(piece));
      return stream.write(piece);
    },
  };
  // What `sendList` and the budget use of an exchange.
  const connection = { remoteAddress: "127.0.0.1", remotePort: 1 };
  const exchange = {
    headers: {},
    connection,
    startStream: () => kept,
    onFinished() {},
  } as unknown as HttpExchange;
  const buffers = new GroupBuffers();
  await sendList(exchange, { status: 200, headers: {}, body, compress: false, buffers, answers });
  expect(Math.max(...pieces.map((piece) => piece.length))).toBe(32 * 1024);
  expect(written()).toBe(Math.ceil(text.length / (32 * 1024)));
  expect(Buffer.concat(pieces).toString()).toBe(text);
});

test("a client that leaves ends the sending", async () => {
  const { body } = listOf(Array.from({ length: 40_000 }, () => 1500));
  let done = (): void => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  server = await startTestServer(async (exchange) => {
    await sendList(exchange, {
      status: 200,
      headers: {},
      body,
      compress: false,
      buffers: new GroupBuffers(),
    });
    expect(exchange.bytesSent).toBeLessThan(40_000 * 1500);
    done();
  });
  const socket = await server.tls();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.once("data", () => socket.destroy());
  await finished;
  expect(server.errors).toEqual([]);
});

/** Spoils what comes back, so that bytes still to be sent show it. */
class SpoilingBuffers extends GroupBuffers {
  override giveBack(buffer: Buffer): void {
    buffer.fill("!");
    super.giveBack(buffer);
  }
}

interface Reader {
  readonly transport: "HTTP/1.1" | "HTTP/2" | "gzip";
  /** Waits this many turns of the event loop after each piece. */
  readonly pauseTurns: number;
  /** Reads so much and leaves. */
  readonly leavesAfter: number | undefined;
  readonly items: number;
  readonly itemBytes: number;
}

const anyReader: fc.Arbitrary<Reader> = fc.record({
  transport: fc.constantFrom("HTTP/1.1" as const, "HTTP/2" as const, "gzip" as const),
  pauseTurns: fc.nat(4),
  leavesAfter: fc.option(fc.nat(1_500_000), { nil: undefined, freq: 4 }),
  items: fc.integer({ min: 100, max: 2500 }),
  itemBytes: fc.integer({ min: 1, max: 1200 }),
});

test("lists sent at the same time through the same buffers never show each other's bytes", async () => {
  const buffers = new SpoilingBuffers();
  server = await startTestServer((exchange) => {
    const [, index = "", items = "", itemBytes = ""] = exchange.path.split("/");
    const { body } = ownList(Number(index), Number(items), Number(itemBytes));
    return sendList(exchange, { status: 200, headers: {}, body, compress: true, buffers });
  });
  const from = server;
  const session = from.http2({});
  await fc.assert(
    fc.asyncProperty(fc.array(anyReader, { minLength: 2, maxLength: 8 }), async (readers) => {
      await Promise.all(
        readers.map(async (reader, index) => {
          const path = `/${index}/${reader.items}/${reader.itemBytes}`;
          const read = await readSlowly(await open(from, session, reader.transport, path), reader);
          const { text } = ownList(index, reader.items, reader.itemBytes);
          const expected = reader.leavesAfter === undefined ? text : text.slice(0, read.length);
          expect(read === expected).toBe(true);
        }),
      );
    }),
    { numRuns: 30 },
  );
  session.close();
  expect(from.errors).toEqual([]);
});

/** Each item names its list. */
function ownList(index: number, items: number, itemBytes: number): ReturnType<typeof listOf> {
  const text = `${index}`.repeat(itemBytes);
  const whole = Array.from({ length: items }, () => ({ bytes: Buffer.from(text) }));
  const { body } = listOf([]);
  return {
    body: { ...body, items: whole },
    text: `{"items":[{${whole.map(() => text).join("},{")}}]}\n`,
  };
}

async function open(
  from: TestServer,
  session: ReturnType<TestServer["http2"]>,
  transport: Reader["transport"],
  path: string,
): Promise<Readable> {
  if (transport === "HTTP/2") return session.request({ ":path": path });
  const headers = transport === "gzip" ? { "accept-encoding": "gzip" } : {};
  const request = httpsRequest({ ...from.trust, path, headers, agent: false });
  request.end();
  const [response] = await once(request, "response");
  if (response.headers["content-encoding"] !== "gzip") return response;
  const plain = createGunzip();
  plain.once("close", () => response.destroy());
  return response.pipe(plain);
}

async function readSlowly(from: Readable, { pauseTurns, leavesAfter }: Reader): Promise<string> {
  const pieces: string[] = [];
  let left = leavesAfter ?? Number.POSITIVE_INFINITY;
  for await (const piece of from) {
    pieces.push(String(piece));
    left -= piece.length;
    if (left <= 0) break;
    for (let turn = 0; turn < pauseTurns; turn++) await nextTurn();
  }
  return pieces.join("");
}
