import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import type { buildConnector, Dispatcher, Pool } from "undici";
import { asError } from "../apimachinery/errors/as-error.js";
import { toHeader } from "../apimachinery/requests/header-text.js";
import { currentSpan } from "../telemetry/span.js";
import { type ClientIdentity, noIdentity, type ServerConfig } from "./client-config.js";
import { Destination } from "./destination.js";
import { type RemoteAnswer, RemoteCall, type RemoteRequest } from "./remote-call.js";
import { RemoteError } from "./remote-error.js";
import { tlsTrust } from "./tls-trust.js";

/** Opens the connection that carries TLS, through a proxy for example. */
export type Dial = (
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<Duplex>;

export interface RemoteClientOptions {
  readonly server: ServerConfig;
  readonly identity?: ClientIdentity | undefined;
  readonly dial?: Dial | undefined;
  /** The name by which the server knows this client. Default: none. */
  readonly userAgent?: string | undefined;
  /**
   * Maximum number of connections; further calls wait for one, within their own time. Over HTTP/2 one carries many calls.
   */
  readonly connectionsMax?: number | undefined;
}

const connectionsMaxDefault = 64;
/** Applies to calls with a longer timeout too: a server that accepts no connections is down. */
const connectMsMax = 10_000;
/** After this many calls in a row without an answer in time, the next one uses new connections. */
const lateMax = 3;
/** As many as Kubernetes' client follows. */
const redirectsMax = 10;

/**
 * Calls to one server over pooled connections (HTTP/2 where the server supports it). Any status is an answer; a call without an answer
 * rejects with `RemoteError`.
 */
export class RemoteClient {
  readonly #options: RemoteClientOptions;
  /** Headers that identify this server: a name, its value, the next name, and so on. */
  readonly #identityHeaders: readonly string[];
  readonly #calls = new Set<RemoteCall>();
  /** The library takes a while to load, so it is loaded on the first call. */
  #opening: Promise<Pool> | undefined;
  #pool: Pool | undefined;
  readonly #closing = new AbortController();
  /** How many calls in a row got no answer in time. */
  #late = 0;

  constructor(options: RemoteClientOptions) {
    this.#options = options;
    setMaxListeners(0, this.#closing.signal); // every connection being opened is one
    const { authorization, impersonation } = options.identity ?? noIdentity;
    this.#identityHeaders = [
      ...(options.userAgent === undefined ? [] : ["User-Agent", options.userAgent]),
      ...(authorization === undefined ? [] : ["Authorization", authorization]),
      ...impersonation.flat().map(toHeader),
    ];
  }

  async request(request: RemoteRequest): Promise<RemoteAnswer> {
    const deadline = performance.now() + request.timeoutMs;
    let destination = request.destination ?? new Destination(this.#options.server.url, request);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#ask(request, destination, deadline - performance.now());
      const isFollowed = request.body !== undefined && redirects < redirectsMax;
      const next = isFollowed ? redirectOf(answer, destination) : undefined;
      if (next === undefined) return answer;
      destination = next;
    }
  }

  async #ask(request: RemoteRequest, destination: Destination, timeoutMs: number): Promise<RemoteAnswer> {
    const began = performance.now();
    const first = this.#send(request, destination, timeoutMs);
    try {
      return this.#answered(await first.answer);
    } catch (error) {
      this.#failed(error);
      if (first.isEnded || !mayAskAgain(request) || !wasDisconnected(error)) throw error;
      return await this.#send(request, destination, timeoutMs - (performance.now() - began)).answer;
    }
  }

  #answered(answer: RemoteAnswer): RemoteAnswer {
    this.#late = 0;
    return answer;
  }

  /** Packets to a machine that has disappeared vanish, and a connection may hang: over HTTP/2, every later call would wait there. */
  #failed(error: unknown): void {
    if (!(error instanceof RemoteError && error.failure === "timeout")) return;
    if (++this.#late < lateMax || this.#pool === undefined) return;
    this.renew();
  }

  /** Finishes current calls; later ones use new connections. */
  renew(): void {
    this.#late = 0;
    // How the connections end does not matter.
    this.retire().catch(() => {});
    this.#opening = undefined;
    this.#pool = undefined;
  }

  /** Finishes current calls, then closes connections. No call may follow. */
  async retire(): Promise<void> {
    await (await this.#opening)?.close();
  }

  /** Aborts current calls and closes connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const call of this.#calls) call.abort();
    await (await this.#opening)?.destroy();
  }

  /** undici does not release a call while its connection is being opened, so the call rejects by itself. */
  #send(request: RemoteRequest, destination: Destination, timeoutMs: number): RemoteCall {
    const call = new RemoteCall(request, destination.url, timeoutMs, this.#calls);
    if (this.#closing.signal.aborted) call.abort();
    const dispatched = this.#dispatched(request, destination);
    if (this.#pool !== undefined) {
      if (!call.isEnded) this.#pool.dispatch(dispatched, call);
      return call;
    }
    this.#opening ??= this.#createPool();
    this.#opening.then(
      (pool) => {
        if (!call.isEnded) pool.dispatch(dispatched, call);
      },
      (error: unknown) => call.onResponseError(null, asError(error)),
    );
    return call;
  }

  #dispatched({ method, headers, body }: RemoteRequest, { target }: Destination): Dispatcher.DispatchOptions {
    const named = [...this.#identityHeaders];
    for (const name in headers) named.push(name, headers[name] ?? "");
    const traced = currentSpan()?.headers();
    for (const name in traced) named.push(name, traced[name] ?? "");
    return {
      path: target,
      // The library takes any token.
      method: method as Dispatcher.HttpMethod,
      headers: named,
      body: body ?? null,
    };
  }

  async #createPool(): Promise<Pool> {
    // Loading all of undici would take four times as long.
    const [{ default: PoolClass }, { default: build }] = await Promise.all([
      import("undici/lib/dispatcher/pool.js"),
      import("undici/lib/core/connect.js"),
    ]);
    const { server, identity, dial, connectionsMax } = this.#options;
    const certificate = identity?.certificate;
    // Over HTTP/2, undici joins headers of the same name, so several groups would become one.
    const names = (identity ?? noIdentity).impersonation.map(([name]) => name.toLowerCase());
    const allowH2 = new Set(names).size === names.length;
    const straight = build({
      allowH2,
      ...tlsTrust(server.caPem),
      ...(server.serverName !== undefined && { servername: server.serverName }),
      ...(server.insecure && { rejectUnauthorized: false }),
      ...(certificate !== undefined && { cert: certificate.certPem, key: certificate.keyPem }),
      timeout: connectMsMax,
    });
    this.#pool = new PoolClass(server.url.origin, {
      allowH2,
      connections: connectionsMax ?? connectionsMaxDefault,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: dial === undefined ? straight : dialled(straight, dial, this.#closing.signal),
    });
    return this.#pool;
  }
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
      (error: unknown) => callback(asError(error), null),
    );
  };
}

function mayAskAgain({ method, idempotent }: RemoteRequest): boolean {
  return idempotent ?? (method === "GET" || method === "HEAD");
}

function wasDisconnected(error: unknown): boolean {
  return error instanceof RemoteError && error.failure === "disconnected";
}

/**
 * Calls with a body follow redirects that keep it, on the same server: web frameworks answer with one when a path
 * lacks a final slash, or has one too many. Other redirects would turn the call into a GET.
 */
function redirectOf({ status, headers }: RemoteAnswer, from: Destination): Destination | undefined {
  const { location } = headers;
  if ((status !== 307 && status !== 308) || typeof location !== "string") return undefined;
  return from.redirected(location);
}
