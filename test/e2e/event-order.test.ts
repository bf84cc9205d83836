import { once } from "node:events";
import { connect as connectTls, TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  endStream,
  frameTypes,
  type Http2Frame,
  Http2FrameReader,
  headersFrame,
  http2Frame,
  http2Preface,
} from "../../src/serving/http/testing/http2-frames.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";
import { credentialsOf } from "../support/server-process.js";

// Controllers decide by what they have seen: the event of a write must be on its way before the answer of the write is.

const maps = "/api/v1/namespaces/default/configmaps";
const updates = 30;
let server: InProcessServer;

beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.dispose());

async function connect(protocol: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(server.url);
  const socket = connectTls({
    host: hostname,
    port: Number(port),
    ALPNProtocols: [protocol],
    ...credentialsOf(server),
  });
  await once(socket, "secureConnect");
  return socket;
}

interface Write {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

function* writesTo(name: string): Iterable<Write> {
  const object = `${maps}/${name}`;
  const json = "application/json";
  yield { method: "POST", path: maps, type: json, body: JSON.stringify({ metadata: { name } }) };
  for (let turn = 0; turn < updates; turn++) {
    const body = JSON.stringify({ data: { turn: `turn ${turn}` } });
    yield { method: "PATCH", path: object, type: "application/merge-patch+json", body };
  }
  yield { method: "DELETE", path: object, type: json, body: "{}" };
}

/** How a client sees the two: an event of the watch, or the beginning of an answer. */
const each = ["event", "answer"];
const expected = Array.from({ length: updates + 2 }, () => each).flat();

test("over one HTTP/2 connection, the frame of the event precedes the answer's headers", async () => {
  const socket = await connect("h2");
  const reader = new Http2FrameReader();
  const seen: string[] = [];
  const watch = 1;
  let opened = false;
  const take = ({ stream, type, payload }: Http2Frame): void => {
    if (stream === watch && type === frameTypes.headers) opened = true;
    if (stream === watch && type === frameTypes.data && payload.length > 0) seen.push("event");
    if (stream > watch && type === frameTypes.headers) seen.push("answer");
  };
  socket.on("data", (bytes: Buffer) => reader.take(bytes).forEach(take));
  const fields = (method: string, path: string) => ({
    ":method": method,
    ":scheme": "https",
    ":path": path,
    ":authority": "127.0.0.1",
  });
  socket.write(http2Preface);
  const watchPath = `${maps}?watch=1&fieldSelector=metadata.name%3Dhttp2`;
  socket.write(headersFrame(watch, fields("GET", watchPath), { end: true }));
  await expect.poll(() => opened).toBe(true);
  let stream = watch;
  let answers = 0;
  for (const { method, path, type, body } of writesTo("http2")) {
    stream += 2;
    socket.write(
      Buffer.concat([
        headersFrame(stream, { ...fields(method, path), "content-type": type }, { end: false }),
        http2Frame(frameTypes.data, endStream, stream, Buffer.from(body)),
      ]),
    );
    answers += 1;
    await vi.waitFor(() => expect(seen.filter((what) => what === "answer")).toHaveLength(answers), {
      interval: 1,
      timeout: 60_000,
    });
  }
  socket.destroy();
  expect(seen).toEqual(expected);
});

test("over two HTTP/1.1 connections, the server writes the event before the answer", async () => {
  const watcher = await connect("http/1.1");
  const writer = await connect("http/1.1");
  const written: string[] = [];
  const { write } = TLSSocket.prototype;
  // The server's connections are in this process too.
  const spy = vi.spyOn(TLSSocket.prototype, "write").mockImplementation(function (
    this: TLSSocket,
    ...args: Parameters<typeof write>
  ) {
    const text = Buffer.from(args[0]).toString("latin1");
    if (this.remotePort === watcher.localPort && text.includes('{"type":')) written.push("event");
    if (this.remotePort === writer.localPort && text.startsWith("HTTP/1.1 20")) written.push("answer");
    return write.apply(this, args);
  });
  try {
    const watchPath = `${maps}?watch=1&fieldSelector=metadata.name%3Dhttp1`;
    watcher.write(`GET ${watchPath} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(watcher, "data");
    writer.resume();
    let answers = 0;
    for (const { method, path, type, body } of writesTo("http1")) {
      const length = Buffer.byteLength(body);
      writer.write(
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`,
      );
      answers += 1;
      await vi.waitFor(() => expect(written.filter((what) => what === "answer")).toHaveLength(answers), {
        interval: 1,
        timeout: 60_000,
      });
    }
  } finally {
    spy.mockRestore();
    watcher.destroy();
    writer.destroy();
  }
  expect(written).toEqual(expected);
});
