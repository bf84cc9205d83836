import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { AnswerReceiver, PassedRequest } from "./answer-receiver.js";

/** Until a server says how many it takes, and when it says more. */
const streamsMax = 100;
/** Of each stream: what a client that reads slowly may leave waiting here. */
const windowBytes = 256 * 1024;
const sessionWindowBytes = 16 * 1024 * 1024;

/** HTTP/2 connections to one server. Each carries many requests; another is opened when all are full. */
export class Http2Sessions {
  readonly #connect: () => Promise<TLSSocket>;
  readonly #sessions = new Set<ClientHttp2Session>();
  readonly #streams = new WeakMap<ClientHttp2Session, number>();
  #connecting: Promise<void> | undefined;

  /** `connect` opens connections that speak HTTP/2. */
  constructor(connectSecurely: () => Promise<TLSSocket>) {
    this.#connect = connectSecurely;
  }

  /** Rejects with what went wrong, or with the signal's reason. */
  async stream(request: PassedRequest, receiver: AnswerReceiver): Promise<void> {
    const session = await this.#take();
    try {
      if (request.signal.aborted) throw request.signal.reason;
      await exchange(session, request, receiver);
    } finally {
      this.#streams.set(session, this.#streamsOf(session) - 1);
    }
  }

  /** Uses a connection that stands. */
  adopt(socket: TLSSocket): void {
    const session = connect("https://server", {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
    });
    const forget = (): void => void this.#sessions.delete(session);
    session.on("connect", () => session.setLocalWindowSize(sessionWindowBytes));
    session.on("goaway", forget);
    session.on("close", forget);
    // Its streams are told.
    session.on("error", forget);
    this.#sessions.add(session);
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  /** A connection with one request more. */
  async #take(): Promise<ClientHttp2Session> {
    for (;;) {
      for (const session of this.#sessions) {
        const { maxConcurrentStreams = streamsMax } = session.remoteSettings ?? {};
        const streams = this.#streamsOf(session);
        if (session.closed || session.destroyed || streams >= Math.min(streamsMax, maxConcurrentStreams))
          continue;
        this.#streams.set(session, streams + 1);
        return session;
      }
      this.#connecting ??= this.#connect()
        .then((socket) => this.adopt(socket))
        .finally(() => {
          this.#connecting = undefined;
        });
      await this.#connecting;
    }
  }

  #streamsOf(session: ClientHttp2Session): number {
    return this.#streams.get(session) ?? 0;
  }
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
    stream.on("response", (answered) => {
      const { ":status": status = 502, ...others } = answered;
      receiver.begin(status, others as Record<string, string | string[]>); // names that begin with a colon are gone
    });
    stream.on("data", (piece: Buffer) => {
      if (receiver.write(piece)) return;
      stream.pause();
      void receiver.drained().then(() => stream.resume());
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
