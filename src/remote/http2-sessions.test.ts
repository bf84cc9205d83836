import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect, createServer, type TLSSocket, type Server as TlsServer } from "node:tls";
import { afterEach, beforeAll, expect, test } from "vitest";
import { TestAuthority, type TestCertificate } from "../../test/support/test-authority.js";
import type { AnswerReceiver, PassedRequest } from "./answer-receiver.js";
import { Http2Sessions, type Http2Times } from "./http2-sessions.js";

let authority: TestAuthority;
let certificate: TestCertificate;
const opened: { close(): void }[] = [];

beforeAll(async () => {
  authority = await TestAuthority.create("test-ca");
  certificate = await authority.issue({ commonName: "peer", usage: "server", names: ["localhost"] });
});
afterEach(() => {
  for (const it of opened.splice(0).reverse()) it.close();
});

/** The settings of a busy machine's server may be late. */
const patient: Http2Times = { waitMs: 20_000, checkMs: 60_000, pingMs: 60_000 };

interface Peer {
  readonly port: number;
  /** So far. */
  connections: number;
  requests: number;
  readonly sessions: Set<ServerHttp2Session>;
}

/** A server of HTTP/2 that allows `streamsMax` requests on each connection, and answers "yes" unless told otherwise. */
async function peer(
  streamsMax: number,
  answer: (stream: ServerHttp2Stream) => void = (stream) => {
    stream.respond({ ":status": 200 });
    stream.end("yes");
  },
): Promise<Peer> {
  const server = createSecureServer({
    cert: certificate.certPem,
    key: certificate.keyPem,
    settings: { maxConcurrentStreams: streamsMax },
  });
  const { port } = await listening(server);
  const seen: Peer = { port, connections: 0, requests: 0, sessions: new Set() };
  server.on("session", (session) => {
    seen.connections++;
    seen.sessions.add(session);
    session.on("error", () => undefined);
    session.on("close", () => seen.sessions.delete(session));
  });
  server.on("stream", (stream) => {
    seen.requests++;
    stream.on("error", () => undefined);
    answer(stream);
  });
  return seen;
}

/** A server that agrees on HTTP/2 and then does something else with each connection. */
async function oddPeer(treat: (socket: TLSSocket) => void): Promise<{ port: number; connections: number }> {
  const server = createServer({ cert: certificate.certPem, key: certificate.keyPem, ALPNProtocols: ["h2"] });
  const { port } = await listening(server);
  const seen = { port, connections: 0 };
  server.on("secureConnection", (socket) => {
    seen.connections++;
    socket.on("error", () => undefined);
    treat(socket);
  });
  return seen;
}

async function listening(server: Http2SecureServer | TlsServer): Promise<AddressInfo> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push({
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  return server.address() as AddressInfo; // it listens on a port
}

function sessionsTo({ port }: { readonly port: number }, times = patient): Http2Sessions {
  const sessions = new Http2Sessions(() => dial(port), times);
  opened.push(sessions);
  return sessions;
}

function dial(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      servername: "localhost",
      ca: authority.caPem,
      ALPNProtocols: ["h2"],
    });
    socket.once("secureConnect", () => resolve(socket));
    socket.on("error", reject);
  });
}

class Received implements AnswerReceiver {
  text = "";
  #hasBegun = false;
  begin(): void {
    this.#hasBegun = true;
  }
  write(piece: Uint8Array): boolean {
    if (this.#hasBegun) this.text += Buffer.from(piece).toString("latin1");
    return true;
  }
  async drained(): Promise<void> {}
}

async function ask(of: Http2Sessions, signal = new AbortController().signal): Promise<string> {
  const received = new Received();
  const request: PassedRequest = { method: "GET", target: "/", headers: { host: "localhost" }, signal };
  await of.stream(request, received);
  return received.text;
}

test("a server that allows no requests is not asked for connection after connection", async () => {
  const server = await peer(0);
  const sessions = sessionsTo(server, { ...patient, waitMs: 2_000 });
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => ask(sessions)));
  expect(server.connections).toBe(1);
  expect(answers.map((each) => each.status === "rejected" && String(each.reason))).toEqual(
    Array.from({ length: 20 }, () => "Error: the server allows no requests on its connections"),
  );
});

test("requests wait for a server that allows some later", async () => {
  const server = await peer(0);
  const sessions = sessionsTo(server);
  const answer = ask(sessions);
  await expect.poll(() => server.sessions.size).toBe(1);
  for (const session of server.sessions) session.settings({ maxConcurrentStreams: 1 });
  expect(await answer).toBe("yes");
  expect(server.connections).toBe(1);
});

test("a request that waits ends with its signal, and when the sessions are closed", async () => {
  const server = await peer(0);
  const sessions = sessionsTo(server);
  const over = new AbortController();
  const aborted = ask(sessions, over.signal);
  const closed = ask(sessions);
  aborted.catch(() => undefined);
  closed.catch(() => undefined);
  await expect.poll(() => server.connections).toBe(1);
  over.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  sessions.close();
  await expect(closed).rejects.toThrow("closed");
});

