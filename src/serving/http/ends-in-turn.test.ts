import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { TurnQueue } from "../../apimachinery/turns.js";
import { closeInTurn } from "./ends-in-turn.js";

const server = createServer();
afterEach(() => server.close());

async function accepted(count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  for (let i = 0; i < count; i++) connect(port, "127.0.0.1").on("error", () => {});
  await expect.poll(() => sockets.length).toBe(count);
  return sockets;
}

test("sockets that are destroyed at the same moment close one after the other, with their errors", async () => {
  const sockets = await accepted(10);
  // Every look at the clock is 2 ms later: a round of the event loop has a few turns.
  let now = 0;
  const turns = new TurnQueue(() => (now += 2));
  const errors: string[] = [];
  const closedIn: number[] = [];
  let round = 0;
  let tick = setImmediate(function again() {
    round++;
    tick = setImmediate(again);
  });
  for (const [i, socket] of sockets.entries()) {
    closeInTurn(socket, turns);
    socket.on("error", ({ message }) => errors.push(message));
    socket.once("close", () => closedIn.push(round));
    socket.destroy(i % 2 === 0 ? undefined : new Error(`${i}`));
    // A second time changes nothing.
    socket.destroy();
  }
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
  await expect.poll(() => closedIn.length).toBe(10);
  clearImmediate(tick);
  expect(new Set(closedIn).size).toBeGreaterThan(2);
  expect(errors).toEqual(["1", "3", "5", "7", "9"]);
});
