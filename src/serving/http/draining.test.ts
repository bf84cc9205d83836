import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type ExpectStatic, expect, type TestContext, test } from "vitest";
import { startTestServer, type TestServer } from "../../server/pki/testing/test-server.js";
import type { ConnectionLimits } from "./connection-limits.js";
import { frameTypes, headersFrame, http2Frame, http2Preface } from "./testing/http2-frames.js";

/** The server and clients of one test: GET /held is never answered, and a body is read only at /read. */
class Scene {
  readonly server: TestServer;
  readonly expect: ExpectStatic;
  readonly #opened = new Set<Socket>();

  private constructor(server: TestServer, expect: ExpectStatic) {
    this.server = server;
    this.expect = expect;
  }

  static async start(test: TestContext, limits: Partial<ConnectionLimits> = {}): Promise<Scene> {
    const server = await startTestServer(
      async (exchange) => {
        if (exchange.path === "/held") return;
        if (exchange.path === "/read") exchange.respond(200, {}, await exchange.readBody(1000));
        else exchange.respond(405, {}, "no");
      },
      { limits },
    );
    const scene = new Scene(server, test.expect);
    test.onTestFinished(() => scene.#close());
    return scene;
  }

  async #close(): Promise<void> {
    for (const socket of this.#opened) socket.destroy();
    await this.server.close();
  }

  opensTcp(): Socket {
    const { port } = this.server.listener;
    const socket = connectTcp({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    this.#opened.add(socket);
    return socket;
  }

  /** A client that closes nothing on its own. */
  async opensTls(protocol: string, raw = this.opensTcp()): Promise<TLSSocket> {
    const socket = connectTls({ socket: raw, rejectUnauthorized: false, ALPNProtocols: [protocol] });
    socket.on("error", () => {});
    // Destroying both would crash node:tls.
    this.#opened.delete(raw);
    this.#opened.add(socket);
    await once(socket, "secureConnect");
    return socket;
  }

  async untilRead(): Promise<void> {
    await this.expect.poll(() => this.server.listener.inFlight).toBe(1);
  }
}

const ping = http2Frame(frameTypes.ping, 0, 0, Buffer.alloc(8));
/** Frames of an unknown type are ignored (RFC 9113 §4.1). With a ping after it, it fills one TLS record. */
const filler = http2Frame(0xbb, 0, 0, Buffer.alloc(16_384 - 9 - 17));

/** A HEADERS frame without the end of the stream, or with it. */
function headers(stream: number, method: string, path: string, end: boolean): Buffer {
  const fields = { ":method": method, ":scheme": "https", ":path": path, ":authority": "x" };
  return headersFrame(stream, fields, { end });
}

/** The server has these bytes buffered before the reset arrives, and answers them piece by piece. */
function resetBehindPings(raw: Socket, socket: TLSSocket): void {
  socket.write(Buffer.concat([filler, ping, filler, ping, filler, ping]));
  raw.resetAndDestroy();
}

async function answered(socket: Socket): Promise<void> {
  await once(socket, "data");
}

const states: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  "a TCP connection that says nothing": async (scene) => {
    await once(scene.opensTcp(), "connect");
  },
  "half a handshake": async (scene) => {
    scene.opensTcp().write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]));
  },
  "HTTP/1.1 without a request": async (scene) => {
    await scene.opensTls("http/1.1");
  },
  "HTTP/1.1 with half a request": async (scene) => {
    const socket = await scene.opensTls("http/1.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
  },
  "HTTP/1.1 after an answer": async (scene) => {
    const socket = await scene.opensTls("http/1.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await answered(socket);
  },
  "HTTP/1.1 with a body that is answered and does not end": async (scene) => {
    const socket = await scene.opensTls("http/1.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
    await answered(socket);
  },
  "HTTP/1.1 with an answer in place of 100-continue": async (scene) => {
    const socket = await scene.opensTls("http/1.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n");
    await answered(socket);
  },
  "HTTP/1.1 with a body that the client broke off": async (scene) => {
    const raw = scene.opensTcp();
    const socket = await scene.opensTls("http/1.1", raw);
    socket.write("POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
    await scene.untilRead();
    raw.resetAndDestroy();
  },
  "HTTP/2 without a preface": async (scene) => {
    await scene.opensTls("h2");
  },
  "HTTP/2 without a request": async (scene) => {
    const socket = await scene.opensTls("h2");
    socket.write(http2Preface);
    await answered(socket);
  },
  "HTTP/2 with half a HEADERS frame": async (scene) => {
    const socket = await scene.opensTls("h2");
    socket.write(Buffer.concat([http2Preface, headers(1, "GET", "/", true).subarray(0, -2)]));
    await answered(socket);
  },
  "HTTP/2 after an answer": async (scene) => {
    const socket = await scene.opensTls("h2");
    socket.write(Buffer.concat([http2Preface, headers(1, "GET", "/", true)]));
    await scene.expect.poll(() => scene.server.listener.inFlight).toBe(0);
  },
  "HTTP/2 with a body that is answered and does not end": async (scene) => {
    const socket = await scene.opensTls("h2");
    socket.write(
      Buffer.concat([http2Preface, headers(1, "POST", "/", false), headers(3, "HEAD", "/", false)]),
    );
    await answered(socket);
  },
  "HTTP/2 with a body that the client broke off": async (scene) => {
    const raw = scene.opensTcp();
    const socket = await scene.opensTls("h2", raw);
    socket.write(Buffer.concat([http2Preface, headers(1, "POST", "/read", false)]));
    await scene.untilRead();
    raw.resetAndDestroy();
  },
  "HTTP/2 that was reset while the server wrote": async (scene) => {
    const raw = scene.opensTcp();
    const socket = await scene.opensTls("h2", raw);
    socket.write(Buffer.concat([http2Preface, headers(1, "GET", "/held", true)]));
    await scene.untilRead();
    resetBehindPings(raw, socket);
  },
};

// Concurrently, because some take the seconds that a client gets to close its side.
test.concurrent.for(Object.entries(states))(
  "a drain waits for no connection without a request in progress: %s",
  async ([, reach], context) => {
    const scene = await Scene.start(context);
    const { server, expect } = scene;
    await reach(scene);
    await server.listener.close(120_000);
    await expect.poll(() => server.listener.connections).toBe(0);
    expect(server.listener.inFlight).toBe(0);
  },
);

test("a body that does not end keeps no answered request, whatever its method", async (context) => {
  const scene = await Scene.start(context);
  const { server } = scene;
  for (const verb of ["POST", "HEAD"] as const) {
    const session = server.http2();
    const stream = session.request({ ":method": verb, ":path": "/" }, { endStream: false });
    stream.on("error", () => {});
    stream.write("part");
    await once(stream, "response");
    await expect.poll(() => server.listener.inFlight).toBe(0);
    session.destroy();
  }
});

test("an HTTP/2 client that is gone without a word is noticed, one that answers pings is not cut", async (context) => {
  const scene = await Scene.start(context, { silenceTimeoutMs: 200 });
  const { server } = scene;
  const session = server.http2();
  const held = session.request({ ":path": "/held" });
  held.on("error", () => {});
  await scene.untilRead();
  const raw = scene.opensTcp();
  const socket = await scene.opensTls("h2", raw);
  socket.write(Buffer.concat([http2Preface, headers(1, "GET", "/held", true)]));
  await expect.poll(() => server.listener.inFlight).toBe(2);
  resetBehindPings(raw, socket);
  await expect.poll(() => server.listener.connections).toBe(1);
  expect(server.listener.inFlight).toBe(1);
  expect(session.destroyed).toBe(false);
  session.destroy();
});
