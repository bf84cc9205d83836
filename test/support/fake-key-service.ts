import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { WireReader } from "../../src/storage/grpc/wire-reader.js";
import { WireWriter } from "../../src/storage/grpc/wire-writer.js";

export type KeyServiceMethod = "Version" | "Encrypt" | "Decrypt";

/** A key management service of v1beta1, gRPC on a Unix socket, that a test controls through its fields. */
export interface FakeKeyService {
  /** For the configuration file: `unix:///…`. */
  readonly endpoint: string;
  /** Requests, in order. Tests may clear it. */
  readonly calls: KeyServiceMethod[];
  /** The answer of `Version`. */
  version: string;
  /** The message with which `Encrypt` and `Decrypt` fail. */
  failure: string | undefined;
  /** Accepts calls and answers none. */
  silent: boolean;
  /** Resolves once the socket accepts connections. Also restarts after `stop`. */
  start(): Promise<void>;
  /** Cuts all connections, as the death of the process would, and removes the socket. */
  stop(): Promise<void>;
}

const service = "/v1beta1.KeyManagementService/";
const payloadField = 2;
const answerField = 1;

/** Not started yet. */
export function createFakeKeyService(socket: string): FakeKeyService {
  let server: Http2Server | undefined;
  const sessions = new Set<ServerHttp2Session>();
  const fake: FakeKeyService = {
    endpoint: `unix://${socket}`,
    calls: [],
    version: "v1beta1",
    failure: undefined,
    silent: false,
    async start() {
      server = createServer();
      server.on("session", (session) => {
        sessions.add(session);
        session.on("close", () => sessions.delete(session));
      });
      server.on("stream", (stream, headers) => {
        const chunks: Buffer[] = [];
        stream.on("error", () => undefined); // a client that gave up
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => answer(stream, String(headers[":path"]), Buffer.concat(chunks)));
      });
      server.listen(socket);
      await once(server, "listening");
    },
    async stop() {
      const closing = server;
      server = undefined;
      if (closing === undefined) return;
      for (const session of sessions) session.destroy();
      closing.close();
      await once(closing, "close");
      rmSync(socket, { force: true });
    },
  };

  function answer(stream: ServerHttp2Stream, path: string, frame: Buffer): void {
    const method = methodOf(path);
    fake.calls.push(method);
    if (fake.silent || stream.destroyed) return;
    const { version, payload } = readRequest(frame);
    if (version !== "v1beta1") {
      respond(stream, { status: 3, message: `asked in version ${JSON.stringify(version)}` });
    } else if (method === "Version") {
      const writer = new WireWriter();
      writer.string(answerField, fake.version);
      respond(stream, { frame: writer.frame() });
    } else if (fake.failure !== undefined) {
      respond(stream, { status: 2, message: fake.failure });
    } else {
      const writer = new WireWriter();
      writer.bytes(answerField, turned(payload));
      respond(stream, { frame: writer.frame() });
    }
  }

  return fake;
}

/** "Encryption" and its inverse: inverts every bit. */
function turned(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 255));
}

function methodOf(path: string): KeyServiceMethod {
  for (const method of ["Version", "Encrypt", "Decrypt"] as const) {
    if (path === service + method) return method;
  }
  throw new Error(`no method ${path}`);
}

function readRequest(frame: Buffer): { version: string; payload: Buffer } {
  const reader = new WireReader(frame.subarray(5));
  let version = "";
  let payload = Buffer.alloc(0);
  while (reader.next()) {
    if (reader.field === payloadField) payload = Buffer.from(reader.bytes());
    else version = reader.string();
  }
  return { version, payload };
}

function respond(
  stream: ServerHttp2Stream,
  answer: { readonly frame: Buffer } | { readonly status: number; readonly message: string },
): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => {
    stream.sendTrailers(
      "frame" in answer
        ? { "grpc-status": "0" }
        : { "grpc-status": String(answer.status), "grpc-message": encodeURIComponent(answer.message) },
    );
  });
  if ("frame" in answer) stream.write(answer.frame);
  stream.end();
}
