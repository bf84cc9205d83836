import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createNaming } from "../../naming/naming.js";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import { Distribution } from "../../telemetry/distribution.js";
import type { SharedFrames } from "./shared-frames.js";
import { WatchOutbox } from "./watch-outbox.js";
import {
  openWatchStream,
  WatchStream,
  type WatchStreamEnd,
  type WatchStreamOptions,
  type WatchTransport,
} from "./watch-stream.js";
import { WebSocketWatches } from "./web-socket-watch.js";

let server: TestServer | undefined;
afterEach(() => server?.close());

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A client that accepts data until the test blocks it. */
class FakeTransport implements WatchTransport {
  readonly isDeferred = false;
  closed = false;
  aborted = false;
  readonly writes: string[] = [];
  #blocked: (() => void) | undefined;
  #waiting: Promise<void> | undefined;
  readonly #closeListeners: (() => void)[] = [];

  block(): void {
    this.#waiting = new Promise((resolve) => {
      this.#blocked = resolve;
    });
  }
  unblock(): void {
    this.#waiting = undefined;
    this.#blocked?.();
  }
  write(events: readonly Buffer[], frames: SharedFrames): boolean {
    this.writes.push(frames.joined(events).toString());
    return this.#waiting === undefined;
  }
  async drained(): Promise<void> {
    await this.#waiting;
  }
  end(): void {
    this.closed = true;
  }
  abort(): void {
    this.aborted = true;
    this.leave();
  }
  leave(): void {
    this.closed = true;
    for (const listener of this.#closeListeners) listener();
  }
  onClosed(listener: () => void): void {
    this.#closeListeners.push(listener);
  }
}

function fakeStream(options: Partial<WatchStreamOptions> = {}) {
  const transport = new FakeTransport();
  const ends: WatchStreamEnd[] = [];
  const stream = new WatchStream(transport, {
    outbox: new WatchOutbox(),
    contentType: "application/json",
    onEnd: (why) => ends.push(why),
    ...options,
  });
  return { stream, transport, ends };
}

test("how late events are written is measured from when the first of them happened, not of history", async () => {
  let now = performance.now() + 1000;
  const delays = new Distribution([0.1, 1, 10]);
  const { stream, transport } = fakeStream({ delays, outbox: new WatchOutbox({ now: () => now }) });
  stream.send([Buffer.from("old")], now - 5000);
  await turn();
  expect(delays.counts).toEqual([0, 0, 0, 0]);
  stream.send([Buffer.from("a")], now - 50);
  stream.send([Buffer.from("b")], now - 10);
  await turn();
  expect([delays.counts, delays.sum]).toEqual([[2, 0, 0, 0], expect.closeTo(0.1, 6)]);
  // The delay is the client's own, because it does not read.
  transport.block();
  stream.send([Buffer.from("c")]);
  await turn();
  stream.send([Buffer.from("d")], now);
  now += 3000;
  transport.unblock();
  await expect.poll(() => delays.counts).toEqual([2, 0, 1, 0]);
});

test("streams that are sent the same array do not change it for each other", async () => {
  const one = fakeStream();
  const other = fakeStream();
  const events = [Buffer.from("a"), Buffer.from("b")];
  one.stream.send(events);
  other.stream.send(events);
  one.stream.send([Buffer.from("c")]);
  one.stream.send([Buffer.from("d")]);
  await turn();
  expect(one.transport.writes).toEqual(["abcd"]);
  expect(other.transport.writes).toEqual(["ab"]);
  expect(events.map(String)).toEqual(["a", "b"]);
});

test("the events of one turn are sent in one write", async () => {
  const { stream, transport } = fakeStream();
  stream.send([Buffer.from("a"), Buffer.from("b")]);
  stream.send([Buffer.from("c")]);
  expect(transport.writes).toEqual([]);
  await turn();
  expect(transport.writes).toEqual(["abc"]);
  stream.send([Buffer.from("d")]);
  await turn();
  expect(transport.writes).toEqual(["abc", "d"]);
});

test("while the client is busy, events accumulate, and are sent together when it is ready", async () => {
  const { stream, transport } = fakeStream();
  transport.block();
  stream.send([Buffer.from("a")]);
  await turn();
  for (const text of ["b", "c", "d"]) {
    stream.send([Buffer.from(text)]);
    await turn();
  }
  expect(transport.writes).toEqual(["a"]);
  expect(stream.bufferedBytes).toBe(3);
  transport.unblock();
  await turn();
  await turn();
  expect(transport.writes).toEqual(["a", "bcd"]);
});

