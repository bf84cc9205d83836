import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import { loadDuplicate } from "../../server/process/duplicate-descriptor.js";
import type { ConnectionLimits } from "./connection-limits.js";
import type { ExchangeHandler } from "./exchange.js";

const duplicate = await loadDuplicate();
const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A listener that hands its connections over to another one while told to. */
async function start(handler: ExchangeHandler, limits: Partial<ConnectionLimits> = {}) {
  const first = await startTestServer((exchange) => exchange.respond(200, {}, "first"));
  const { serving, caFile } = first.pki;
  if (serving === undefined) throw new Error("no serving certificate");
  const files = { ...serving, clientCaFiles: [caFile] };
  const second = await startTestServer(handler, { isHandedOver: true, limits, files });
  servers.push(second, first);
  const state = { hands: true, own: 0, ended: 0 };
  first.listener.handOverBy((descriptor, connections) => {
    state.own = connections;
    if (state.hands) second.listener.take(duplicate(descriptor), () => state.ended++);
    return state.hands;
  });
  return { first, second, state };
}

const answersSecond: ExchangeHandler = (exchange) => exchange.respond(200, {}, "second");

test("a connection that is handed over is served as one that was accepted", async () => {
  const addresses: string[] = [];
  const { first, second, state } = await start((exchange) => {
    addresses.push(
      `${exchange.httpVersion} ${exchange.connection.remoteAddress} ${exchange.connection.remotePort > 0}`,
    );
    exchange.respond(200, {}, "second");
  });
  expect(String((await first.fetch("/")).body)).toBe("second");
  const session = first.http2();
  const stream = session.request({ ":path": "/" });
  expect((await once(stream, "response"))[0][":status"]).toBe(200);
  expect(addresses).toEqual(["1.1 127.0.0.1 true", "2.0 127.0.0.1 true"]);
  expect(first.listener.connections).toBe(0);
  expect(second.listener.connections).toBeGreaterThan(0);
  session.destroy();
  await expect.poll(() => state.ended).toBe(2);
  expect(second.listener.connections).toBe(0);
});

test("one that is not handed over is served by the listener that accepted it, which counts unfinished handshakes", async () => {
  const { first, state } = await start(answersSecond);
  state.hands = false;
  expect(String((await first.fetch("/")).body)).toBe("first");
  const [one, other] = await Promise.all([first.tls(), first.tls()]);
  expect(state.own).toBeGreaterThan(0);
  one.destroy();
  other.destroy();
});

test("headers that do not come in time end a connection that was handed over", async () => {
  const { first } = await start(answersSecond, { headerTimeoutMs: 300 });
  const socket = await first.tls({ ALPNProtocols: ["http/1.1"] });
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n");
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
  });
  await once(socket, "close");
  expect(received).toContain("408");
});

test("a drain waits for what is under way on connections that were handed over, and closes them", async () => {
  let answer = (): void => undefined;
  const { first, second, state } = await start((exchange) => {
    answer = () => exchange.respond(200, {}, "late");
  });
  const answered = first.fetch("/");
  await expect.poll(() => second.listener.inFlight).toBe(1);
  const idle = await first.tls({ ALPNProtocols: ["http/1.1"] });
  let isClosed = false;
  const closed = second.listener.close(60_000).then(() => {
    isClosed = true;
  });
  await once(idle, "close");
  expect(isClosed).toBe(false);
  answer();
  expect(String((await answered).body)).toBe("late");
  await closed;
  expect(state.ended).toBe(2);
});
