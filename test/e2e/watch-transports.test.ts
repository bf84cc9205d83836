import { readdirSync, readlinkSync } from "node:fs";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Codec } from "../../src/apimachinery/schema/codec.js";
import { decodeEnvelope } from "../../src/apimachinery/schema/envelope.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { ApiClient } from "../support/api-client.js";
import { linesOf } from "../support/lines-of.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

/** Watches over every transport and in every form; watchers that are slow, broken or out of time. */

const { naming, schemas } = testApiContext();
const metaGroup = naming.group("meta");
const codec: Codec = schemas.codec("core/v1.ConfigMap");
const partialCodec: Codec = schemas.codec("meta/v1.PartialObjectMetadata");

let server: ServerProcess;
let api: ApiClient;
let http2: ApiClient;
let maps: string;
let namespaces = 0;

beforeAll(async () => {
  server = await startServer();
  api = new ApiClient(server);
  http2 = new ApiClient(server, { http2: true });
});

afterAll(async () => {
  await Promise.all([api.close(), http2.close()]);
  await server.dispose();
});

beforeEach(async () => {
  const name = `watched-${++namespaces}`;
  await api.post("/api/v1/namespaces", { metadata: { name } });
  maps = `/api/v1/namespaces/${name}/configmaps`;
});

interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: objects of every form
  readonly object: any;
}

/** Yields pieces of a stream as they come. */
type Open = (path: string, accept: string) => AsyncIterable<Uint8Array>;

const overHttp =
  (client: () => ApiClient): Open =>
  (path, accept) =>
    client().stream(path, { accept });

async function* jsonLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Event> {
  for await (const line of linesOf(pieces)) yield JSON.parse(line);
}

async function* frames(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Event> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
      const end = 4 + rest.readUInt32BE(0);
      yield decodeEvent(rest.subarray(4, end));
      rest = rest.subarray(end);
    }
  }
}

async function* messages(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Event> {
  for await (const piece of pieces) yield decodeEvent(Buffer.from(piece));
}

/** `meta/v1.WatchEvent`: 1 type, 2 { 1 the object in its envelope }. */
function decodeEvent(message: Buffer): Event {
  const fields = fieldsOf(message);
  const { typeMeta, raw } = decodeEnvelope(fieldsOf(fields[1] ?? Buffer.alloc(0))[0] ?? Buffer.alloc(0));
  const type = typeMeta.kind === "ConfigMap" ? codec : partialCodec;
  return {
    type: fields[0]?.toString("utf8") ?? "",
    object: JSON.parse(type.toJsonWithType(type.fromProto(raw), typeMeta)),
  };
}

/** The contents of length-delimited fields, in order. */
function fieldsOf(message: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at < message.length; ) {
    let length = 0;
    let shift = 0;
    at++;
    for (let more = true; more; at++) {
      const byte = message[at] ?? 0;
      length |= (byte & 0x7f) << shift;
      shift += 7;
      more = byte >= 128;
    }
    fields.push(message.subarray(at, at + length));
    at += length;
  }
  return fields;
}