test("a client that falls behind the bound is ended; what it got is whole and in order", async () => {
  const { stream, transport, ends } = fakeStream({ bufferedBytesMax: 10 });
  transport.block();
  stream.send([Buffer.from("first")]);
  await turn();
  stream.send([Buffer.from("12345")]);
  expect(ends).toEqual([]);
  stream.send([Buffer.from("678901")]);
  expect(ends).toEqual(["slow"]);
  expect(stream.closed).toBe(true);
  expect(transport.closed).toBe(true);
  expect(stream.bufferedBytes).toBe(0);
  stream.send([Buffer.from("more")]);
  transport.unblock();
  await turn();
  expect(transport.writes).toEqual(["first"]);
  transport.leave();
  expect(ends).toEqual(["slow"]);
});

test("a client that was ended but does not read is cut off after a while", () => {
  vi.useFakeTimers();
  try {
    const { stream, transport } = fakeStream();
    stream.end();
    expect(transport.aborted).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(transport.aborted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("ending a stream first flushes what was sent", async () => {
  const { stream, transport, ends } = fakeStream();
  stream.send([Buffer.from("last")]);
  stream.end();
  stream.send([Buffer.from("too late")]);
  expect(ends).toEqual([]);
  await turn();
  expect(transport.writes).toEqual(["last"]);
  expect(ends).toEqual(["ended"]);
  expect(transport.closed).toBe(true);
});

test("a client that leaves is reported once, and its waiting producer goes on", async () => {
  const { stream, transport, ends } = fakeStream();
  transport.block();
  expect(stream.send([Buffer.alloc(400_000)])).toBe(true);
  await turn();
  expect(stream.send([Buffer.alloc(600_000)])).toBe(false);
  const drained = stream.drained();
  transport.leave();
  await drained;
  stream.end();
  expect(ends).toEqual(["gone"]);
});

test("a producer that waits sends any amount through a small bound", async () => {
  const { stream, transport, ends } = fakeStream({ bufferedBytesMax: 1_000_000 });
  let sent = 0;
  for (let i = 0; i < 100; i++) {
    sent += 100_000;
    if (!stream.send([Buffer.alloc(100_000, "x")])) await stream.drained();
  }
  stream.end();
  await expect.poll(() => ends).toEqual(["ended"]);
  expect(transport.writes.reduce((bytes, text) => bytes + text.length, 0)).toBe(sent);
  expect(Math.max(...transport.writes.map((text) => text.length))).toBeLessThan(1_000_000);
});

interface Opened {
  readonly streams: WatchStream[];
  readonly ends: WatchStreamEnd[];
}

async function startWatchServer(options: Partial<WatchStreamOptions> = {}): Promise<Opened> {
  const streams: WatchStream[] = [];
  const ends: WatchStreamEnd[] = [];
  const all = {
    outbox: new WatchOutbox(),
    contentType: "application/json",
    onEnd: (why: WatchStreamEnd) => ends.push(why),
    ...options,
  };
  const webSockets = new WebSocketWatches();
  server = await startTestServer(async (exchange) => {
    const representation = exchange.path === "/protobuf" ? "protobuf" : "json";
    streams.push(
      exchange.isUpgrade
        ? await webSockets.open(exchange, { ...all, representation })
        : openWatchStream(exchange, all),
    );
  });
  return { streams, ends };
}

test("HTTP/1.1: headers leave at once, events as chunks, and the connection serves on", async () => {
  const { streams, ends } = await startWatchServer();
  const socket = await server?.tls();
  let text = "";
  socket?.on("data", (piece: Buffer) => {
    text += piece.toString("latin1");
  });
  socket?.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => text).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\n$/);
  expect(text).toContain("Transfer-Encoding: chunked\r\n");
  expect(text).toContain("Content-Type: application/json\r\n");
  const head = text.length;
  streams[0]?.send([Buffer.from("one\n"), Buffer.from("two\n")]);
  await expect.poll(() => text.slice(head)).toBe("8\r\none\ntwo\n\r\n");
  streams[0]?.end();
  await expect.poll(() => text.slice(head)).toBe("8\r\none\ntwo\n\r\n0\r\n\r\n");
  expect(ends).toEqual(["ended"]);
  socket?.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => streams).toHaveLength(2);
  socket?.destroy();
  await expect.poll(() => ends).toEqual(["ended", "gone"]);
});

test("HTTP/2: the same events reach every stream, and a reset ends one alone", async () => {
  const { streams, ends } = await startWatchServer();
  const session = server?.http2();
  const texts = ["", "", ""];
  const requests = texts.map((_, i) => {
    const request = session?.request({ ":path": "/" });
    request?.on("data", (piece: Buffer) => {
      texts[i] += piece.toString();
    });
    request?.on("error", () => {});
    return request;
  });
  await expect.poll(() => streams).toHaveLength(3);
  const event = [Buffer.from("event\n")];
  for (const stream of streams) stream.send(event);
  await expect.poll(() => texts).toEqual(["event\n", "event\n", "event\n"]);
  requests[1]?.close(8);
  await expect.poll(() => ends).toEqual(["gone"]);
  for (const stream of streams) stream.send(event);
  await expect.poll(() => texts).toEqual(["event\nevent\n", "event\n", "event\nevent\n"]);
  session?.destroy();
  await expect.poll(() => ends).toEqual(["gone", "gone", "gone"]);
});

test("a client that stops reading is ended, the others notice nothing", async () => {
  const { streams, ends } = await startWatchServer({ bufferedBytesMax: 200_000 });
  const stuck = await server?.tls();
  stuck?.on("error", () => {});
  stuck?.pause();
  stuck?.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const reader = await server?.tls();
  let bytes = 0;
  reader?.on("data", (piece: Buffer) => {
    bytes += piece.length;
  });
  reader?.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => streams).toHaveLength(2);
  const event = [Buffer.alloc(50_000, "x")];
  let sent = 0;
  while (ends.length === 0) {
    for (const stream of streams) stream.send(event);
    sent += 50_000;
    const before = sent;
    await expect.poll(() => bytes, { interval: 1 }).toBeGreaterThanOrEqual(before);
  }
  expect(ends).toEqual(["slow"]);
  expect(streams.filter((stream) => stream.closed)).toHaveLength(1);
  reader?.destroy();
  stuck?.destroy();
});

