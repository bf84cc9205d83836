import { once } from "node:events";
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Stream,
} from "node:http2";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../time/clock.js";
import { callStreaming, callUnary, type GrpcFailure, grpcStatus } from "./grpc-call.js";
import { WireWriter } from "./wire-writer.js";

let server: Http2Server;
let session: ClientHttp2Session;
let handle: (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void;

beforeEach(async () => {
  server = createServer();
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    handle(stream, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
});

afterEach(async () => {
  session.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const call = (timeoutMs = 5000): Promise<Buffer> =>
  callUnary({ session, method: "/a.B/C", frame: frameOf("question"), clock: systemClock, timeoutMs });

function frameOf(text: string): Buffer {
  const writer = new WireWriter(16);
  writer.string(1, text);
  return writer.frame();
}

const messageOf = (text: string): string => frameOf(text).subarray(5).toString();

/** Answers with these pieces and then the trailers. */
function answer(
  stream: ServerHttp2Stream,
  pieces: readonly Buffer[],
  trailers: Record<string, string>,
): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  for (const piece of pieces) stream.write(piece);
  stream.end();
}

test("an answer that is longer than allowed fails, and is read no further", async () => {
  let closed: Promise<unknown> | undefined;
  handle = (stream) => {
    closed = once(stream, "close");
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    const more = (): void => {
      if (!stream.destroyed) stream.write(Buffer.alloc(16_384), () => setImmediate(more));
    };
    more();
  };
  const failed = callUnary({
    session,
    method: "/a.B/C",
    frame: frameOf("question"),
    clock: systemClock,
    timeoutMs: 60_000,
    answerBytesMax: 100_000,
  });
  await expect(failed).rejects.toMatchObject({
    status: grpcStatus.resourceExhausted,
    message: "the answer is longer than 100000 bytes",
  });
  await closed;
});

test("a call sends one framed message and its deadline, and takes one back", async () => {
  const received: Buffer[] = [];
  let seen: Record<string, unknown> = {};
  handle = (stream, headers) => {
    seen = headers;
    stream.on("data", (chunk: Buffer) => received.push(chunk));
    stream.on("end", () => {
      const frame = frameOf("answer");
      answer(stream, [frame.subarray(0, 3), frame.subarray(3)], { "grpc-status": "0" });
    });
  };
  expect((await call(1234)).toString()).toBe(messageOf("answer"));
  expect(Buffer.concat(received)).toEqual(frameOf("question"));
  expect(seen).toMatchObject({
    ":method": "POST",
    ":path": "/a.B/C",
    "content-type": "application/grpc",
    te: "trailers",
    "grpc-timeout": "1234m",
  });
});

test("an error comes in the trailers, or in the headers alone, with its text decoded", async () => {
  const status = { "grpc-status": "11", "grpc-message": "too%20old%2C %E2%82%AC" };
  handle = (stream) => answer(stream, [], status);
  await expect(call()).rejects.toMatchObject({ status: 11, message: "too old, €", notApplied: false });
  handle = (stream) => stream.respond({ ":status": 200, ...status }, { endStream: true });
  await expect(call()).rejects.toMatchObject({ status: 11, message: "too old, €", lostConnection: false });
});

test("what is not gRPC is an error", async () => {
  handle = (stream) => {
    stream.respond({ ":status": 404 });
    stream.end("not found");
  };
  await expect(call()).rejects.toMatchObject({ status: grpcStatus.unknown });
  handle = (stream) => answer(stream, [Buffer.from("abc")], { "grpc-status": "0" });
  await expect(call()).rejects.toMatchObject({ status: grpcStatus.internal });
  handle = (stream) => answer(stream, [frameOf("one"), frameOf("two")], { "grpc-status": "0" });
  await expect(call()).rejects.toMatchObject({ status: grpcStatus.internal });
});

test("a refused stream was surely not applied, a reset one maybe was", async () => {
  handle = (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM);
  await expect(call()).rejects.toMatchObject({ status: grpcStatus.unavailable, notApplied: true });
  handle = (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  await expect(call()).rejects.toMatchObject({ status: grpcStatus.unavailable, notApplied: false });
  handle = (stream) => stream.session?.destroy();
  await expect(call()).rejects.toMatchObject({ notApplied: false, lostConnection: true });
  await expect(call()).rejects.toMatchObject({ notApplied: true, lostConnection: true });
});

test("a call that waits for a connection which never comes was surely not applied", async () => {
  const waiting = connect("http://127.0.0.1:1");
  waiting.on("error", () => undefined);
  const { clock, frame } = { clock: systemClock, frame: frameOf("question") };
  await expect(
    callUnary({ session: waiting, method: "/a.B/C", frame, clock, timeoutMs: 5000 }),
  ).rejects.toMatchObject({ notApplied: true, lostConnection: true });
});

test("a call without an answer ends at its deadline, and the server is told", async () => {
  const told = new Promise<number | undefined>((resolve) => {
    handle = (stream) => stream.on("close", () => resolve(stream.rstCode));
  });
  await expect(call(50)).rejects.toMatchObject({ status: grpcStatus.deadlineExceeded, notApplied: false });
  expect(await told).toBe(constants.NGHTTP2_CANCEL);
});

test("a stream's messages arrive whole, however they were cut", async () => {
  const texts = Array.from({ length: 40 }, (_, index) => "x".repeat(index * 7));
  const bytes = Buffer.concat(texts.map(frameOf));
  const ended = new Promise<GrpcFailure | undefined>((resolve) => {
    handle = (stream) => {
      const pieces: Buffer[] = [];
      for (let start = 0, size = 1; start < bytes.length; start += size, size = (size * 7) % 31) {
        pieces.push(bytes.subarray(start, start + size));
      }
      answer(stream, pieces, { "grpc-status": "14", "grpc-message": "bye" });
    };
    const received: string[] = [];
    callStreaming(
      session,
      "/a.B/D",
      { hasleader: "true" },
      {
        onMessage: (message) => received.push(message.toString()),
        onEnd: (failure) => {
          expect(received).toEqual(texts.map(messageOf));
          resolve(failure);
        },
      },
    );
  });
  expect(await ended).toMatchObject({ status: 14, message: "bye" });
});

test("a stream says what it is given, until it is canceled", async () => {
  const received: Buffer[] = [];
  handle = (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.on("data", (chunk: Buffer) => {
      received.push(chunk);
      stream.write(frameOf("echo"));
    });
    stream.on("error", () => undefined);
  };
  const ended = new Promise<GrpcFailure | undefined>((resolve) => {
    let messages = 0;
    const stream = callStreaming(
      session,
      "/a.B/D",
      {},
      {
        onMessage: () => {
          messages += 1;
          if (messages < 3) stream.send(frameOf("more"));
          else stream.cancel();
        },
        onEnd: resolve,
      },
    );
    stream.send(frameOf("first"));
  });
  expect(await ended).toMatchObject({ status: grpcStatus.canceled });
  expect(Buffer.concat(received)).toEqual(
    Buffer.concat([frameOf("first"), frameOf("more"), frameOf("more")]),
  );
});
