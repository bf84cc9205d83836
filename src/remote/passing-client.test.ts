import { setMaxListeners } from "node:events";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type PeerAnswer,
  type PeerOptions,
  type PeerRequest,
  type RemotePeer,
  startRemotePeer,
} from "../../test/support/remote-peer.js";
import { TestAuthority } from "../../test/support/test-authority.js";
import type { AnswerReceiver, PassedRequest } from "./answer-receiver.js";
import { directDial } from "./direct-dial.js";
import { PassingClient, type PassingClientOptions } from "./passing-client.js";

let authority: TestAuthority;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create("test-ca");
});
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close();
});

async function peer(
  answer: (request: PeerRequest) => PeerAnswer | "hang" | Promise<PeerAnswer | "hang">,
  options: Partial<PeerOptions> = {},
): Promise<RemotePeer> {
  const started = await startRemotePeer({ authority, ...options }, answer);
  opened.push(started);
  return started;
}

function client(url: string, options: Partial<PassingClientOptions> = {}): PassingClient {
  const made = new PassingClient({
    server: { url: new URL(url), caPem: authority.caPem, serverName: "localhost", insecure: false },
    certificate: undefined,
    dial: directDial,
    ...options,
  });
  opened.push(made);
  return made;
}

/** Calls `answer` with the first bytes of each connection. Returns its URL. */
async function rawServer(tls: TlsOptions, answer: (socket: TLSSocket) => void): Promise<string> {
  const server = createTlsServer(tls, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

class Received implements AnswerReceiver {
  status = 0;
  headers: Readonly<Record<string, string | string[] | undefined>> = {};
  text = "";

  begin(status: number, headers: Received["headers"]): void {
    this.status = status;
    this.headers = headers;
  }

  write(piece: Uint8Array): boolean {
    this.text += Buffer.from(piece).toString("latin1");
    return true;
  }

  async drained(): Promise<void> {}
}

class Slow extends Received {
  waited = 0;

  override write(piece: Uint8Array): boolean {
    super.write(piece);
    return false;
  }

  override async drained(): Promise<void> {
    this.waited++;
    await setImmediate();
  }
}

function asking(changes: Partial<PassedRequest> = {}): PassedRequest {
  const headers = { host: "10.0.0.1:443", "x-remote-user": "jane", "x-remote-group": ["a", "b"] };
  return { method: "GET", target: "/path?a=b", headers, signal: new AbortController().signal, ...changes };
}

async function ask(of: PassingClient, changes: Partial<PassedRequest> = {}): Promise<Received> {
  const received = new Received();
  await of.stream(asking(changes), received);
  return received;
}

describe.each([
  ["HTTP/1.1", true],
  ["HTTP/2", false],
])("%s", (_name, http1Only) => {
  const httpVersion = http1Only ? "1.1" : "2.0";

  test("requests pass with their headers, one after the other over one connection", async () => {
    const server = await peer(() => ({ headers: { "x-their": "own" }, body: { all: "well" } }), {
      http1Only,
    });
    const passing = client(server.url);
    for (let time = 0; time < 3; time++) {
      const { status, headers, text } = await ask(passing);
      expect([status, headers["x-their"], text]).toEqual([200, "own", '{"all":"well"}']);
      await setImmediate(); // the connection is free a moment after its answer
    }
    expect(server.connections()).toBe(1);
    const [seen] = server.requests;
    expect(seen).toMatchObject({ method: "GET", path: "/path?a=b", httpVersion });
    const { headers = {} } = seen ?? {};
    expect(headers["x-remote-user"]).toBe("jane");
    expect(headers["x-remote-group"]).toBe("a, b");
    expect(headers[http1Only ? "host" : ":authority"]).toBe("10.0.0.1:443");
  });

  test("bodies pass as they come, beside requests that are not answered yet", async () => {
    const server = await peer(({ body, path }) => (path === "/watch" ? "hang" : { status: 201, body }), {
      http1Only,
    });
    const passing = client(server.url);
    const over = new AbortController();
    const watches = Array.from({ length: 5 }, () => ask(passing, { target: "/watch", signal: over.signal }));
    for (const watch of watches) watch.catch(() => undefined);
    await expect.poll(() => server.requests.length).toBe(5);
    const body = Readable.from(["some", " ", "text"].map((piece) => Buffer.from(piece)));
    const { status, text } = await ask(passing, { method: "POST", body });
    expect([status, text]).toEqual([201, "some text"]);
    over.abort(new Error("enough"));
    for (const watch of watches) await expect(watch).rejects.toThrow("enough");
    expect(server.connections()).toBe(http1Only ? 6 : 1);
  });

  test("a receiver that is slow has its time, and all of a large answer", async () => {
    const large = Buffer.alloc(4 * 1024 * 1024, "x");
    const server = await peer(() => ({ body: large }), { http1Only });
    const received = new Slow();
    await client(server.url).stream(asking(), received);
    expect(received.text.length).toBe(large.length);
    expect(received.waited).toBeGreaterThan(10);
  });

  test("a read finds a new connection when the kept one is gone", async () => {
    const server = await peer(() => ({ body: "yes" }), { http1Only });
    const passing = client(server.url);
    expect((await ask(passing)).text).toBe("yes");
    server.disconnect();
    expect((await ask(passing)).text).toBe("yes");
    expect(server.connections()).toBe(2);
  });

  test("a server that is not there, and one that is closed, are told apart from answers", async () => {
    const server = await peer(() => ({}), { http1Only });
    const passing = client(server.url);
    await server.close();
    await expect(ask(passing)).rejects.toMatchObject({
      name: "RemoteError",
      failure: "connect",
      message: expect.stringMatching(/^dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/),
    });
    await passing.close();
    await expect(ask(passing)).rejects.toMatchObject({ name: "RemoteError" });
  });

  test("the certificate must be of the authority, and for the name", async () => {
    const server = await peer(() => ({}), { http1Only, names: ["somebody.else"] });
    await expect(ask(client(server.url))).rejects.toMatchObject({
      failure: "connect",
      message: expect.stringContaining("x509: certificate is not valid for the name asked"),
    });
    const url = new URL(server.url);
    const lax = { url, caPem: undefined, serverName: "localhost", insecure: true };
    expect((await ask(client(server.url, { server: lax }))).status).toBe(200);
  });

  test("it shows its certificate", async () => {
    const server = await peer(() => ({}), { http1Only, clientCaPem: authority.caPem });
    const certificate = await authority.issue({ commonName: "front-proxy", usage: "client" });
    await ask(client(server.url, { certificate }));
    expect(server.requests[0]?.client).toBe("front-proxy");
  });
});

test("an HTTP/1.1 connection whose end is the end of its answer is read slowly", async () => {
  const bytes = 3_000_000;
  const { certPem: cert, keyPem: key } = await authority.issue({
    commonName: "peer",
    usage: "server",
    names: ["localhost"],
  });
  const url = await rawServer({ cert, key }, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.end(Buffer.alloc(bytes, "x"));
  });
  const received = new Slow();
  await client(url).stream(asking(), received);
  expect(received.text.length).toBe(bytes);
});

test("headers that repeat, and that are named like members of objects, pass", async () => {
  const cookies = ["a=1", "b=2"];
  const headers = { "x-many": ["c", "d"], "set-cookie": cookies, constructor: "e", ["__proto__"]: "f" };
  const server = await peer(() => ({ headers: headers as never }), { http1Only: true });
  const { headers: seen } = await ask(client(server.url));
  expect([seen["x-many"], seen["set-cookie"], seen.constructor]).toEqual(["c, d", cookies, "e"]);
});

test.each([
  ["a status below 100", "HTTP/1.1 042 Odd\r\ncontent-length: 0\r\n\r\n", /malformed HTTP status code "42"/],
  ["a status above 599", "HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n", /malformed HTTP status code "999"/],
  ["another protocol", "HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", /protocol/],
  ["endless announcements", "HTTP/1.1 103 Early\r\n\r\n".repeat(50), /too many 1xx/],
])("%s is no answer", async (_what, answered, message) => {
  const { certPem: cert, keyPem: key } = await authority.issue({
    commonName: "peer",
    usage: "server",
    names: ["localhost"],
  });
  const url = await rawServer({ cert, key }, (socket) => void socket.write(answered));
  await expect(ask(client(url))).rejects.toMatchObject({
    name: "RemoteError",
    message: expect.stringMatching(message),
  });
});

test("HTTP/2 connections carry a hundred requests each", async () => {
  const server = await peer(() => "hang");
  const passing = client(server.url);
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const watches = Array.from({ length: 250 }, () => ask(passing, { signal: over.signal }));
  const ended = Promise.allSettled(watches);
  await expect.poll(() => server.requests.length).toBe(250);
  expect(server.connections()).toBe(3);
  over.abort(new Error("enough"));
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(["rejected"]));
});

test.each([
  [true, false],
  [false, true],
])(
  "a server that comes back with another protocol is understood (HTTP/1.1 only: %s, then %s)",
  async (first, second) => {
    const before = await peer(() => ({ body: "before" }), { http1Only: first });
    const passing = client(before.url);
    expect((await ask(passing)).text).toBe("before");
    await before.close();
    const { port } = before;
    await peer(({ httpVersion }) => ({ body: httpVersion }), { http1Only: second, port });
    const again = await ask(passing).catch(() => ask(passing));
    expect(again.text).toMatch(/^[12]\.[01]$/);
  },
);