test("a watch opened for a client who has left already is reported gone", async () => {
  const ends: WatchStreamEnd[] = [];
  server = await startTestServer(async (exchange) => {
    await new Promise<void>((resolve) => exchange.onFinished(resolve));
    const outbox = new WatchOutbox();
    openWatchStream(exchange, { outbox, contentType: "text/plain", onEnd: (why) => ends.push(why) });
  });
  const socket = await server.tls();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const session = server.http2();
  session.request({ ":path": "/" }).on("error", () => {});
  const { listener } = server;
  await expect.poll(() => listener.inFlight).toBe(2);
  socket.destroy();
  session.destroy();
  await expect.poll(() => ends).toEqual(["gone", "gone"]);
});

interface Message {
  readonly text: string;
  readonly binary: boolean;
}

function webSocket(path: string, protocols: readonly string[]): { client: WebSocket; messages: Message[] } {
  const trust = server?.trust;
  const client = new WebSocket(`wss://127.0.0.1:${trust?.port}${path}`, [...protocols], {
    ca: trust?.ca ?? "",
  });
  const messages: Message[] = [];
  client.on("message", (data: Buffer, binary) => messages.push({ text: data.toString(), binary }));
  return { client, messages };
}

const [own, other] = [createNaming("orch"), createNaming("kubernetes")].map((naming) => naming.groupDomain);

test.each([
  ["/json", [], "", ['{"a":1}\n', false], ['{"b":2}\n', false]],
  ["/json", [`base64.binary.${own}`], `base64.binary.${own}`, ['{"a":1}\n', false], ['{"b":2}\n', false]],
  ["/json", [`binary.${other}`, "unknown"], `binary.${other}`, ['{"a":1}\n', false], ['{"b":2}\n', false]],
  [
    "/json",
    [`base64url.bearer.authorization.${other}.dG9rZW4`, "unknown"],
    "unknown",
    ['{"a":1}\n', false],
    ['{"b":2}\n', false],
  ],
  ["/protobuf", [], "", ["a", true], ["bb", true]],
  ["/protobuf", [`base64.binary.${other}`], `base64.binary.${other}`, ["a", true], ["bb", true]],
] as const)(
  "WebSocket %s %j: one message for each event",
  async (path, protocols, protocol, first, second) => {
    const { streams, ends } = await startWatchServer();
    const { client, messages } = webSocket(path, protocols);
    await expect.poll(() => streams).toHaveLength(1);
    const events =
      path === "/json"
        ? [Buffer.from('{"a":1}\n'), Buffer.from('{"b":2}\n')]
        : [Buffer.from("\0\0\0\x01a", "latin1"), Buffer.from("\0\0\0\x02bb", "latin1")];
    streams[0]?.send(events);
    await expect.poll(() => messages).toHaveLength(2);
    expect(client.protocol).toBe(protocol);
    expect(messages).toEqual([first, second].map(([text, binary]) => ({ text, binary })));
    const closed = new Promise((resolve) => client.once("close", resolve));
    streams[0]?.end();
    expect(await closed).toBe(1000);
    expect(ends).toEqual(["ended"]);
  },
);

test("a WebSocket client that leaves ends its watch", async () => {
  const { streams, ends } = await startWatchServer();
  const { client } = webSocket("/json", []);
  await expect.poll(() => streams).toHaveLength(1);
  await expect.poll(() => client.readyState).toBe(client.OPEN);
  client.terminate();
  await expect.poll(() => ends).toEqual(["gone"]);
});

test("a request that only looks like a WebSocket handshake is refused", async () => {
  const { streams } = await startWatchServer();
  const socket = await server?.tls();
  let text = "";
  socket?.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  socket?.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await expect.poll(() => text).toMatch(/^HTTP\/1.1 400 /);
  expect(streams).toEqual([]);
});