function overWebSocket(subprotocol?: string): Open {
  return async function* (path, accept) {
    const client = webSocket(path, accept, subprotocol);
    const waiting: Uint8Array[] = [];
    let wake = (): void => {};
    let open = true;
    client.on("message", (data: Buffer, isBinary) => {
      expect(isBinary).toBe(accept === naming.protobufMediaType);
      waiting.push(data);
      wake();
    });
    client.on("close", () => {
      open = false;
      wake();
    });
    try {
      while (open || waiting.length > 0) {
        const piece = waiting.shift();
        if (piece !== undefined) yield piece;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      client.terminate();
    }
  };
}

function webSocket(path: string, accept: string, subprotocol?: string): WebSocket {
  return new WebSocket(`${server.url.replace("https", "wss")}${path}`, subprotocol ?? [], {
    ...api.tls,
    headers: { accept },
  });
}

const protobuf = naming.protobufMediaType;
const partial = `as=PartialObjectMetadata;g=${metaGroup};v=v1`;
const metadataOnly = ({ object }: Event) => ({
  kind: "PartialObjectMetadata",
  apiVersion: `${metaGroup}/v1`,
  metadata: object.metadata,
});
const whole = ({ object }: Event) => object;

describe.each<
  [
    string,
    Open,
    string,
    (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Event>,
    (event: Event) => unknown,
  ]
>([
  ["JSON over HTTP/1.1", overHttp(() => api), "application/json", jsonLines, whole],
  ["JSON over HTTP/2", overHttp(() => http2), "application/json;stream=watch", jsonLines, whole],
  ["JSON over WebSocket", overWebSocket(), "application/json", jsonLines, whole],
  [
    "JSON over WebSocket with a subprotocol",
    overWebSocket(`base64.binary.${naming.groupDomain}`),
    "application/json",
    jsonLines,
    whole,
  ],
  ["protobuf over HTTP/1.1", overHttp(() => api), `${protobuf};stream=watch`, frames, whole],
  ["protobuf over HTTP/2", overHttp(() => http2), protobuf, frames, whole],
  ["protobuf over WebSocket", overWebSocket(), protobuf, messages, whole],
  ["metadata in JSON", overHttp(() => api), `application/json;${partial}`, jsonLines, metadataOnly],
  ["metadata in protobuf", overHttp(() => api), `${protobuf};${partial}`, frames, metadataOnly],
])("%s", (_name, open, accept, decode, expectedForm) => {
  test("tells all that happens, an event at a time", async () => {
    await api.post(maps, { metadata: { name: "before" }, data: { a: "<&>" } });
    const events = decode(
      open(`${maps}?watch=1&fieldSelector=metadata.name!=${naming.rootCaConfigMapName}`, accept),
    )[Symbol.asyncIterator]();
    const next = async (): Promise<Event> => (await events.next()).value;
    try {
      const before = await api.get(`${maps}/before`);
      const initial = await next();
      expect(initial).toEqual({
        type: "ADDED",
        object: expectedForm({ type: "ADDED", object: before.body }),
      });
      const created = await api.post(maps, { metadata: { name: "new" } });
      expect(await next()).toEqual({
        type: "ADDED",
        object: expectedForm({ type: "", object: created.body }),
      });
      const updated = await api.put(`${maps}/new`, { ...created.body, data: { a: "b" } });
      expect(await next()).toEqual({
        type: "MODIFIED",
        object: expectedForm({ type: "", object: updated.body }),
      });
      await api.delete(`${maps}/new`);
      const deleted = await next();
      expect(deleted.type).toBe("DELETED");
      expect(deleted.object.metadata).toMatchObject({ name: "new", uid: created.body.metadata.uid });
      expect(Number(deleted.object.metadata.resourceVersion)).toBeGreaterThan(
        Number(updated.body.metadata.resourceVersion),
      );
    } finally {
      await events.return?.(undefined);
    }
  });
});

test("a watch of tables has its columns in the first event only", async () => {
  const accept = `application/json;as=Table;g=${metaGroup};v=v1`;
  await api.post(maps, { metadata: { name: "a" }, data: { k: "v" } });
  const path = `${maps}?watch=1&fieldSelector=metadata.name!=${naming.rootCaConfigMapName}`;
  const events = jsonLines(api.stream(path, { accept }));
  const first = (await events.next()).value as Event;
  expect(first.object.columnDefinitions.map((column: { name: string }) => column.name)).toEqual([
    "Name",
    "Data",
    "Age",
  ]);
  expect(first.object.rows).toHaveLength(1);
  expect(first.object.rows[0].cells.slice(0, 2)).toEqual(["a", 1]);
  await api.post(maps, { metadata: { name: "b" } });
  const second = (await events.next()).value as Event;
  expect(second).toMatchObject({
    type: "ADDED",
    object: { kind: "Table", columnDefinitions: null, rows: [{ object: { metadata: { name: "b" } } }] },
  });
  await events.return(undefined);
});

test.each([
  ["application/json", jsonLines],
  [protobuf, frames],
])("bookmarks carry a version and nothing else (%s)", async (accept, decode) => {
  const path = `${maps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=8`;
  const seen: Event[] = [];
  const over = (async () => {
    for await (const event of decode(api.stream(path, { accept }))) seen.push(event);
  })();
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  // Of something else, so that there is a version to tell of.
  await api.post("/api/v1/namespaces/default/secrets", { metadata: { generateName: "s-" } });
  await over;
  const bookmarks = seen.filter(({ type }) => type === "BOOKMARK");
  expect(bookmarks.length).toBeGreaterThan(0);
  for (const { object } of bookmarks) {
    expect(object).toMatchObject({ kind: "ConfigMap", apiVersion: "v1" });
    expect(object.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(object.data).toBeUndefined();
  }
});

test("the table of a bookmark has a row of as many cells as others", async () => {
  const accept = `application/json;as=Table;g=${metaGroup};v=v1`;
  const path = `${maps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=8`;
  const bookmarks: Event[] = [];
  for await (const event of jsonLines(api.stream(path, { accept }))) {
    if (event.type === "BOOKMARK") bookmarks.push(event);
    // Of something else, so that there is a version to tell of.
    else await api.post("/api/v1/namespaces/default/secrets", { metadata: { generateName: "s-" } });
  }
  expect(bookmarks.length).toBeGreaterThan(0);
  for (const { object } of bookmarks) {
    expect(object).toMatchObject({ kind: "Table", rows: [{ cells: ["", 0, "<unknown>"] }] });
    expect(object.rows[0].object.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
  }
});

test.each([
  ["HTTP/1.1", () => api.stream(`${maps}?watch=1&timeoutSeconds=1`, {})],
  ["HTTP/2", () => http2.stream(`${maps}?watch=1&timeoutSeconds=1`, {})],
])("a watch over %s ends properly when its time is up", async (_name, open) => {
  const began = Date.now();
  for await (const _piece of open()) {
    // Only the end counts: a stream that is cut throws.
  }
  expect(Date.now() - began).toBeGreaterThanOrEqual(990);
});

test("a watch over WebSocket ends with a normal close when its time is up", async () => {
  const client = webSocket(`${maps}?watch=1&timeoutSeconds=1`, "application/json");
  const code = await new Promise((resolve) => client.once("close", resolve));
  expect(code).toBe(1000);
});

test("an upgrade that is refused gets a Status", async () => {
  const client = webSocket("/api/v1/namespaces/default/moons?watch=1", "application/json");
  const status = await new Promise((resolve) => {
    client.once("unexpected-response", (_request, response) => resolve(response.statusCode));
    client.once("error", () => {});
  });
  expect(status).toBe(404);
});

test("a connection that breaks is let go of at once", async () => {
  /** By their inodes: connections of earlier tests may still be closing. */
  const sockets = (): Set<string> => {
    const links = readdirSync(`/proc/${server.pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${server.pid}/fd/${fd}`);
      } catch {
        return ""; // closed meanwhile
      }
    });
    return new Set(links.filter((link) => link.startsWith("socket:")));
  };
  const before = sockets();
  const clients = await Promise.all(Array.from({ length: 10 }, () => rawWatch(`${maps}?watch=1`)));
  const opened = [...sockets()].filter((socket) => !before.has(socket));
  expect(opened.length).toBeGreaterThanOrEqual(10);
  for (const client of clients) client.destroy();
  const left = (): number => {
    const now = sockets();
    return opened.filter((socket) => now.has(socket)).length;
  };
  await expect.poll(left).toBeLessThanOrEqual(opened.length - 10);
});

test("a watcher that does not read is ended, and the others miss nothing", async () => {
  const updates = 150;
  const slow = await rawWatch(`${maps}?watch=1&resourceVersion=0`);
  slow.pause();
  const { metadata } = (await api.post(maps, { metadata: { name: "large" }, data: { n: "0" } })).body;
  const path = `${maps}?watch=1&fieldSelector=metadata.name=large&resourceVersion=${metadata.resourceVersion}`;
  const fast = [jsonLines(api.stream(path, {})), frames(http2.stream(path, { accept: protobuf }))];
  const seen = fast.map(async (events) => {
    const numbers: number[] = [];
    for await (const { object } of events) {
      numbers.push(Number(object.data.n));
      if (numbers.length === updates) break;
    }
    return numbers;
  });
  const padding = "x".repeat(200_000);
  for (let n = 1; n <= updates; n++) {
    const answer = await api.put(`${maps}/large`, {
      metadata: { name: "large" },
      data: { n: String(n), padding },
    });
    expect(answer.status).toBe(200);
  }
  const expected = Array.from({ length: updates }, (_, index) => index + 1);
  expect(await Promise.all(seen)).toEqual([expected, expected]);

  // Data already on its way may be read; the rest never comes.
  let bytes = 0;
  slow.on("data", (piece: Buffer) => {
    bytes += piece.length;
  });
  slow.resume();
  await new Promise((resolve) => slow.once("close", resolve));
  expect(bytes).toBeLessThan(updates * padding.length);
});

/** A watch on a connection of its own, whose answer has begun. */
function rawWatch(path: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: "127.0.0.1", port: server.port, ...api.tls, ALPNProtocols: ["http/1.1"] },
      () => socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
    );
    socket.once("data", () => resolve(socket));
    socket.once("error", reject);
  });
}
