import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import type { HttpExchange } from "../http/exchange.js";
import { AnswerBudget } from "./answer-budget.js";
import { sendPieces } from "./send-pieces.js";
import { fullAfter } from "./testing/full-stream.js";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const signal = new AbortController().signal;
const json = { status: 200, headers: { "Content-Type": "application/json" }, compress: false, signal };

function* letters(count: number, size: number, made: string[] = []): Iterable<Uint8Array> {
  for (let index = 0; index < count; index++) {
    const piece = String.fromCharCode(97 + (index % 26)).repeat(size);
    made.push(piece);
    yield Buffer.from(piece);
  }
}

test.each([
  ["nothing", 0, 0],
  ["a little", 3, 10],
  ["many small pieces", 30_000, 10],
  ["large pieces", 20, 300_000],
])("%s arrives whole", async (_what, count, size) => {
  server = await startTestServer((exchange) =>
    sendPieces(exchange, { ...json, pieces: letters(count, size) }),
  );
  const { body } = await server.fetch("/");
  expect(body.equals(Buffer.concat([...letters(count, size)]))).toBe(true);
  expect(server.errors).toEqual([]);
});

test("pieces that come later are waited for", async () => {
  const pieces = [Promise.resolve(Buffer.from("a")), Buffer.from("b"), Promise.resolve(Buffer.from("c"))];
  server = await startTestServer((exchange) => sendPieces(exchange, { ...json, pieces }));
  expect((await server.fetch("/")).body.toString()).toBe("abc");
});

// Sixty such clients took 3.6 GB.
test.each([0, 1, 10])(
  "of an answer that nobody reads little is made, with room for %d writes",
  async (room) => {
    const made: string[] = [];
    const { stream } = fullAfter(room);
    // What `sendPieces` uses of an exchange.
    const exchange = { headers: {}, startStream: () => stream } as unknown as HttpExchange;
    void sendPieces(exchange, { ...json, pieces: letters(1000, 100_000, made) });
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(made.length).toBeLessThan(room + 5);
  },
);

/** What `sendPieces` and the budget use of an exchange whose client takes everything. */
function openExchange(remotePort: number) {
  const { stream, written } = fullAfter(Number.POSITIVE_INFINITY);
  let isCut = false;
  const cut = {
    ...stream,
    abort() {
      isCut = true;
    },
  };
  const exchange = {
    headers: {},
    connection: { remoteAddress: "127.0.0.1", remotePort },
    onFinished() {},
    startStream: () => cut,
  };
  return { exchange: exchange as unknown as HttpExchange, written, isCut: () => isCut };
}

test("what is made and not yet taken is bounded, of one connection and of all", async () => {
  const answers = new AnswerBudget({ connection: 500_000, total: 800_000 });
  const send = (exchange: HttpExchange) =>
    sendPieces(exchange, { ...json, answers, pieces: letters(3, 300_000) });
  await send(openExchange(1).exchange);
  await expect(send(openExchange(1).exchange)).rejects.toMatchObject({ code: 429 });
  await send(openExchange(2).exchange);
  const refused = openExchange(3);
  await expect(send(refused.exchange)).rejects.toMatchObject({ code: 429 });
  expect(refused.written()).toBe(0);
});

test("a large piece is written in parts, so that the socket copies little of it", async () => {
  const { exchange, written } = openExchange(1);
  await sendPieces(exchange, { ...json, pieces: [Buffer.alloc(640 * 1024), Buffer.alloc(640 * 1024)] });
  expect(written()).toBe(20);
});

test("an answer whose pieces grow beyond what is left is cut", async () => {
  const answers = new AnswerBudget({ total: 800_000 });
  const pieces = [Buffer.alloc(200_000), Buffer.alloc(700_000), Buffer.alloc(900_000), Buffer.alloc(1)];
  const { exchange, written, isCut } = openExchange(1);
  await sendPieces(exchange, { ...json, answers, pieces });
  expect([written(), isCut()]).toEqual([15, true]);
});

test("an error before the answer begins is the caller's to report, later the answer is cut", async () => {
  function* failing(after: number): Iterable<Uint8Array> {
    yield* letters(after, 100_000);
    throw new Error("broken");
  }
  const exchange = {} as HttpExchange;
  await expect(sendPieces(exchange, { ...json, pieces: failing(0) })).rejects.toThrow("broken");
  server = await startTestServer((exchange) => sendPieces(exchange, { ...json, pieces: failing(5) }));
  await expect(server.fetch("/")).rejects.toThrow();
});
