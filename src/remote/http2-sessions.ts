import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import { asError } from "../apimachinery/errors/as-error.js";
import type { AnswerReceiver, PassedRequest } from "./answer-receiver.js";
import { informationalAnswersMax, tooManyInformational } from "./informational-answers.js";
import { unlessAborted } from "./unless-aborted.js";

export interface Http2Times {
  /** How long to wait for the settings of a new connection, and for a server that allows no requests at the moment. */
  readonly waitMs: number;
  /** Time between two checks of a connection. One without requests since the last check is closed. */
  readonly checkMs: number;
  /** How long a connection may take to answer a ping, which is sent with each check. */
  readonly pingMs: number;
}

const usualTimes: Http2Times = { waitMs: 10_000, checkMs: 30_000, pingMs: 15_000 };
/** Per connection, even if a server allows more. */
const streamsMax = 100;
/** Per stream: how much may be buffered here for a slow client. */
const windowBytes = 256 * 1024;
const sessionWindowBytes = 16 * 1024 * 1024;

/**
 * HTTP/2 connections to one server. Each carries many requests. A request opens at most one connection, when all are full: there are never
 * more connections than requests, however few a server allows on each, and whatever it does to them.
 */
export class Http2Sessions {
  readonly #connect: () => Promise<TLSSocket>;
  readonly #times: Http2Times;
  readonly #connections = new Set<Connection>();
  /** Requests that wait until a connection takes more. */
  readonly #waiting = new Set<() => void>();
  #opening: Promise<Connection> | undefined;
  #isClosed = false;

  /** `connectSecurely` opens connections that speak HTTP/2. */
  constructor(connectSecurely: () => Promise<TLSSocket>, times: Http2Times = usualTimes) {
    this.#connect = connectSecurely;
    this.#times = times;
  }

  /** Rejects with what went wrong, or with the signal's reason. */
  async stream(request: PassedRequest, receiver: AnswerReceiver): Promise<void> {
    const connection = this.#free() ?? (await this.#take(request.signal));
    try {
      if (request.signal.aborted) throw request.signal.reason;
      await exchange(connection.session, request, receiver);
    } finally {
      connection.release();
    }
  }

