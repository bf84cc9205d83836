import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import type { ExchangeHandler, HttpExchange } from "../http/exchange.js";
import { type Http1Connection, Http1Exchange } from "../http/http1-exchange.js";
import { ForwardedRequests } from "./forwarded-requests.js";
import { Forwarder } from "./forwarder.js";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server each of whose requests is forwarded to the handler. */
async function serve(handler: ExchangeHandler) {
  const errors: unknown[] = [];
  const forwarded = new ForwardedRequests(handler, (error) => errors.push(error));
  let opened = 0;
  const forwarder = new Forwarder((port, client) => {
    opened++;
    forwarded.connect(port, client);
  });
  const connections = new WeakMap<object, Http1Connection>();
  const server: Server = createServer();
  const connectionOf = (socket: object): Http1Connection => {
    const known = connections.get(socket) ?? {
      server: { closing: false },
      remoteAddress: "192.0.2.7",
      remotePort: 4711,
      lastDigest: undefined,
      peerCertificates: undefined,
      isEnding: false,
      answeredEarly: () => undefined,
      linger: () => undefined,
    };
    connections.set(socket, known);
    return known;
  };
  server.on("request", (request, response) =>
    forwarder.forward(new Http1Exchange(connectionOf(request.socket), request, response, false)),
  );
  server.on("upgrade", (request, socket, head) =>
    forwarder.forward(new Http1Exchange(connectionOf(socket), request, { socket, head }, false)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, errors, opened: () => opened };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function call(
  port: number,
  {
    method = "GET",
    path = "/",
    headers = {},
    body,
  }: {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string | readonly string[];
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: "127.0.0.1", method, path, headers }, (response) => {
      text(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer }),
        reject,
      );
    });
    request.on("error", reject);
    for (const piece of typeof body === "string" ? [body] : (body ?? [])) request.write(piece);
    request.end();
  });
}

describe("a forwarded request", () => {
  test("may have an answer with headers of any name", async () => {
    const { port, errors } = await serve((exchange) =>
      exchange.respond(200, { constructor: "a", "X-Other": ["b", "c"] }, "made"),
    );
    const { headers } = await call(port);
    expect(Object.entries(headers)).toContainEqual(["constructor", "a"]);
    expect(headers["x-other"]).toBe("b, c");
    expect(errors).toEqual([]);
  });

  test("reaches the other thread as the client sent it, and its answer the client", async () => {
    let seen: HttpExchange | undefined;
    let body = "";
    const { port, errors } = await serve(async (exchange) => {
      seen = exchange;
      body = Buffer.from(await exchange.readBody(1000)).toString();
      exchange.addResponseHeader("Warning", "299 - one");
      exchange.addResponseHeader("Warning", "299 - two");
      exchange.respond(201, { "Content-Type": "text/plain" }, "made");
    });
    const answer = await call(port, {
      method: "POST",
      path: "/a%20b?x=1",
      headers: { "content-type": "application/json", "x-more": "yes" },
      body: "{}",
    });
    expect(answer).toMatchObject({ status: 201, body: "made" });
    expect(answer.headers).toMatchObject({
      "content-type": "text/plain",
      "content-length": "4",
      warning: "299 - one, 299 - two",
    });
    expect(seen).toMatchObject({
      method: "POST",
      target: "/a%20b?x=1",
      connection: { remoteAddress: "192.0.2.7", remotePort: 4711 },
    });
    expect(seen?.headers).toMatchObject({ "x-more": "yes", host: `127.0.0.1:${port}` });
    expect(body).toBe("{}");
    expect(errors).toEqual([]);
  });

  test("has its body whatever its size and however it is sent", async () => {
    const { port } = await serve(async (exchange) => {
      const bytes = await exchange.readBody(10_000_000);
      exchange.respond(200, {}, `${exchange.method} ${bytes.length}`);
    });
    const piece = "x".repeat(100_000);
    const chunked = await call(port, {
      method: "DELETE",
      headers: { "transfer-encoding": "chunked" },
      body: Array.from({ length: 30 }, () => piece),
    });
    expect(chunked.body).toBe("DELETE 3000000");
    const measured = await call(port, {
      method: "PUT",
      headers: { "content-length": "100000" },
      body: piece,
    });
    expect(measured.body).toBe("PUT 100000");
    expect((await call(port, { method: "DELETE" })).body).toBe("DELETE 0");
  });

  test("shares a connection between the threads with the requests before it", async () => {
    const { port, opened } = await serve((exchange) => exchange.respond(200, {}, "ok"));
    // node:http keeps this client's connection.
    for (let each = 0; each < 5; each++) expect((await call(port)).body).toBe("ok");
    expect(opened()).toBe(1);
  });

  test("gets a long answer as fast as it is read", async () => {
    const pieces = 300;
    let written = 0;
    const { port } = await serve(async (exchange) => {
      const stream = exchange.startStream(200, {});
      for (; written < pieces; written++) {
        if (!stream.write(Buffer.alloc(64 * 1024, 97))) await stream.drained();
      }
      stream.end();
    });
    const response = await new Promise<import("node:http").IncomingMessage>((resolve) =>
      httpRequest({ port, host: "127.0.0.1" }, resolve).end(),
    );
    await expect.poll(() => written).toBeGreaterThan(3);
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = written === before;
          before = written;
          return isStill;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(written).toBeLessThan(pieces);
    expect((await text(response)).length).toBe(pieces * 64 * 1024);
  });

  test("is cut when its answer is", async () => {
    const { port } = await serve((exchange) => {
      const stream = exchange.startStream(200, {});
      stream.write(Buffer.from("begin"));
      setTimeout(() => stream.abort(), 20);
    });
    await expect(call(port)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("is cut when it was not answered", async () => {
    const { port } = await serve((exchange) => exchange.abort());
    await expect(call(port)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("tells the other thread that its client has gone", async () => {
    let gone = false;
    const { port } = await serve((exchange) => {
      exchange.startStream(200, {}).flushHeaders();
      exchange.signal.addEventListener("abort", () => {
        gone = true;
      });
    });
    await new Promise<void>((resolve) => {
      const request = httpRequest({ port, host: "127.0.0.1", agent: false }, () => {
        request.destroy();
        resolve();
      });
      request.on("error", () => undefined);
      request.end();
    });
    await expect.poll(() => gone).toBe(true);
  });

  test("may upgrade its connection", async () => {
    const { port } = await serve((exchange) => {
      const { socket, head } = exchange.upgrade();
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
      socket.write(head);
      socket.pipe(socket);
    });
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (bytes: Buffer) => {
      received += bytes;
    });
    socket.write("GET /exec HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    await expect.poll(() => received).toContain("101 Switching Protocols");
    socket.write("hello");
    await expect.poll(() => received).toContain("hello");
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.end();
    await ended;
  });

  test("may be refused its upgrade", async () => {
    const { port } = await serve((exchange) => exchange.respond(403, {}, "no"));
    const answer = await call(port, { headers: { connection: "Upgrade", upgrade: "echo" } });
    expect(answer).toMatchObject({ status: 403, body: "no" });
  });
});