test("there are never more connections than requests, and freed ones are used again", async () => {
  const hanging: ServerHttp2Stream[] = [];
  const server = await peer(2, (stream) => void hanging.push(stream));
  const sessions = sessionsTo(server);
  const answers = Array.from({ length: 7 }, () => ask(sessions));
  await expect.poll(() => server.requests).toBe(7);
  expect(server.connections).toBe(4);
  for (const stream of hanging.splice(0)) {
    stream.respond({ ":status": 200 });
    stream.end("yes");
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["yes"]));
  const more = Array.from({ length: 7 }, () => ask(sessions));
  await expect.poll(() => server.requests).toBe(14);
  expect(server.connections).toBe(4);
  for (const stream of hanging) stream.respond({ ":status": 200 }, { endStream: true });
  await Promise.all(more);
});

test.each<[string, (socket: TLSSocket) => void]>([
  ["closes each connection", (socket) => socket.destroy()],
  ["closes each connection in order", (socket) => socket.end()],
  ["answers with something else", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
])("a server that %s fails each request, once", async (_what, treat) => {
  const server = await oddPeer(treat);
  const sessions = sessionsTo(server);
  for (let count = 1; count <= 3; count++) {
    await expect(ask(sessions)).rejects.toThrow();
    expect(server.connections).toBe(count);
  }
});

test("a server that never sends its settings fails requests in time", async () => {
  const server = await oddPeer(() => undefined);
  await expect(ask(sessionsTo(server, { ...patient, waitMs: 200 }))).rejects.toThrow(
    "the server does not speak HTTP/2 on its connection",
  );
  expect(server.connections).toBe(1);
});

test("a server that says goodbye to each connection fails each request, once", async () => {
  const server = await peer(100);
  const sessions = sessionsTo(server);
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  const goaway = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const odd = await oddPeer((socket) => void socket.write(Buffer.concat([settings, goaway])));
  const leaving = sessionsTo(odd);
  await expect(ask(leaving)).rejects.toThrow();
  await expect(ask(leaving)).rejects.toThrow();
  expect(odd.connections).toBeLessThanOrEqual(2);
  expect(await ask(sessions)).toBe("yes");
});

test("a server that refuses every request is asked over one connection", async () => {
  const server = await peer(100, (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
  const sessions = sessionsTo(server);
  for (let count = 0; count < 5; count++) await expect(ask(sessions)).rejects.toThrow();
  expect([server.requests, server.connections]).toEqual([5, 1]);
});

test("a connection whose other end is silent is given up, with its requests", async () => {
  const server = await oddPeer((socket) => {
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])); // its settings, and nothing more
    socket.resume();
  });
  const sessions = sessionsTo(server, { waitMs: 20_000, checkMs: 20, pingMs: 20 });
  await expect(ask(sessions)).rejects.toThrow("the server no longer answers on its connection");
});

test("a connection that nobody uses is closed, one with a quiet watch is not", async () => {
  const quiet: ServerHttp2Stream[] = [];
  const server = await peer(1, (stream) => {
    if (quiet.length === 0) quiet.push(stream);
    else stream.respond({ ":status": 200 }, { endStream: true });
  });
  const sessions = sessionsTo(server, { waitMs: 20_000, checkMs: 50, pingMs: 20_000 });
  const watch = ask(sessions);
  await expect.poll(() => server.requests).toBe(1);
  await ask(sessions);
  expect(server.sessions.size).toBe(2);
  await expect.poll(() => server.sessions.size).toBe(1);
  await delay(120); // several checks
  expect(server.sessions.size).toBe(1);
  quiet[0]?.respond({ ":status": 200 });
  quiet[0]?.end("seen");
  expect(await watch).toBe("seen");
});

test("bodies that come together with their heads are not passed on before them", async () => {
  const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
    const head = Buffer.from([0, 0, 0, type, flags, 0, 0, 0, 0]);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  };
  const [data, headers, settings] = [0, 1, 4];
  const [endStream, endHeaders] = [1, 4];
  const status200 = Buffer.from([0x88]);
  // Answers that fill several records of TLS, in the same reads as later requests are made.
  const count = 50;
  const body = "x".repeat(700);
  const server = await oddPeer((socket) => {
    socket.write(frame(settings, 0, 0, Buffer.alloc(0)));
    let received = Buffer.alloc(0);
    let at = 24; // after the preface of the client
    let asked: number[] = [];
    socket.on("data", (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      for (; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
        if (received[at + 3] === headers) asked.push(received.readUInt32BE(at + 5));
      }
      if (asked.length < count) return;
      const answers = asked.flatMap((stream) => [
        frame(headers, endHeaders, stream, status200),
        frame(data, endStream, stream, Buffer.from(body)),
      ]);
      asked = [];
      socket.write(Buffer.concat(answers));
    });
  });
  const sessions = sessionsTo(server);
  const client = async (): Promise<string[]> => [
    await ask(sessions),
    await ask(sessions),
    await ask(sessions),
  ];
  const answers = await Promise.all(Array.from({ length: count }, client));
  expect(answers.flat().filter((answer) => answer !== body)).toEqual([]);
  expect(server.connections).toBe(1);
});
