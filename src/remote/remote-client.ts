import type { Duplex } from "node:stream";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { currentSpan } from "../telemetry/span.js";
import { type ClientIdentity, noIdentity, type ServerConfig } from "./client-config.js";
import { methodWord, RemoteError, toRemoteError } from "./remote-error.js";
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
  /**
   * Maximum number of connections; further calls wait for one, within their own time. Over HTTP/2 one carries many calls.
   */
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
  #agent: Promise<Agent> | undefined;
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
    const traceHeaders = currentSpan()?.headers();
    // The library does not release a call whose connection is still being made.
    const attempt = (): Promise<RemoteAnswer> =>
      unlessAborted(
        this.#send({ ...request, headers: { ...request.headers, ...traceHeaders } }, url, signal),
        signal,
      );
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

  /** Finishes current calls, then closes connections. No call may follow. */
  async retire(): Promise<void> {
    await (await this.#agent)?.close();
  }

  /** Aborts current calls and closes connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await (await this.#agent)?.destroy();
  }

  async #send(request: RemoteRequest, url: URL, signal: AbortSignal): Promise<RemoteAnswer> {
    this.#agent ??= this.#createAgent();
    const agent = await this.#agent;
    const answer = await agent.request({
      origin: url.origin,
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

  async #createAgent(): Promise<Agent> {
    const { Agent: AgentClass, buildConnector: build } = await import("undici");
    const { server, identity, dial, connectionsMax } = this.#options;
    const certificate = identity?.certificate;
    const straight = build({
      allowH2: true,
      ...trustIn(server.caPem),
      ...(server.serverName !== undefined && { servername: server.serverName }),
      ...(server.insecure && { rejectUnauthorized: false }),
      ...(certificate !== undefined && { cert: certificate.certPem, key: certificate.keyPem }),
      timeout: connectMsMax,
    });
    return new AgentClass({
      allowH2: true,
      connections: connectionsMax ?? connectionsMaxDefault,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: dial === undefined ? straight : dialled(straight, dial, this.#closing.signal),
    });
  }
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

function mayAskAgain({ method, idempotent }: RemoteRequest): boolean {
  return idempotent ?? (method === "GET" || method === "HEAD");
}

function wasDisconnected(error: unknown, method: string, url: URL): boolean {
  return toRemoteError(error, method, url).failure === "disconnected";
}
