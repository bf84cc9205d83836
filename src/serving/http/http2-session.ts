import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import type { Connection } from "./connection.js";
import type { ConnectionLimits } from "./connection-limits.js";
import { Http2Exchange } from "./http2-exchange.js";
import { IdleTimer } from "./idle-timer.js";
import { PeerCheck } from "./peer-check.js";
import { headerLinesMax } from "./request-rules.js";
import type { RequestTurns } from "./request-turns.js";
import { StrayBytes } from "./stray-bytes.js";

/** Limits besides the time limits. */
export interface SessionLimits extends ConnectionLimits {
  readonly headerBytesMax: number;
  readonly streamsMax: number;
}

const uploadWindows = { streamBytes: 256 * 1024, connectionBytes: 4 * 1024 * 1024 };
/** Requests already in flight may arrive between the two GOAWAY frames (RFC 9113 §6.8). */
const goAwayPauseMs = 100;
/** After GOAWAY: how long a client may take to close once it has all answers, or be silent while it waits for one. */
const partingMs = 5_000;

/** HTTP/2 on a connection that negotiated it. */
export class Http2Session {
  readonly #connection: Connection;
  readonly #session: ServerHttp2Session;
  readonly #strayBytes: StrayBytes;
  readonly #strayBytesPerSecondMax: number;
  #isParting = false;

  constructor(
    connection: Connection,
    limits: SessionLimits,
    turns: RequestTurns,
    onExchange: (exchange: Http2Exchange) => void,
  ) {
    const { socket } = connection;
    const session = performServerHandshake(socket, sessionOptions(limits));
    this.#connection = connection;
    this.#session = session;
    const strayBytes = new StrayBytes(socket, uploadWindows);
    this.#strayBytes = strayBytes;
    this.#strayBytesPerSecondMax = limits.strayBytesPerSecondMax;
    // A broken or hostile peer only ends its own session.
    session.on("error", ignore);
    session.on("frameError", ignore);
    session.setLocalWindowSize(uploadWindows.connectionBytes);
    const closeSession = (): void => this.close();
    const idle = new IdleTimer(limits.idleTimeoutMs, closeSession);
    const peer = new PeerCheck(session, socket, limits.silenceTimeoutMs);
    const preface = setTimeout(() => socket.destroy(), limits.headerTimeoutMs);
    session.once("remoteSettings", () => clearTimeout(preface));
    session.once("close", () => {
      clearTimeout(preface);
      idle.stop();
      peer.stop();
    });
    const unfinished = new UnfinishedStreams();
    // Shared by all streams, because a stream's closures, with all that they reference, would outlive the request. The exchange's signal
    // reports a reset; without an error listener, the error would end the process.
    const onClose = function (this: ServedStream): void {
      idle.leave();
      strayBytes.closed(this);
      const exchange = this[exchangeOf];
      this[exchangeOf] = undefined;
      exchange?.closed();
    };
    const onEnd = function (this: ServedStream): void {
      if (this.closed && !this.writableFinished) unfinished.add(this);
    };
    session.on(
      "stream",
      (stream: ServedStream, headers: IncomingHttpHeaders, flags: number, raw?: string[]) => {
        idle.enter();
        strayBytes.count(stream, (flags & constants.NGHTTP2_FLAG_END_STREAM) === 0);
        const exchange = new Http2Exchange(connection, stream, headers, flags, raw ?? [], closeSession);
        stream[exchangeOf] = exchange;
        // Each listener costs half a microsecond, so these three serve all streams.
        stream.on("close", onClose).on("error", ignore).on("end", onEnd);
        const turn = turns.wait(connection.remoteAddress);
        if (turn === undefined) onExchange(exchange);
        else void turn.then(() => beginLate(stream, onExchange));
      },
    );
  }

  onClosed(listener: () => void): void {
    this.#session.once("close", listener);
  }

  /**
   * First announces the shutdown, then names the last stream that will be answered (RFC 9113 §6.8). Closes the connection if the client
   * neither closes it after its last answer nor shows a sign of life while it waits for one.
   */
  close(): void {
    if (this.#isParting) return;
    this.#isParting = true;
    const session = this.#session;
    if (!session.closed && !session.destroyed) {
      session.goaway(0, 2 ** 31 - 1);
      setTimeout(() => {
        if (!session.closed && !session.destroyed) session.close();
      }, goAwayPauseMs);
    }
    const { socket } = this.#connection;
    const peer = new PeerCheck(session, socket, partingMs);
    let wasIdle = false;
    const parting = setInterval(() => {
      const isIdle = this.#connection.requests === 0;
      if (isIdle && wasIdle) socket.destroy();
      wasIdle = isIdle;
    }, partingMs / 2);
    socket.once("close", () => {
      clearInterval(parting);
      peer.stop();
    });
  }

  /** Closes the connection if its client sends too much besides requests. Call it regularly. */
  checkStrayBytes(elapsedMs: number): void {
    if (this.#strayBytes.take() <= (this.#strayBytesPerSecondMax * elapsedMs) / 1000) return;
    this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  cut(): void {
    this.#session.destroy();
  }
}

/** node:http2 keeps a closed stream until the next major garbage collection, so a stream must not reference its request. */
const exchangeOf = Symbol("exchange");

interface ServedStream extends ServerHttp2Stream {
  [exchangeOf]?: Http2Exchange | undefined;
}

/** Starts a request that had to wait for its turn. */
function beginLate(stream: ServedStream, onExchange: (exchange: Http2Exchange) => void): void {
  const exchange = stream[exchangeOf];
  if (exchange !== undefined && !stream.aborted && !stream.closed && !stream.destroyed) onExchange(exchange);
}

function sessionOptions({ headerBytesMax, streamsMax }: SessionLimits): ServerOptions {
  return {
    settings: {
      maxConcurrentStreams: streamsMax,
      initialWindowSize: uploadWindows.streamBytes,
      maxFrameSize: uploadWindows.streamBytes,
      maxHeaderListSize: headerBytesMax,
      enablePush: false,
    },
    maxHeaderListPairs: headerLinesMax,
    maxSendHeaderBlockLength: headerBytesMax,
    // In megabytes. Beyond it new streams are refused, so it must fit the buffers of all allowed streams.
    maxSessionMemory: Math.max(64, streamsMax),
  };
}

/**
 * Streams that ended before their answers were sent. Nearly all finish within this turn of the event loop. When a client cancels its
 * request "without an error", node:http2 ends only the client's side, and would keep the stream and its connection forever. Destroying
 * such streams at once would create an error with a stack for every answer.
 */
class UnfinishedStreams {
  #streams: ServerHttp2Stream[] = [];

  add(stream: ServerHttp2Stream): void {
    if (this.#streams.length === 0) setImmediate(this.#check);
    this.#streams.push(stream);
  }

  readonly #check = (): void => {
    const streams = this.#streams;
    this.#streams = [];
    for (const stream of streams) if (!stream.writableFinished) stream.destroy();
  };
}

function ignore(): void {}
