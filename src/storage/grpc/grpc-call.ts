import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import { GatheredBytes } from "../../apimachinery/collections/gathered-bytes.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { currentSpan } from "../../telemetry/span.js";
import type { Clock } from "../../time/clock.js";
import type { GrpcObserver } from "./grpc-metrics.js";

/** gRPC's status codes that this client distinguishes. */
export const grpcStatus = {
  ok: 0,
  canceled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** The call had no answer, or an error. */
export class GrpcFailure extends Error {
  override readonly name = "GrpcFailure";
  readonly status: number;
  /** Certainly not executed, so it may be retried even if it is not idempotent. */
  readonly notApplied: boolean;
  /** The connection is at fault, not the call. */
  readonly lostConnection: boolean;

  constructor(
    status: number,
    message: string,
    details: {
      readonly notApplied?: boolean;
      readonly lostConnection?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = status;
    this.notApplied = details.notApplied === true;
    this.lostConnection = details.lostConnection === true;
  }
}

const prefixBytes = 5;

/** One request, one response: gRPC's framing directly on HTTP/2. `frame` includes its prefix. Rejects with `GrpcFailure`. */
export function callUnary(options: {
  readonly session: ClientHttp2Session;
  readonly method: string;
  readonly frame: Buffer;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** A larger answer is a failure; unset allows any. */
  readonly answerBytesMax?: number | undefined;
  readonly observer?: GrpcObserver | undefined;
}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const figures = options.observer?.started(options.method, "unary");
    let stream: ClientHttp2Stream;
    try {
      stream = openStream(options.session, options.method, {
        "grpc-timeout": `${Math.max(1, Math.ceil(options.timeoutMs))}m`,
      });
    } catch (cause) {
      const details = { notApplied: true, lostConnection: true, cause };
      figures?.handled(grpcStatus.unavailable);
      reject(
        new GrpcFailure(grpcStatus.unavailable, `no request could be made: ${messageOf(cause)}`, details),
      );
      return;
    }
    const ending = new StreamEnding(stream);
    const answer = new GatheredBytes();
    const { answerBytesMax = Number.POSITIVE_INFINITY } = options;
    stream.on("data", (chunk: Buffer) => {
      if (answer.length + chunk.length <= prefixBytes + answerBytesMax) return answer.add(chunk);
      ending.fail(
        new GrpcFailure(grpcStatus.resourceExhausted, `the answer is longer than ${answerBytesMax} bytes`),
      );
      stream.close(constants.NGHTTP2_CANCEL);
    });
    const cancelTimer = options.clock.schedule(options.timeoutMs, () => {
      ending.fail(new GrpcFailure(grpcStatus.deadlineExceeded, `no answer within ${options.timeoutMs} ms`));
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on("close", () => {
      cancelTimer();
      const failure = ending.failure();
      figures?.handled(failure?.status ?? grpcStatus.ok);
      if (failure !== undefined) {
        reject(failure);
        return;
      }
      figures?.received();
      const body = answer.bytes();
      if (body.length < prefixBytes || body.readUInt32BE(1) !== body.length - prefixBytes || body[0] !== 0) {
        reject(new GrpcFailure(grpcStatus.internal, `an answer of ${body.length} bytes is not one message`));
      } else {
        resolve(body.subarray(prefixBytes));
      }
    });
    stream.end(options.frame);
    figures?.sent();
  });
}

export interface GrpcStreamHandlers {
  readonly onMessage: (message: Buffer) => void;
  /** Called once, whoever ended the stream; with a failure unless the server ended it successfully. */
  readonly onEnd: (failure: GrpcFailure | undefined) => void;
}

/** A bidirectional stream until either side ends it. */
export interface GrpcStream {
  send(frame: Buffer): void;
  /** Pauses delivery after the messages of the current chunk until `resume`; the server is held back. */
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** Throws `GrpcFailure` when the session accepts no more streams. */
export function callStreaming(
  session: ClientHttp2Session,
  method: string,
  headers: Readonly<Record<string, string>>,
  handlers: GrpcStreamHandlers,
  observer?: GrpcObserver | undefined,
): GrpcStream {
  const figures = observer?.started(method, "bidi_stream");
  let stream: ClientHttp2Stream;
  try {
    stream = openStream(session, method, headers);
  } catch (cause) {
    figures?.handled(grpcStatus.unavailable);
    throw new GrpcFailure(grpcStatus.unavailable, `no stream could be opened: ${messageOf(cause)}`, {
      notApplied: true,
      lostConnection: true,
      cause,
    });
  }
  const ending = new StreamEnding(stream);
  const splitter = new MessageSplitter();
  stream.on("data", (chunk: Buffer) => {
    try {
      for (const message of splitter.split(chunk)) {
        figures?.received();
        handlers.onMessage(message);
      }
    } catch (cause) {
      ending.fail(
        new GrpcFailure(grpcStatus.internal, `a message cannot be read: ${messageOf(cause)}`, { cause }),
      );
      stream.close(constants.NGHTTP2_CANCEL);
    }
  });
  stream.on("close", () => {
    const failure = ending.failure();
    figures?.handled(failure?.status ?? grpcStatus.ok);
    handlers.onEnd(failure);
  });
  return {
    send: (frame) => {
      if (stream.closed || stream.destroyed) return;
      stream.write(frame);
      figures?.sent();
    },
    pause: () => {
      stream.pause();
    },
    resume: () => {
      stream.resume();
    },
    cancel: () => {
      ending.fail(new GrpcFailure(grpcStatus.canceled, "canceled"));
      stream.close(constants.NGHTTP2_CANCEL);
    },
  };
}

function openStream(
  session: ClientHttp2Session,
  method: string,
  headers: Readonly<Record<string, string>>,
): ClientHttp2Stream {
  // Node.js 24 returns a stream that fails later, where earlier versions throw.
  if (session.closed || session.destroyed) throw new Error("the connection is closed");
  return session.request(
    {
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: method,
      [constants.HTTP2_HEADER_CONTENT_TYPE]: "application/grpc",
      [constants.HTTP2_HEADER_TE]: "trailers",
      ...currentSpan()?.headers(),
      ...headers,
    },
    { endStream: false },
  );
}

/** Determines how a stream ended: its status comes in the trailers, or in the headers when there is nothing else. */
class StreamEnding {
  readonly #stream: ClientHttp2Stream;
  #status: number | undefined;
  #message = "";
  #failure: GrpcFailure | undefined;
  #error: unknown;

  constructor(stream: ClientHttp2Stream) {
    this.#stream = stream;
    stream.on("response", (headers) => this.#read(headers));
    stream.on("trailers", (headers) => this.#read(headers));
    stream.on("error", (error) => {
      this.#error = error;
    });
  }

  /** Sets the reason if the stream itself cannot report it. */
  fail(failure: GrpcFailure): void {
    this.#failure ??= failure;
  }

  failure(): GrpcFailure | undefined {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#status === grpcStatus.ok) return undefined;
    if (this.#status !== undefined) return new GrpcFailure(this.#status, this.#message);
    // "Refused" means that the server has not processed the request (RFC 9113 §8.7); a stream that never got a number was not sent.
    const { id, rstCode } = this.#stream;
    const notApplied = rstCode === constants.NGHTTP2_REFUSED_STREAM || id === undefined;
    const text = this.#error === undefined ? `the stream was reset (${rstCode})` : messageOf(this.#error);
    return new GrpcFailure(grpcStatus.unavailable, text, {
      notApplied,
      lostConnection: true,
      cause: this.#error,
    });
  }

  #read(headers: IncomingHttpHeaders): void {
    const status = headers["grpc-status"];
    if (typeof status === "string") {
      this.#status = Number(status);
      const message = headers["grpc-message"];
      if (typeof message === "string") this.#message = decodeMessage(message);
      return;
    }
    const httpStatus = Number(headers[":status"]);
    if (httpStatus !== 200 && !Number.isNaN(httpStatus)) {
      this.fail(new GrpcFailure(grpcStatus.unknown, `HTTP status ${httpStatus}: not a gRPC server?`));
    }
  }
}

/** Splits the incoming bytes into messages. */
class MessageSplitter {
  #rest: Buffer[] = [];
  #restBytes = 0;
  #needed = prefixBytes;

  *split(chunk: Buffer): Generator<Buffer> {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    if (this.#restBytes < this.#needed) return;
    let bytes = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest);
    for (;;) {
      this.#needed = bytes.length < prefixBytes ? prefixBytes : prefixBytes + bytes.readUInt32BE(1);
      if (bytes.length < this.#needed) break;
      if (bytes[0] !== 0) throw new RangeError("compressed");
      yield bytes.subarray(prefixBytes, this.#needed);
      bytes = bytes.subarray(this.#needed);
    }
    this.#rest = bytes.length === 0 ? [] : [bytes];
    this.#restBytes = bytes.length;
  }
}

/** gRPC's percent-encoding; malformed text is shown unchanged. */
function decodeMessage(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
