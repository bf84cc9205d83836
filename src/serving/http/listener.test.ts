import { once } from "node:events";
import { request as httpsRequest } from "node:https";
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Socket,
} from "node:net";
import { connect as connectTls, createSecureContext, type PeerCertificate } from "node:tls";
import { afterEach, expect, test, vi } from "vitest";
import { ensureLocalPki } from "../../server/pki/local-pki.js";
import { type FetchResult, startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import type { ConnectionLimits } from "./connection-limits.js";
import type { ExchangeHandler, HttpExchange, ResponseStream } from "./exchange.js";
import { type ListenOptions, listen } from "./listener.js";
import { toTlsSettings } from "./tls-settings.js";

let server: TestServer;
afterEach(() => server.close());

async function start(handler: ExchangeHandler, options: Partial<ListenOptions> = {}): Promise<void> {
  server = await startTestServer(handler, options);
}

/** One request over HTTP/2, in the same shape as `server.fetch`. */
async function fetch2(
  path: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<FetchResult> {
  const session = server.http2();
  // The server's settings apply once the client has acknowledged them, before it answers a ping.
  await once(session, "remoteSettings");
  await new Promise((resolve) => session.ping(resolve));
  try {
    const hasBody = options.body !== undefined;
    const stream = session.request(
      { ":method": options.method ?? "GET", ":path": path, ...options.headers },
      { endStream: !hasBody },
    );
    if (hasBody) stream.end(options.body);
    const [headers] = await once(stream, "response");
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    return { status: headers[":status"], headers, body: Buffer.concat(pieces) };
  } finally {
    session.close();
  }
}

const protocols = [
  ["HTTP/1.1", (path: string, options = {}) => server.fetch(path, options)],
  ["HTTP/2", (path: string, options = {}) => fetch2(path, options)],
] as const satisfies readonly (readonly [string, typeof fetch2])[];

for (const [protocol, fetch] of protocols) {
  test(`${protocol}: a request arrives with all its parts and is answered in one piece`, async () => {
    let seen: Record<string, unknown> = {};
    await start((exchange) => {
      seen = {
        method: exchange.method,
        target: exchange.target,
        path: exchange.path,
        query: exchange.query,
        version: exchange.httpVersion,
        host: exchange.host,
        accept: exchange.headers.accept,
        groups: exchange.headerValues("impersonate-group"),
        address: exchange.connection.remoteAddress,
        hasPort: exchange.connection.remotePort > 0,
        upgrade: exchange.isUpgrade,
      };
      exchange.addResponseHeader("Warning", '299 - "taken back"');
      exchange.removeResponseHeader("Warning");
      exchange.addResponseHeader("Warning", '299 - "one"');
      exchange.addResponseHeader("Warning", '299 - "two"');
      exchange.respond(201, { "Content-Type": "application/json" }, '{"ü":1}');
    });
    const answer = await fetch("/a%2Fb/c?x=1&y=?2", {
      headers: { accept: "application/json", "Impersonate-Group": ["a, b", "c"] },
    });
    expect(seen).toEqual({
      method: "GET",
      target: "/a%2Fb/c?x=1&y=?2",
      path: "/a%2Fb/c",
      query: "x=1&y=?2",
      version: protocol === "HTTP/2" ? "2.0" : "1.1",
      host: `127.0.0.1:${server.listener.port}`,
      accept: "application/json",
      groups: ["a, b", "c"],
      address: "127.0.0.1",
      hasPort: true,
      upgrade: false,
    });
    expect(answer.status).toBe(201);
    expect(answer.body.toString()).toBe('{"ü":1}');
    expect(Number(answer.headers["content-length"])).toBe(8);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.headers.warning).toBe('299 - "one", 299 - "two"');
    expect(Date.parse(answer.headers.date ?? "")).not.toBeNaN();
  });

  test(`${protocol}: HEAD gets the headers of GET and no body, 204 no length`, async () => {
    await start((exchange) => {
      if (exchange.path === "/stream") {
        const stream = exchange.startStream(200, { "Content-Length": 5 });
        stream.write(Buffer.from("hello"));
        stream.end();
      } else if (exchange.path === "/none") exchange.respond(204, {});
      else exchange.respond(200, {}, "hello");
    });
    for (const path of ["/", "/stream"]) {
      const answer = await fetch(path, { method: "HEAD" });
      expect(Number(answer.headers["content-length"])).toBe(5);
      expect(answer.body).toHaveLength(0);
    }
    const none = await fetch("/none");
    expect(none.status).toBe(204);
    expect(none.headers["content-length"]).toBeUndefined();
  });

  test(`${protocol}: bodies are read whole; too large ones are refused and the connection goes on`, async () => {
    await start(async (exchange) => {
      try {
        const body = await exchange.readBody(1000);
        exchange.respond(200, {}, `${body.length}`);
      } catch (error) {
        exchange.respond(413, {}, String(error));
      }
    });
    expect((await fetch("/")).body.toString()).toBe("0");
    expect((await fetch("/", { method: "POST", body: "x".repeat(1000) })).body.toString()).toBe("1000");
    const refused = await fetch("/", { method: "POST", body: Buffer.alloc(2_000_000) });
    expect(refused.status).toBe(413);
    expect(refused.body.toString()).toContain("larger than 1000 bytes");
    expect(server.errors).toEqual([]);
  });

  test(`${protocol}: the signal aborts when the client leaves, and not after a complete answer`, async () => {
    const gone = vi.fn();
    const finished = vi.fn();
    let open: HttpExchange | undefined;
    await start((exchange) => {
      exchange.signal.addEventListener("abort", gone);
      exchange.onFinished(finished);
      if (exchange.path === "/hang") open = exchange;
      else exchange.respond(200, {}, "ok");
    });
    await fetch("/");
    await expect.poll(() => finished).toHaveBeenCalledTimes(1);
    expect(gone).not.toHaveBeenCalled();
    const leave = hang();
    await expect.poll(() => open).toBeDefined();
    expect(server.listener.inFlight).toBe(1);
    leave();
    await expect.poll(() => gone).toHaveBeenCalledTimes(1);
    await expect.poll(() => finished).toHaveBeenCalledTimes(2);
    await expect.poll(() => server.listener.inFlight).toBe(0);
    // Late data is dropped without harm.
    expect(() => open?.respond(200, {}, "late")).not.toThrow();
    const late = vi.fn();
    open?.onFinished(late);
    await expect.poll(() => late).toHaveBeenCalledTimes(1);
  });

  function hang(): () => void {
    if (protocol === "HTTP/2") {
      const session = server.http2();
      session.on("error", () => {});
      const stream = session.request({ ":path": "/hang" });
      stream.on("error", () => {});
      return () => session.destroy();
    }
    const request = httpsRequest({ ...server.trust, path: "/hang", agent: false });
    request.on("error", () => {});
    request.end();
    return () => request.destroy();
  }

  test(`${protocol}: an answer may have a header with the name of a member of every object`, async () => {
    await start((exchange) => exchange.respond(200, { constructor: ["a", "b"] }));
    const { headers } = await fetch("/");
    expect(Object.entries(headers)).toContainEqual(["constructor", "a, b"]);
  });

  test(`${protocol}: however many parts listen for the end of a request, no warning of a leak is printed`, async () => {
    const warnings: string[] = [];
    const warned = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", warned);
    try {
      let finished = 0;
      await start(async (exchange) => {
        for (let part = 0; part < 20; part++) exchange.onFinished(() => finished++);
        exchange.signal.addEventListener("abort", () => {});
        const stream = exchange.startStream(200, {});
        for (let piece = 0; piece < 20; piece++) {
          if (!stream.write(Buffer.alloc(100_000))) await stream.drained();
        }
        stream.end();
      });
      expect((await fetch("/")).body).toHaveLength(2_000_000);
      await expect.poll(() => finished).toBe(20);
      expect(warnings).toEqual([]);
    } finally {
      process.off("warning", warned);
    }
  });

  test(`${protocol}: a stream feels the reader's pace and ends whole`, async () => {
    const piece = Buffer.alloc(256 * 1024, "x");
    let waits = 0;
    await start(async (exchange) => {
      const stream = exchange.startStream(200, { "Content-Type": "text/plain" });
      for (let i = 0; i < 40; i++) {
        if (!stream.write(piece)) {
          waits++;
          await stream.drained();
        }
      }
      expect(exchange.bytesSent).toBe(40 * piece.length);
      stream.end();
      expect(stream.closed).toBe(true);
    });
    expect((await fetch("/")).body).toHaveLength(40 * piece.length);
    expect(waits).toBeGreaterThan(0);
    expect(server.errors).toEqual([]);
  });

  test(`${protocol}: waiting for a reader who left ends`, async () => {
    const done = vi.fn();
    await start(async (exchange) => {
      const stream = exchange.startStream(200, {});
      while (!stream.closed) {
        if (!stream.write(Buffer.alloc(1024 * 1024))) await stream.drained();
      }
      done();
    });
    const leave = hang();
    await expect.poll(() => server.listener.inFlight).toBe(1);
    leave();
    await expect.poll(() => done).toHaveBeenCalled();
  });

  test(`${protocol}: an answer that is cut looks broken to the client`, async () => {
    await start(async (exchange) => {
      const stream = exchange.startStream(200, {});
      stream.write(Buffer.from("half"));
      await new Promise((resolve) => setTimeout(resolve, 20));
      stream.abort();
    });
    await expect(fetch("/")).rejects.toThrow();
  });

  test(`${protocol}: a handler that fails answers 500 without its insides, and is reported`, async () => {
    await start(async () => {
      throw new Error("secret");
    });
    const answer = await fetch("/");
    expect(answer.status).toBe(500);
    expect(answer.body.toString()).toBe("Internal Server Error\n");
    expect(server.errors.map(String)).toEqual(["Error: secret"]);
  });

  test(`${protocol}: headers of 100 KB and 1,000 lines are taken`, async () => {
    await start((exchange) => {
      const lines = Object.keys(exchange.headers).filter((name) => name.startsWith("x-")).length;
      exchange.respond(200, {}, `${lines} ${exchange.headers["x-0"]?.length}`);
    });
    const headers = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`x-${i}`, "v".repeat(100)]));
    const answer = await fetch("/", { headers });
    expect(answer.body.toString()).toBe("1000 100");
  });

  test(`${protocol}: the client's certificate is shown, trusted or not`, async () => {
    await start((exchange) => {
      const peer = exchange.connection.peerCertificates;
      const text = peer && [peer.leaf.subject, ...peer.others.map(({ subject }) => subject)];
      exchange.respond(200, {}, JSON.stringify(text ?? "none"));
    });
    expect((await fetch("/")).body.toString()).toBe('"none"');
    const admin = await server.pki.admin;
    const own = { cert: admin?.certPem, key: admin?.keyPem };
    expect(await askWith(own)).toContain("O=system:masters\nO=second\nCN=admin");
    const elsewhere = await ensureLocalPki({
      directory: `${server.directory}/stranger`,
      now: Date.now(),
      authorityName: "another",
      admin: { commonName: "mallory", organizations: ["system:masters"] },
    });
    const stranger = await elsewhere.admin;
    const chain = `${stranger?.certPem}${server.pki.caPem}`;
    expect((await askWith({ cert: chain, key: stranger?.keyPem })).slice(0, 2)).toEqual([
      "O=system:masters\nCN=mallory",
      "CN=test-ca",
    ]);
  });

  async function askWith(tls: { cert: string | undefined; key: string | undefined }): Promise<string[]> {
    const client = { cert: tls.cert ?? "", key: tls.key ?? "" };
    if (protocol === "HTTP/1.1")
      return JSON.parse((await server.fetch("/", { tls: client })).body.toString());
    const session = server.http2(client);
    const stream = session.request({ ":path": "/" });
    let text = "";
    for await (const piece of stream) text += piece;
    session.close();
    return JSON.parse(text);
  }
}

