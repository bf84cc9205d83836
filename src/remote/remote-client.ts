import type { Duplex, Readable } from "node:stream";
import type { SecureContext } from "node:tls";
import type { buildConnector, Dispatcher, Pool } from "undici";
import { type ClientIdentity, noIdentity, type ServerConfig } from "./client-config.js";
import { describeFailure, methodWord, RemoteError, toRemoteError } from "./remote-error.js";
import { trustIn } from "./trust-in.js";

/** Opens the connection that carries TLS, through a proxy for example. */
export type Dial = (
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<Duplex>;

export interface RemoteClientOptions {
  readonly server: ServerConfig;
  readonly identity?: ClientIdentity | undefined;
  readonly dial?: Dial | undefined;
  /** Maximum number of connections; further calls wait for one, within their own time. Default: 64. Infinity for no limit. */
  readonly connectionsMax?: number | undefined;
}

export interface RemoteRequest {
  readonly method: string;
  /** Added to the path of the server's URL. Undefined for that path itself, with single slashes and none at its end, as client-go asks. */
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | string | undefined;
  /** For the whole call: connecting, sending, and reading the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** A larger answer is a failure. */
  readonly answerBytesMax: number;
  /**
   * Repeating the call is harmless: a connection that turns out closed before any answer came is replaced once. Reads are always
   * repeated.
   */
  readonly idempotent?: boolean | undefined;
}

export interface RemoteAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request whose body and answer pass through as they come. */
export interface StreamedRequest {
  readonly method: string;
  /** Path and query, as they are sent; the path of the server's URL is not added. */
  readonly target: string;
  /** Names in lower case. Those of the client's identity are not added. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Readable | undefined;
  /** Ends the request, and its answer. */
  readonly signal: AbortSignal;
}

/** Takes an answer as it comes. */
export interface AnswerReceiver {
  /** Called once, first. Names are in lower case. */
  begin(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void;
  /** False asks to wait for `drained`. */
  write(piece: Uint8Array): boolean;
  drained(): Promise<void>;
}

const connectionsMaxDefault = 64;
/** Also for calls with a longer timeout: a server that accepts no connections is down. */
const connectMsMax = 10_000;

/**
 * Calls to one server over pooled connections (HTTP/2 where the server supports it). Any status is an answer; a call without an answer
 * rejects with `RemoteError`.
 */
export class RemoteClient {
  readonly #options: RemoteClientOptions;
  /** The library takes a while to load: load it on the first call. */
  #pool: Promise<Pool> | undefined;
  readonly #closing = new AbortController();

  constructor(options: RemoteClientOptions) {
    this.#options = options;
  }

  async request(request: RemoteRequest): Promise<RemoteAnswer> {
    const url = urlOf(this.#options.server.url, request);
    if (this.#closing.signal.aborted) throw new RemoteError("aborted", "the client is closed");
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = AbortSignal.any([
      timeout,
      this.#closing.signal,
      ...(request.signal === undefined ? [] : [request.signal]),
    ]);
    // The library does not release a call whose connection is still being made.
    const attempt = (): Promise<RemoteAnswer> => unlessAborted(this.#send(request, url, signal), signal);
    try {
      return await attempt().catch((error: unknown) => {
        if (signal.aborted || !mayAskAgain(request) || !wasDisconnected(error, request.method, url))
          throw error;
        return attempt();
      });
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      const what = `${methodWord(request.method)} ${JSON.stringify(url.origin + url.pathname)}`;
      if (timeout.aborted) {
        throw new RemoteError("timeout", `${what}: context deadline exceeded`, { cause: error });
      }
      if (signal.aborted) throw new RemoteError("aborted", `${what}: context canceled`, { cause: error });
      throw toRemoteError(error, request.method, url);
    }
  }

  /**
   * Passes an answer on as it comes; resolves at its end. Rejects with a `RemoteError` that does not name the request, or with the
   * signal's reason, whether or not the answer has begun. A read is asked again on a new connection when an idle one turns out closed.
   */
  async stream(request: StreamedRequest, receiver: AnswerReceiver): Promise<void> {
    const { method, signal, body } = request;
    const url = this.#options.server.url;
    if (this.#closing.signal.aborted) throw new RemoteError("aborted", "the client is closed");
    const pool = await this.#connections();
    let hasBegun = false;
    const observed: AnswerReceiver = {
      begin(status, headers) {
        hasBegun = true;
        receiver.begin(status, headers);
      },
      write: (piece) => receiver.write(piece),
      drained: () => receiver.drained(),
    };
    try {
      await dispatch(pool, request, observed).catch((error: unknown) => {
        const mayAskAgainNow = !hasBegun && !signal.aborted && body === undefined && mayAskAgain({ method });
        if (!mayAskAgainNow || !wasDisconnected(error, method, url)) throw error;
        return dispatch(pool, request, observed);
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof RemoteError) throw error;
      const { failure, cause } = describeFailure(error, url);
      throw new RemoteError(failure, cause, { cause: error });
    }
  }

  /** Finishes current calls, then closes connections. No call may follow. */
  async retire(): Promise<void> {
    await (await this.#openedPool())?.close();
  }

  /** Aborts current calls and closes connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await (await this.#openedPool())?.destroy();
  }

  async #send(request: RemoteRequest, url: URL, signal: AbortSignal): Promise<RemoteAnswer> {
    const pool = await this.#connections();
    const answer = await pool.request({
      path: url.pathname + url.search,
      // The library takes any token.
      method: request.method as Dispatcher.HttpMethod,
      headers: this.#headers(request),
      body: request.body ?? null,
      signal,
    });
    const body = await readBounded(answer.body, request, url);
    return { status: answer.statusCode, headers: answer.headers, body };
  }

  #headers(request: RemoteRequest): string[] {
    const { authorization, impersonation } = this.#options.identity ?? noIdentity;
    const headers: string[] = [];
    if (authorization !== undefined) headers.push("Authorization", authorization);
    for (const [name, value] of impersonation) headers.push(name, value);
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.push(name, value);
    return headers;
  }

  /** Undefined when none was needed, or none could be made. */
  async #openedPool(): Promise<Pool | undefined> {
    return await this.#pool?.catch(() => undefined);
  }

  #connections(): Promise<Pool> {
    this.#pool ??= this.#createPool();
    return this.#pool;
  }

  async #createPool(): Promise<Pool> {
    const [{ Pool: PoolClass, buildConnector: build }, secureContext] = await Promise.all([
      import("undici"),
      this.#secureContext(),
    ]);
    const { server, dial, connectionsMax = connectionsMaxDefault } = this.#options;
    const connector = build({
      allowH2: true,
      ...(server.insecure && { rejectUnauthorized: false }),
      // Reading certificates takes longer than the rest of a connection: all connections share what was read.
      secureContext,
      timeout: connectMsMax,
    });
    const { serverName } = server;
    // The library goes by the Host header, which says nothing about whose certificate to expect.
    const straight: buildConnector.connector =
      serverName === undefined
        ? connector
        : (options, callback) => connector({ ...options, servername: serverName }, callback);
    return new PoolClass(server.url.origin, {
      allowH2: true,
      connections: connectionsMax === Number.POSITIVE_INFINITY ? null : connectionsMax,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: dial === undefined ? straight : dialled(straight, dial, this.#closing.signal),
    });
  }

  async #secureContext(): Promise<SecureContext> {
    const { createSecureContext } = await import("node:tls");
    const { server, identity } = this.#options;
    const certificate = identity?.certificate;
    return createSecureContext({
      ...trustIn(server.caPem),
      ...(certificate !== undefined && { cert: certificate.certPem, key: certificate.keyPem }),
    });
  }
}

/** Rejects with the library's error, or the signal's reason. */
function dispatch(
  pool: Pool,
  { method, target, headers, body, signal }: StreamedRequest,
  receiver: AnswerReceiver,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    const onAbort = (): void => {
      reject(signal.reason);
      controller?.abort(asError(signal.reason));
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    const forget = (): void => signal.removeEventListener("abort", onAbort);
    pool.dispatch(
      {
        path: target,
        method: method as Dispatcher.HttpMethod, // the library takes any token
        headers: headers as Record<string, string | string[]>, // which it does not change
        body: body ?? null,
      },
      {
        onRequestStart(started) {
          controller = started;
          if (signal.aborted) started.abort(asError(signal.reason));
        },
        onResponseStart(_controller, status, answered) {
          if (status >= 200) receiver.begin(status, answered);
        },
        onResponseData(started, piece) {
          if (receiver.write(piece)) return;
          started.pause();
          void receiver.drained().then(() => started.resume());
        },
        onResponseEnd() {
          forget();
          resolve();
        },
        onResponseError(_controller, error) {
          forget();
          reject(error);
        },
      },
    );
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** A connector that uses connections opened by `dial`. */
function dialled(
  straight: buildConnector.connector,
  dial: Dial,
  signal: AbortSignal,
): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
    dial({ host: options.hostname.replace(/^\[|\]$/g, ""), port }, signal).then(
      (connection) => {
        // Any duplex stream works for TLS and plain requests; the library's types require sockets.
        const socket = connection as import("node:net").Socket;
        if (options.protocol === "https:") straight({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

async function readBounded(
  body: AsyncIterable<Buffer> & { destroy(error?: Error): unknown },
  { method, answerBytesMax }: RemoteRequest,
  url: URL,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > answerBytesMax) {
      body.destroy();
      const what = `${methodWord(method)} ${JSON.stringify(url.origin + url.pathname)}`;
      throw new RemoteError("too-large", `${what}: the answer is longer than ${answerBytesMax} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes);
}

function urlOf(base: URL, { path, query }: RemoteRequest): URL {
  const url = new URL(base);
  if (path !== undefined) url.pathname = `${base.pathname.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;
  else url.pathname = base.pathname.split("/").filter(Boolean).join("/");
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return url;
}

function mayAskAgain({ method, idempotent }: Pick<RemoteRequest, "method" | "idempotent">): boolean {
  return idempotent ?? (method === "GET" || method === "HEAD");
}

function wasDisconnected(error: unknown, method: string, url: URL): boolean {
  return toRemoteError(error, method, url).failure === "disconnected";
}
