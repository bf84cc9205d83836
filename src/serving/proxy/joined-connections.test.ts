import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { joinConnections } from "./joined-connections.js";

const open: { destroy(): void }[] = [];

afterEach(() => {
  for (const each of open.splice(0)) each.destroy();
});

/** Two ends of one connection. */
async function connection(): Promise<readonly [Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const near = connect({
    port: (server.address() as AddressInfo).port,
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  const [far] = (await once(server, "connection")) as [Socket];
  server.close();
  open.push(near, far);
  for (const socket of [near, far]) socket.on("error", () => {});
  return [near, far];
}

async function joined(signal: AbortSignal = new AbortController().signal, bytesPerSecondMax = 0) {
  const [client, clientSide] = await connection();
  const [otherSide, other] = await connection();
  return {
    client,
    clientSide,
    other,
    done: joinConnections(clientSide, otherSide, signal, bytesPerSecondMax),
  };
}

test("what came before the end is passed on, and then both are closed", async () => {
  const { client, other, done } = await joined();
  let received = "";
  client.on("data", (chunk: Buffer) => {
    received += chunk;
  });
  const closed = once(client, "close");
  other.end("last words");
  await once(client, "end");
  client.end();
  await closed;
  await done;
  expect(received).toBe("last words");
});

test("throttled, all that came before the end is passed on, later", async () => {
  const { client, other, done } = await joined(undefined, 20_000);
  const sent = "0123456789".repeat(200);
  let received = "";
  client.on("data", (chunk: Buffer) => {
    received += chunk;
  });
  const start = performance.now();
  other.end(sent);
  await once(client, "end");
  client.end();
  await done;
  expect(received).toBe(sent);
  expect(performance.now() - start).toBeGreaterThan(80);
});

test("throttled, a side that breaks takes the other with it although bytes are held back", async () => {
  const { client, other, done } = await joined(undefined, 1);
  other.write("held back");
  const closed = once(other.resume(), "close");
  other.once("end", () => other.end());
  client.resetAndDestroy();
  await closed;
  await done;
});

test("a side that breaks takes the other with it", async () => {
  const { client, other, done } = await joined();
  const closed = once(client.resume(), "close");
  client.once("end", () => client.end());
  other.resetAndDestroy();
  await closed;
  await done;
});

test("an abort closes both at once", async () => {
  const stop = new AbortController();
  const { client, other, done } = await joined(stop.signal);
  const closed = Promise.all([once(client.resume(), "close"), once(other.resume(), "close")]);
  client.once("end", () => client.end());
  other.once("end", () => other.end());
  stop.abort();
  await done;
  await closed;
});

test("a side that does not read stops the other from sending", async () => {
  const { client, clientSide, other } = await joined();
  client.pause();
  const block = Buffer.alloc(1 << 20);
  let stuck = false;
  // Kernel buffers take a few megabytes.
  for (let sent = 0; sent < 256 && !stuck; sent++) {
    if (other.write(block)) continue;
    const drained = once(other, "drain").then(() => true);
    stuck = !(await Promise.race([drained, new Promise((resolve) => setTimeout(() => resolve(false), 300))]));
  }
  expect(stuck).toBe(true);
  expect(clientSide.writableLength).toBeLessThan(block.length);
});