test("100-continue is sent when the body is wanted, and only then", async () => {
  await start(async (exchange) => {
    if (exchange.path === "/no") exchange.respond(403, {}, "no");
    else exchange.respond(200, {}, await exchange.readBody(10));
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  await expect.poll(() => text()).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  socket.write("hi");
  await expect.poll(() => text()).toMatch(/200 OK[\s\S]*\r\n\r\nhi$/);
  socket.write("POST /no HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  await once(socket, "close");
  expect(text()).toMatch(/403 Forbidden[\s\S]*Connection: close\r\n[\s\S]*no$/);
  expect(text().match(/100 Continue/g)).toHaveLength(1);
  // The server does not ask for a body that is too large.
  const large = await server.tls();
  const answer = collect(large);
  large.write("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n");
  await once(large, "close");
  expect(answer()).toMatch(/^HTTP\/1.1 500/);
});

test("a client that does not wait for 100-continue reads its answer, and nothing behind its body is served", async () => {
  const served: string[] = [];
  await start((exchange) => {
    served.push(exchange.path);
    exchange.respond(405, {}, "no");
  });
  const body = "x".repeat(1 << 20);
  for (let i = 0; i < 20; i++) {
    const socket = await server.tls();
    const failures: unknown[] = [];
    socket.on("error", (error) => failures.push(error));
    const text = collect(socket);
    const closed = once(socket, "close");
    socket.write(
      `POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.write("DELETE /b HTTP/1.1\r\nHost: x\r\n\r\n");
    await closed;
    expect([text(), failures]).toEqual([expect.stringMatching(/^HTTP\/1.1 405 [\s\S]*\r\n\r\nno$/), []]);
  }
  expect(new Set(served)).toEqual(new Set(["/a"]));
});

test("100-continue over HTTP/2", async () => {
  await start(async (exchange) => exchange.respond(200, {}, await exchange.readBody(10)));
  const session = server.http2();
  const stream = session.request({ ":method": "POST", ":path": "/", expect: "100-continue" });
  await once(stream, "continue");
  stream.end("hi");
  let text = "";
  for await (const piece of stream) text += piece;
  expect(text).toBe("hi");
  session.close();
});

test("after an answer of 413 the same connection serves the next request", async () => {
  await start(async (exchange) => {
    try {
      await exchange.readBody(10);
      exchange.respond(200, {}, "fine");
    } catch {
      exchange.respond(413, {}, "large");
    }
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${"x".repeat(100000)}`);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => text()).toMatch(/413[\s\S]*large[\s\S]*200 OK[\s\S]*fine$/);
  socket.destroy();

  const session = server.http2();
  const upload = session.request({ ":method": "POST", ":path": "/" });
  upload.on("error", () => {});
  upload.write(Buffer.alloc(100_000));
  const [refused] = await once(upload, "response");
  expect(refused[":status"]).toBe(413);
  upload.resume();
  const next = session.request({ ":path": "/" });
  const [headers] = await once(next, "response");
  expect(headers[":status"]).toBe(200);
  session.destroy();
});

test("an answer before the body's end leaves the connection in order", async () => {
  await start((exchange) => exchange.respond(exchange.method === "POST" ? 404 : 200, {}, exchange.path));
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nbod");
  await expect.poll(() => text()).toMatch(/404[\s\S]*\/a$/);
  socket.write("y!!GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => text()).toMatch(/200 OK[\s\S]*\/b$/);
  socket.destroy();
});

test("pipelined requests are answered in order, streams too", async () => {
  const waiting: (() => void)[] = [];
  await start((exchange) => {
    if (exchange.path === "/first") {
      waiting.push(() => exchange.respond(200, {}, "first"));
      return;
    }
    const stream = exchange.startStream(200, {});
    expect(stream.chunked).toBe(false);
    stream.write(Buffer.from("second"));
    stream.end();
    waiting[0]?.();
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => text()).toMatch(/first[\s\S]*6\r\nsecond\r\n0\r\n\r\n$/);
  socket.destroy();
});

test("many pipelined requests are no leak", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  await start((exchange) => {
    for (let listener = 0; listener < 3; listener++) exchange.onFinished(() => {});
    setImmediate(() => exchange.respond(200, {}, "x"));
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50));
  await expect.poll(() => text().match(/200 OK/g)).toHaveLength(50);
  process.off("warning", warned);
  expect(warned).not.toHaveBeenCalled();
  socket.destroy();
});

test("a connection on which thousands of requests are sent ahead of their answers is cut", async () => {
  let begun = 0;
  await start(() => void begun++);
  const socket = await server.tls();
  socket.on("error", () => undefined);
  // `once` of node:events would reject if the client sees a reset first.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5000));
  socket.resume();
  await closed;
  expect(begun).toBeLessThanOrEqual(250);
});

test("a pipelined request whose client left before its turn is told", async () => {
  const finished = vi.fn();
  const aborted = vi.fn();
  await start((exchange) => {
    exchange.onFinished(finished);
    exchange.signal.addEventListener("abort", aborted);
  });
  const socket = await server.tls();
  socket.write("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => server.listener.inFlight).toBe(2);
  socket.destroy();
  await expect.poll(() => finished).toHaveBeenCalledTimes(2);
  await expect.poll(() => aborted).toHaveBeenCalledTimes(2);
  expect(server.listener.inFlight).toBe(0);
});

test("prebuilt chunks mix with the end that node:http writes", async () => {
  let stream: ResponseStream | undefined;
  await start((exchange) => {
    stream = exchange.startStream(200, {});
    stream.flushHeaders();
  });
  const answer = server.fetch("/");
  await expect.poll(() => stream).toBeDefined();
  expect(stream?.chunked).toBe(true);
  stream?.writeFrames(Buffer.from("3\r\nabc\r\n"));
  stream?.writeFrames(Buffer.from("1\r\nd\r\n2\r\nef\r\n"));
  stream?.end();
  expect((await answer).body.toString()).toBe("abcdef");
});

test("HTTP/1.0 clients get no chunks", async () => {
  await start((exchange) => {
    const stream = exchange.startStream(200, {});
    expect(stream.chunked).toBe(false);
    stream.write(Buffer.from("old"));
    stream.end();
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("GET / HTTP/1.0\r\n\r\n");
  await once(socket, "close");
  expect(text()).toMatch(/\r\n\r\nold$/);
});

test("an upgrade request can be taken over", async () => {
  await start((exchange) => {
    expect(exchange.isUpgrade).toBe(true);
    const { socket, head } = exchange.upgrade();
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    socket.write(head);
    socket.pipe(socket);
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\none ");
  socket.write("two");
  await expect.poll(() => text()).toMatch(/echo\r\n\r\none two$/);
  expect(server.listener.inFlight).toBe(1);
  socket.destroy();
  await expect.poll(() => server.listener.inFlight).toBe(0);
});

test("an upgrade request can be answered like any other", async () => {
  await start((exchange) => {
    const { signal } = exchange;
    exchange.respond(403, { "Content-Type": "text/plain" }, "no");
    expect(signal.aborted).toBe(false);
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await once(socket, "close");
  expect(text()).toMatch(/^HTTP\/1.1 403 Forbidden\r\n[\s\S]*Connection: close\r\n[\s\S]*\r\n\r\nno$/);
  await expect.poll(() => server.listener.inFlight).toBe(0);
});

test("plain HTTP on the TLS port is told so, in Go's words", async () => {
  let failures = 0;
  await start((exchange) => exchange.respond(200, {}), {
    onHandshakeFailure: () => {
      failures++;
    },
  });
  const socket = connectTcp(server.listener.port, "127.0.0.1");
  const text = collect(socket);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "close");
  expect(failures).toBe(1);
  expect(text()).toBe("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
  expect((await server.fetch("/")).status).toBe(200);
});

test.each([
  ["no request line", "rubbish\r\n\r\n", 400],
  ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400],
  [
    "length and chunks",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
  ["a space in a name", "GET / HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\n\r\n", 400],
  ["two hosts", "GET / HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n", 400],
  ["two equal hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400],
  ["another version", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505],
  [
    "a second encoding",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    501,
  ],
  [
    "encodings in two lines",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    501,
  ],
  ["chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501],
  ["too many lines", `GET / HTTP/1.1\r\nHost: x\r\n${"A: b\r\n".repeat(2000)}\r\n`, 431],
  [
    "two hosts on the way to another protocol",
    "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
    400,
  ],
])("a malformed request (%s) is refused, the server goes on", async (_what, bytes, status) => {
  await start((exchange) => exchange.respond(200, {}));
  const socket = await server.tls();
  socket.on("error", () => {});
  const text = collect(socket);
  socket.write(bytes);
  await once(socket, "close");
  expect(text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect((await server.fetch("/")).status).toBe(200);
});

test("headers over 1 MiB end the connection", async () => {
  await start((exchange) => exchange.respond(200, {}));
  const socket = await server.tls();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  socket.resume();
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nA: ${"x".repeat(1_100_000)}`);
  await closed;
  expect((await server.fetch("/")).status).toBe(200);
});

test("more than 2,000 header lines over HTTP/2 end their request alone", async () => {
  const seen: number[] = [];
  await start((exchange) => {
    seen.push(Object.keys(exchange.headers).length);
    exchange.respond(200, {}, "ok");
  });
  const lines = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, "v"]));
  await expect(fetch2("/", { headers: lines(2001) })).rejects.toThrow(/ERR_HTTP2|stream|closed/i);
  expect(seen).toEqual([]);
  expect((await fetch2("/", { headers: lines(1000) })).body.toString()).toBe("ok");
  expect(server.errors).toEqual([]);
});

test("garbage before and after the handshake, and broken HTTP/2, end only their own connections", async () => {
  await start((exchange) => exchange.respond(200, {}));
  const raw = connectTcp(server.listener.port, "127.0.0.1");
  raw.on("error", () => {});
  raw.write(Buffer.alloc(200, 0x16));
  await once(raw, "close");
  for (const bytes of ["rubbish".repeat(10), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\xff\x09\0\0\0\0\0"]) {
    const socket = await server.tls({ ALPNProtocols: ["h2"] });
    socket.on("error", () => {});
    socket.resume();
    socket.write(bytes, "latin1");
    socket.end();
    await once(socket, "close");
  }
  expect((await server.fetch("/")).status).toBe(200);
  expect(server.errors).toEqual([]);
});

test("HTTP/2 allows 250 streams on a connection, or what is asked for", async () => {
  await start((exchange) => exchange.respond(200, {}));
  const session = server.http2();
  await once(session, "remoteSettings");
  expect(session.remoteSettings.maxConcurrentStreams).toBe(250);
  session.destroy();
  await server.close();
  await start((exchange) => exchange.respond(200, {}), { http2MaxStreamsPerConnection: 7 });
  const other = server.http2();
  await once(other, "remoteSettings");
  expect(other.remoteSettings.maxConcurrentStreams).toBe(7);
  other.destroy();
});

test("200 large answers at once fit on one HTTP/2 connection", async () => {
  const body = Buffer.alloc(512 * 1024, "x");
  await start((exchange) => exchange.respond(200, {}, body));
  const session = server.http2();
  const lengths = await Promise.all(
    Array.from({ length: 200 }, async () => {
      let bytes = 0;
      for await (const piece of session.request({ ":path": "/" })) bytes += (piece as Buffer).length;
      return bytes;
    }),
  );
  expect(new Set(lengths)).toEqual(new Set([body.length]));
  session.close();
});

test("of hundreds of HTTP/2 requests that are reset at once, most never begin, and others are answered", async () => {
  let begun = 0;
  let areResetting = true;
  await start((exchange) => {
    begun++;
    // The first request of each round uses up its time, however fast the machine is.
    for (const start = performance.now(); areResetting && performance.now() < start + 10; );
    exchange.respond(200, {}, "here");
  });
  const session = server.http2();
  await once(session, "remoteSettings");
  for (let i = 0; i < 240; i++) {
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => undefined);
    stream.close(8); // CANCEL
  }
  await new Promise((resolve) => session.ping(resolve));
  expect(begun).toBeLessThan(200);
  areResetting = false;
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const stream = session.request({ ":path": "/" });
      const [headers] = await once(stream, "response");
      stream.resume();
      return headers[":status"];
    }),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  session.close();
});

test("closing a connection after an answer: Connection: close, or a GOAWAY", async () => {
  await start((exchange) => {
    exchange.closeAfterResponse();
    exchange.respond(200, {}, "bye");
  });
  const socket = await server.tls();
  const text = collect(socket);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "close");
  expect(text()).toMatch(/Connection: close\r\n[\s\S]*bye$/);
  const session = server.http2();
  const stream = session.request({ ":path": "/" });
  stream.resume();
  const [code, lastStream] = await once(session, "goaway");
  expect([code, lastStream]).toEqual([0, 2 ** 31 - 1]);
  await once(session, "close");
});

test.each<[what: string, method: string, body: string | undefined]>([
  ["a request without a body", "GET", undefined],
  ["a body that is sent in part", "POST", "part"],
])("%s that is taken back without an error lets go of the connection", async (_what, method, body) => {
  const answers: ((exchange: HttpExchange) => void)[] = [
    (exchange) => exchange.respond(200, {}, Buffer.alloc(4 << 20)),
    (exchange) => {
      const stream = exchange.startStream(200, {});
      void (async () => {
        while (!stream.closed) {
          stream.write(Buffer.alloc(1 << 16));
          await stream.drained();
        }
      })();
    },
    (exchange) => void exchange.readBody(100).catch(() => {}),
    () => {}, // is still thinking
  ];
  for (const answer of answers) {
    await start(answer);
    const session = server.http2();
    const request = session.request({ ":method": method, ":path": "/" }, { endStream: body === undefined });
    request.on("error", () => {});
    if (body !== undefined) request.write(body);
    await Promise.race([once(request, "response"), expect.poll(() => server.listener.inFlight).toBe(1)]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    request.close(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    session.destroy();
    await expect.poll(() => server.listener.inFlight).toBe(0);
    await server.close();
  }
});

test("a drain finishes what is in flight, takes nothing new and closes idle connections", async () => {
  const open: HttpExchange[] = [];
  await start((exchange) => {
    if (exchange.path === "/slow") open.push(exchange);
    else exchange.respond(200, {}, "quick");
  });
  const idle = await server.tls();
  idle.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  const one = server.fetch("/slow");
  const two = fetch2("/slow");
  const idleSession = server.http2();
  await once(idleSession, "remoteSettings");
  await expect.poll(() => open).toHaveLength(2);

  const closed = vi.fn();
  const closing = server.listener.close(30_000).then(closed);
  await Promise.all([once(idle, "close"), once(idleSession, "close")]);
  await expect(server.fetch("/")).rejects.toThrow(/ECONNREFUSED/);
  expect(closed).not.toHaveBeenCalled();
  for (const exchange of open) exchange.respond(200, {}, "late");
  const answers = await Promise.all([one, two]);
  expect(answers.map((answer) => answer.body.toString())).toEqual(["late", "late"]);
  expect(answers[0].headers.connection).toBe("close");
  await closing;
});

test("a drain ends connections whose answer had begun before it", async () => {
  let stream: ResponseStream | undefined;
  await start((exchange) => {
    stream = exchange.startStream(200, {});
    stream.write(Buffer.from("a"));
  });
  const socket = await server.tls();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  const closing = server.listener.close(30_000);
  stream?.end();
  await closing;
});

test("what outlasts the grace period is cut", async () => {
  await start(() => {});
  const socket = await server.tls();
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const session = server.http2();
  session.on("error", () => {});
  session.request({ ":path": "/" }).on("error", () => {});
  const half = connectTcp(server.listener.port, "127.0.0.1");
  half.on("error", () => {});
  await expect.poll(() => server.listener.inFlight).toBe(2);
  const long = server.listener.close(60_000);
  const short = server.listener.close(10);
  await Promise.all([long, short]);
  await expect.poll(() => server.listener.connections).toBe(0);
});

test("idle connections are closed after their time, busy ones are not", async () => {
  const open: HttpExchange[] = [];
  await start(
    (exchange) => {
      if (exchange.path === "/slow") open.push(exchange);
      else exchange.respond(200, {}, "quick");
    },
    { limits: { idleTimeoutMs: 60 } },
  );
  const idle = await server.tls();
  idle.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  idle.resume();
  const idleSession = server.http2();
  const busySession = server.http2();
  const stream = busySession.request({ ":path": "/slow" });
  await Promise.all([once(idle, "close"), once(idleSession, "close")]);
  expect(busySession.closed).toBe(false);
  open[0]?.respond(200, {}, "still here");
  let text = "";
  for await (const piece of stream) text += piece;
  expect(text).toBe("still here");
  busySession.destroy();
});

test("a handshake that began before the server stood still goes on afterwards", async () => {
  await start((exchange) => exchange.respond(200, {}, "ok"), { limits: { headerTimeoutMs: 100 } });
  const raw = connectTcp(server.listener.port, "127.0.0.1");
  raw.on("error", () => {});
  await once(raw, "connect");
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const end = performance.now() + 1500; performance.now() < end; );
  const socket = await server.tls({ socket: raw });
  const text = collect(socket);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(text).toMatch(/200 OK[\s\S]*ok$/);
  socket.destroy();
});

/** What a client sends first: TLS over a connection that keeps it. */
async function clientHello(): Promise<Buffer> {
  const keeper = createTcpServer();
  keeper.listen(0, "127.0.0.1");
  await once(keeper, "listening");
  const client = connectTls({ host: "127.0.0.1", port: (keeper.address() as AddressInfo).port });
  client.on("error", () => {});
  const [kept] = await once(keeper, "connection");
  const [hello] = await once(kept, "data");
  kept.destroy();
  keeper.close();
  return hello;
}

test("hellos that come at the same moment are answered in several turns", async () => {
  await start((exchange) => exchange.respond(200, {}));
  const hello = await clientHello();
  const sockets = Array.from({ length: 400 }, () => connectTcp(server.listener.port, "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  // The server accepts one per turn, after the client sees its connection as open.
  for (let accepted = 0; accepted < 2 * sockets.length; accepted++) await new Promise(setImmediate);
  let turn = 0;
  let tick = setImmediate(function again() {
    turn++;
    tick = setImmediate(again);
  });
  const answered = new Map<number, number>();
  for (const socket of sockets) {
    socket.write(hello);
    socket.once("data", () => answered.set(turn, (answered.get(turn) ?? 0) + 1));
  }
  await Promise.all(sockets.map((socket) => once(socket, "data")));
  clearImmediate(tick);
  expect(Math.max(...answered.values())).toBeLessThan(200);
  for (const socket of sockets) socket.destroy();
});

test("connections that end at the same moment are all closed", async () => {
  await start((exchange) => exchange.respond(200, {}));
  const sockets = await Promise.all(
    Array.from({ length: 100 }, (_, i) => server.tls({ ALPNProtocols: [i % 2 === 0 ? "http/1.1" : "h2"] })),
  );
  await expect.poll(() => server.listener.connections).toBe(100);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => server.listener.connections).toBe(0);
  expect(server.errors).toEqual([]);
});

test("connections that are reset at the same moment end in several turns", async () => {
  await start((exchange) => exchange.respond(200, {}));
  const raws: Socket[] = [];
  for (let i = 0; i < 400; i++) {
    const socket = connectTcp(server.listener.port, "127.0.0.1").on("error", () => {});
    raws.push(socket);
    await server.tls({ socket, ALPNProtocols: [i % 2 === 0 ? "http/1.1" : "h2"] });
  }
  await expect.poll(() => server.listener.connections).toBe(400);
  let most = 0;
  let before = 400;
  let tick = setImmediate(function again() {
    const now = server.listener.connections;
    most = Math.max(most, before - now);
    before = now;
    tick = setImmediate(again);
  });
  for (const socket of raws) socket.resetAndDestroy();
  await expect.poll(() => server.listener.connections).toBe(0);
  clearImmediate(tick);
  expect(most).toBeLessThan(400);
  expect((await server.fetch("/")).status).toBe(200);
  expect(server.errors).toEqual([]);
});

/** A relay that forwards only the first bytes of each client until `release` is called. */
async function startSlowPath(): Promise<{
  readonly port: number;
  /** Clients that got a first answer from the server. */
  readonly answered: number;
  release(): void;
  close(): void;
}> {
  const held: (() => void)[] = [];
  let answered = 0;
  const relay = createTcpServer((client) => {
    const upstream = connectTcp(server.listener.port, "127.0.0.1");
    upstream.on("error", () => {}).pipe(client.on("error", () => {}));
    // Also on a reset, which does not end a pipe.
    client.once("close", () => upstream.destroy());
    client.once("data", (hello) => {
      client.pause();
      upstream.write(hello);
    });
    upstream.once("data", () => {
      answered++;
      held.push(() => client.pipe(upstream));
    });
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    port: (relay.address() as AddressInfo).port, // a TCP server that listens
    get answered() {
      return answered;
    },
    release: () => {
      for (const go of held) go();
    },
    close: () => relay.close(),
  };
}

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "%s: hundreds of slow clients finish their handshakes, beside others who never do",
  async (version) => {
    await start((exchange) => exchange.respond(200, {}));
    const silent = Array.from({ length: 250 }, () => connectTcp(server.listener.port, "127.0.0.1"));
    await Promise.all(
      silent.map((socket) =>
        once(
          socket.on("error", () => {}),
          "connect",
        ),
      ),
    );
    const path = await startSlowPath();
    const secureContext = createSecureContext({ ca: server.trust.ca, maxVersion: version });
    const clients = Array.from({ length: 150 }, (_, i) =>
      connectTls({
        ...server.trust,
        secureContext,
        port: path.port,
        ALPNProtocols: [i % 2 === 0 ? "http/1.1" : "h2"],
      }),
    );
    const secured = clients.map((socket) => once(socket, "secureConnect"));
    await expect.poll(() => path.answered).toBe(150);
    // Wait until all have stalled.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(server.listener.connections).toBe(0);
    path.release();
    await Promise.all(secured);
    await expect.poll(() => server.listener.connections).toBe(150);
    expect(new Set(clients.map((socket) => socket.getProtocol()))).toEqual(new Set([version]));
    expect(new Set(clients.map((socket) => socket.alpnProtocol))).toEqual(new Set(["http/1.1", "h2"]));
    for (const socket of [...clients, ...silent]) socket.destroy();
    path.close();
    await expect.poll(() => server.listener.connections).toBe(0);
    expect(server.errors).toEqual([]);
  },
  60_000,
);

test("a connection that ends before or behind its hello is closed and is a failed handshake", async () => {
  let failures = 0;
  await start((exchange) => exchange.respond(200, {}), { onHandshakeFailure: () => failures++ });
  const hello = await clientHello();
  for (const bytes of [Buffer.alloc(0), hello.subarray(0, 20), hello]) {
    const socket = connectTcp(server.listener.port, "127.0.0.1");
    socket.resume();
    socket.end(bytes);
    await once(socket, "close");
  }
  await expect.poll(() => failures).toBe(3);
  expect((await server.fetch("/")).status).toBe(200);
});

test("a hello beyond 64 KiB ends the connection", async () => {
  await start((exchange) => exchange.respond(200, {}));
  const record = Buffer.alloc(16_389);
  record.set([22, 3, 1, 64, 0]);
  const first = Buffer.from(record);
  first.set([1, 255, 255, 255], 5);
  const socket = connectTcp(server.listener.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(Buffer.concat([first, record, record, record, record]));
  await once(socket, "close");
  expect((await server.fetch("/")).status).toBe(200);
});

const halfHello = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]);
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const settings = "\0\0\0\x04\0\0\0\0\0";
/** Announces a HEADERS frame of 100 bytes for stream 1, and sends three. */
const halfHeaders = "\0\0\x64\x01\x04\0\0\0\x01\x82\x84\x87";
const ping = "\0\0\x08\x06\0\0\0\0\0abcdefgh";

/** The timeout under test is short; the other one is too long to be what ends the connection. */
const beforeRequests = { headerTimeoutMs: 400, idleTimeoutMs: 600_000 };
const betweenRequests = { headerTimeoutMs: 600_000, idleTimeoutMs: 100 };

test.each<[state: string, protocol: string | undefined, first: string | Buffer, again: string]>([
  ["a TCP connection that says nothing", undefined, "", ""],
  ["half a handshake", undefined, halfHello, ""],
  ["a handshake in small pieces", undefined, halfHello, "\0"],
  ["HTTP/1.1 without a request", "http/1.1", "", ""],
  ["HTTP/1.1 headers in small pieces", "http/1.1", "GET / HTTP/1.1\r\nHost: x\r\n", "A: b\r\n"],
  [
    "HTTP/1.1 headers in small pieces after a request",
    "http/1.1",
    "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET ",
    "/",
  ],
  ["HTTP/2 without a preface", "h2", "", ""],
  ["HTTP/2 with half a preface", "h2", "PRI * HTT", ""],
  ["HTTP/2 without settings", "h2", preface, ""],
])("%s is cut when its time is over", async (_state, protocol, first, again) => {
  await isCutWithin(beforeRequests, protocol, first, again);
});

test.each<[state: string, protocol: string, first: string, again: string]>([
  ["HTTP/1.1 that had its answer", "http/1.1", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", ""],
  ["HTTP/2 with half a HEADERS frame", "h2", preface + settings + halfHeaders, ""],
  [
    "HTTP/2 with a HEADERS frame in small pieces",
    "h2",
    `${preface}${settings}\0\xff\xff\x01\x04\0\0\0\x01`,
    "\x82",
  ],
  ["HTTP/2 with nothing but pings", "h2", preface + settings, ping],
])("%s is cut when it was idle for long", async (_state, protocol, first, again) => {
  await isCutWithin(betweenRequests, protocol, first, again);
});

async function isCutWithin(
  limits: Partial<ConnectionLimits>,
  protocol: string | undefined,
  first: string | Buffer,
  again: string,
): Promise<void> {
  await start((exchange) => exchange.respond(200, {}), { limits });
  const socket =
    protocol === undefined
      ? connectTcp(server.listener.port, "127.0.0.1")
      : await server.tls({ ALPNProtocols: [protocol] });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  socket.resume();
  socket.write(first.toString("latin1"), "latin1");
  const drip = setInterval(() => socket.write(again, "latin1"), 10);
  await closed;
  clearInterval(drip);
  expect((await server.fetch("/")).status).toBe(200);
  expect(server.errors).toEqual([]);
}

test("above the limit of connections who has not shaken hands makes room, then nobody is let in", async () => {
  await start((exchange) => exchange.respond(200, {}), { limits: { connectionsMax: 3 } });
  const silent = connectTcp(server.listener.port, "127.0.0.1");
  const cut = new Promise((resolve) => silent.once("close", resolve));
  silent.on("error", () => {});
  silent.resume();
  await once(silent, "connect");
  const held = [await server.tls(), await server.tls()];
  held.push(await server.tls());
  await cut;
  await expect.poll(() => server.listener.connections).toBe(3);
  await expect(server.tls()).rejects.toThrow();
  expect(server.listener.connections).toBe(3);
  for (const socket of held) socket.destroy();
  await expect.poll(() => server.listener.connections).toBe(0);
  expect((await server.fetch("/")).status).toBe(200);
});

test("the certificate follows the server name, the address and the files", async () => {
  const make = async (name: string, names: readonly string[]) => {
    const pki = await ensureLocalPki({
      directory: `${server.directory}/${name}`,
      now: Date.now(),
      authorityName: name,
      serving: { commonName: name, names },
    });
    if (pki.serving === undefined) throw new Error("no certificate");
    return pki.serving;
  };
  await start(() => {});
  const fallback = await make("fallback", ["fallback.example"]);
  const named = await make("named", ["named.example"]);
  const wild = await make("wild", ["x"]);
  const byAddress = await make("by-address", ["127.0.0.1"]);
  const listener = await listen(
    {
      host: "127.0.0.1",
      port: 0,
      settings: toTlsSettings(undefined),
      onError: (error) => server.errors.push(error),
      onUnusableFile: (error) => server.errors.push(error),
      reloadIntervalMs: 5,
      files: {
        ...fallback,
        sniCertificates: [
          { ...named, patterns: [] },
          { ...wild, patterns: ["*.wild.example"] },
          { ...byAddress, patterns: [] },
        ],
      },
    },
    (exchange) => exchange.respond(200, {}, "ok"),
  );
  const certificateFor = async (servername: string): Promise<PeerCertificate> => {
    const socket = await server.tls({ port: listener.port, servername, rejectUnauthorized: false });
    const certificate = socket.getPeerCertificate();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const text = collect(socket);
    await once(socket, "close");
    expect(text()).toMatch(/ok$/);
    return certificate;
  };
  const subjectFor = async (servername: string): Promise<unknown> =>
    (await certificateFor(servername)).subject.CN;
  try {
    expect(await subjectFor("named.example")).toBe("named");
    expect(await subjectFor("a.wild.example")).toBe("wild");
    expect(await subjectFor("unknown.example")).toBe("fallback");
    // Clients that connect by address send no name.
    expect(await subjectFor("")).toBe("by-address");
    await make("fallback", ["further.example"]);
    await expect
      .poll(async () => (await certificateFor("unknown.example")).subjectaltname)
      .toContain("further.example");
    expect(server.errors).toEqual([]);
  } finally {
    await listener.close(0);
  }
});

test("a port in use is refused, and so is a shared port that this Node.js does not support", async () => {
  await start(() => {});
  const options = {
    host: "127.0.0.1",
    port: server.listener.port,
    files: server.pki.serving ?? { certFile: "", keyFile: "" },
    settings: toTlsSettings(undefined),
    onError: () => {},
    onUnusableFile: () => {},
  };
  await expect(listen(options, () => {})).rejects.toThrow(/EADDRINUSE/);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 12)) {
    await expect(listen({ ...options, port: 0, reusePort: true }, () => {})).rejects.toThrow(/22\.12/);
  }
});

test("all interfaces means IPv4 and, where there is one, IPv6", async () => {
  await start((exchange) => exchange.respond(200, {}, exchange.connection.remoteAddress), {
    host: "0.0.0.0",
  });
  expect((await server.fetch("/")).body.toString()).toBe("127.0.0.1");
});

function collect(socket: NodeJS.ReadableStream): () => string {
  let text = "";
  socket.on("data", (piece: Buffer) => {
    text += piece.toString("latin1");
  });
  return () => text;
}
