import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { LoopTurns } from "../../event-loop/loop-turns.js";
import { endInTurn } from "./end-in-turn.js";

const server = createServer();
afterEach(() => server.close());

test.each(["close", "reset"])("connections that others %s at the same moment end in turns", async (how) => {
  const accepted: Socket[] = [];
  server.removeAllListeners("connection").on("connection", (socket) => accepted.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  const count = 10;
  const others = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  while (accepted.length < count) await new Promise(setImmediate);
  // Each step takes the time of a round.
  let now = 0;
  const turns = new LoopTurns(() => {
    now += 10;
    return now;
  }).ends;
  let round = 0;
  const ended: number[] = [];
  for (const socket of accepted) {
    endInTurn(socket, turns);
    socket.on("error", () => {}).on("close", () => ended.push(round));
    socket.resume();
  }
  for (const other of others) how === "reset" ? other.resetAndDestroy() : other.destroy();
  while (ended.length < count) {
    round++;
    await new Promise(setImmediate);
  }
  expect(new Set(ended).size).toBe(count);
});