  /** Uses an open connection. Resolves when the server has said how many requests it takes. */
  async adopt(socket: TLSSocket): Promise<Connection> {
    const connection = new Connection(socket, this.#times, () => this.#changed());
    this.#connections.add(connection);
    await connection.ready;
    return connection;
  }

  close(): void {
    this.#isClosed = true;
    for (const { session } of this.#connections) session.destroy();
    this.#changed();
  }

  /** A connection with one more request counted; undefined when all are full. */
  #free(): Connection | undefined {
    for (const connection of this.#connections) if (connection.take()) return connection;
    return undefined;
  }

  async #take(signal: AbortSignal): Promise<Connection> {
    for (;;) {
      if (this.#isClosed) throw new Error("the client is closed");
      const free = this.#free();
      if (free !== undefined) return free;
      if (this.#opening !== undefined) {
        await unlessAborted(this.#opening, signal);
      } else if (this.#allowsNone()) {
        await this.#change(signal);
      } else {
        this.#opening = this.#connect()
          .then((socket) => this.adopt(socket))
          .finally(() => {
            this.#opening = undefined;
          });
        const connection = await unlessAborted(this.#opening, signal);
        if (connection.take()) return connection;
        if (connection.isOver) throw disconnected("the server closed its connection");
      }
    }
  }

  /** Whether an idle connection accepts no requests: then a new one would not either. */
  #allowsNone(): boolean {
    for (const { requests, isOver } of this.#connections) if (requests === 0 && !isOver) return true;
    return false;
  }

  /** Resolves when a connection may take more. */
  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(changed);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const changed = (): void => {
        end();
        resolve();
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error("the server allows no requests on its connections"));
      }, this.#times.waitMs);
      this.#waiting.add(changed);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #changed(): void {
    for (const connection of this.#connections) if (connection.isOver) this.#connections.delete(connection);
    for (const each of [...this.#waiting]) each();
  }
}

class Connection {
  readonly session: ClientHttp2Session;
  /** Rejects when the connection ends before that, or the server takes too long. */
  readonly ready: Promise<void>;
  readonly #changed: () => void;
  readonly #times: Http2Times;
  readonly #timer: NodeJS.Timeout;
  #requests = 0;
  #isReady = false;
  #wasUsed = true;

  /** `changed` is called when it may take more requests, and when it takes no more. */
  constructor(socket: TLSSocket, times: Http2Times, changed: () => void) {
    this.#times = times;
    this.#changed = changed;
    this.session = connect("https://server", {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
    });
    const { session } = this;
    session.on("connect", () => session.setLocalWindowSize(sessionWindowBytes));
    session.on("goaway", changed);
    this.ready = this.#settled(times.waitMs);
    session.on("remoteSettings", changed);
    this.#timer = setInterval(() => this.#check(), times.checkMs).unref();
    session.on("close", () => {
      clearInterval(this.#timer);
      changed();
    });
  }

  get requests(): number {
    return this.#requests;
  }

  get isOver(): boolean {
    return this.session.closed || this.session.destroyed;
  }

  /** Counts one more request, if the server allows it. */
  take(): boolean {
    const { maxConcurrentStreams = streamsMax } = this.session.remoteSettings;
    if (!this.#isReady || this.isOver || this.#requests >= Math.min(streamsMax, maxConcurrentStreams))
      return false;
    this.#requests++;
    this.#wasUsed = true;
    return true;
  }

  release(): void {
    this.#requests--;
    this.#changed();
  }

  #settled(waitMs: number): Promise<void> {
    const { session } = this;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => session.destroy(disconnected("the server does not speak HTTP/2 on its connection")),
        waitMs,
      );
      session.once("remoteSettings", () => {
        clearTimeout(timer);
        this.#isReady = true;
        resolve();
      });
      // Its streams get the error, too.
      session.on("error", reject);
      session.once("close", () => {
        clearTimeout(timer);
        reject(disconnected("the server closed its connection"));
      });
    });
  }

  /** Packets to a machine that has disappeared vanish. Without a ping, every new request would wait for its deadline here. */
  #check(): void {
    const { session } = this;
    if (this.isOver) return;
    if (this.#requests === 0 && !this.#wasUsed) {
      session.close();
      return;
    }
    this.#wasUsed = false;
    const timer = setTimeout(
      () => session.destroy(disconnected("the server no longer answers on its connection")),
      this.#times.pingMs,
    ).unref();
    session.ping(() => clearTimeout(timer));
  }
}

/** A failure after which a read may be repeated over another connection. */
function disconnected(message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_HTTP2_SESSION_ERROR" });
}

function exchange(
  session: ClientHttp2Session,
  { method, target, headers, body, signal }: PassedRequest,
  receiver: AnswerReceiver,
): Promise<void> {
  const { host, ...rest } = headers;
  const named: OutgoingHttpHeaders = { ":method": method, ":path": target, ":scheme": "https" };
  for (const [name, value] of Object.entries(rest)) {
    named[name] = typeof value === "string" ? value : [...value];
  }
  if (typeof host === "string") named[":authority"] = host;
  return new Promise((resolve, reject) => {
    const stream: ClientHttp2Stream = session.request(named, { endStream: body === undefined });
    let isComplete = false;
    const onAbort = (): void => {
      reject(signal.reason);
      stream.close(constants.NGHTTP2_CANCEL);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    let announced = 0;
    stream.on("headers", () => {
      if (++announced > informationalAnswersMax) stream.destroy(new Error(tooManyInformational));
    });
    stream.on("response", (answered) => {
      const { ":status": status = 502, ...others } = answered;
      try {
        receiver.begin(status, others as Record<string, string | string[]>); // names that begin with a colon are gone
      } catch (error) {
        // An answer that the receiver cannot pass on.
        return void stream.destroy(asError(error));
      }
      void passBody(stream, receiver);
    });
    stream.on("end", () => {
      isComplete = !stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR;
    });
    stream.on("error", reject);
    stream.on("close", () => {
      signal.removeEventListener("abort", onAbort);
      body?.destroy();
      if (isComplete) resolve();
      else reject(Object.assign(new Error("stream closed"), { code: "ERR_HTTP2_STREAM_ERROR" }));
    });
    body?.on("error", (error) => stream.destroy(error)).pipe(stream);
  });
}

/** Passes on everything that has arrived as one piece, however small the server's frames are. */
async function passBody(stream: ClientHttp2Stream, receiver: AnswerReceiver): Promise<void> {
  try {
    for await (const piece of stream) if (!receiver.write(piece)) await receiver.drained();
  } catch {
    // The `close` event reports it.
  }
}
