import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LoopTurns } from "../../event-loop/loop-turns.js";
import { Handshakes } from "./handshakes.js";

const server = createServer();
beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => {
  vi.useRealTimers();
  server.removeAllListeners("connection");
  server.close();
});

const readMs = 20;
const rotate = (): unknown => vi.advanceTimersByTime(readMs);

async function connected(count: number): Promise<{ clients: Socket[]; accepted: Socket[] }> {
  const accepted: Socket[] = [];
  server.on("connection", (socket) => accepted.push(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  const clients = Array.from({ length: count }, () => connect(port, "127.0.0.1").on("error", () => {}));
  await until(() => accepted.length === count);
  return { clients, accepted };
}

/** Handshakes that count as stalled at once; three are read at a time. */
function strictHandshakes(): Handshakes {
  return new Handshakes(60_000, new LoopTurns().ends, { stalledMs: 0, readAtOnce: 3, readMs });
}

/** Unlike `expect.poll`, leaves the timers alone. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

/** Long enough for the event loop to have read whatever it reads. */
async function rounds(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
}

test("of stalled handshakes a few are read at a time, each in its turn", async () => {
  const { clients, accepted } = await connected(10);
  const handshakes = strictHandshakes();
  const heard: string[] = [];
  for (const socket of accepted) {
    handshakes.begin(socket);
    socket.on("data", (bytes) => heard.push(bytes.toString()));
  }
  rotate();
  for (const [i, client] of clients.entries()) client.write(`${i}`);
  const counts: number[] = [];
  for (let i = 0; i < 4; i++) {
    await until(() => heard.length > (counts.at(-1) ?? 0));
    await rounds();
    counts.push(heard.length);
    rotate();
  }
  expect(counts).toEqual([3, 6, 9, 10]);
  expect(heard.sort()).toEqual(clients.map((_, i) => `${i}`));
  await handshakes.cutAll();
  expect(handshakes.size).toBe(0);
});

test.each(["closed", "reset"])(
  "stalled handshakes that are %s at the same moment end in several turns",
  async (how) => {
    const { clients, accepted } = await connected(10);
    const handshakes = strictHandshakes();
    for (const socket of accepted) {
      handshakes.begin(socket);
      socket.resume();
    }
    rotate();
    for (const client of clients) how === "reset" ? client.resetAndDestroy() : client.destroy();
    for (const left of [7, 4, 1, 0]) {
      await until(() => handshakes.size <= left);
      await rounds();
      expect(handshakes.size).toBe(left);
      rotate();
    }
  },
);

test("a handshake whose hello is answered is read again, and as long as it has not stalled", async () => {
  const { clients, accepted } = await connected(10);
  const handshakes = new Handshakes(60_000, new LoopTurns().ends, { stalledMs: 1, readAtOnce: 3, readMs });
  for (const socket of accepted) handshakes.begin(socket);
  const now = performance.now();
  const clock = vi.spyOn(performance, "now");
  clock.mockReturnValue(now + 10);
  rotate();
  const heard = new Set<Socket>();
  for (const socket of accepted) socket.on("data", () => heard.add(socket));
  // The first three are read.
  const last = accepted.slice(3);
  for (const socket of last) handshakes.answering(socket);
  rotate();
  for (const client of clients) client.write("x");
  await until(() => heard.size === 10);
  clock.mockRestore();
  await handshakes.cutAll();
});

test("what a stalled handshake sends over many turns is read once, and in order", async () => {
  const { clients, accepted } = await connected(10);
  const handshakes = strictHandshakes();
  const heard = new Map(accepted.map((socket) => [socket, ""]));
  for (const socket of accepted) {
    handshakes.begin(socket);
    socket.on("data", (bytes) => heard.set(socket, `${heard.get(socket)}${bytes}`));
  }
  let sent = "";
  for (let i = 0; i < 40; i++) {
    for (const client of clients) client.write(`${i},`);
    sent += `${i},`;
    rotate();
    await new Promise(setImmediate);
  }
  for (let i = 0; i < 4; i++) {
    await rounds();
    rotate();
  }
  await until(() => [...heard.values()].every((text) => text.length >= sent.length));
  expect([...heard.values()]).toEqual(clients.map(() => sent));
  await handshakes.cutAll();
});

test("a done handshake stays read", async () => {
  const { clients, accepted } = await connected(10);
  const handshakes = strictHandshakes();
  let heard = 0;
  for (const socket of accepted) {
    handshakes.begin(socket);
    socket.on("data", () => heard++);
  }
  rotate();
  for (const socket of accepted) handshakes.done(socket);
  rotate();
  for (const client of clients) client.write("x");
  await until(() => heard === 10);
  for (const socket of accepted) socket.destroy();
});
