import { closeSync } from "node:fs";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { type AddressInfo, Socket } from "node:net";
import {
  createServer as createTlsServer,
  type SecureContext,
  type TLSSocket,
  type Server as TlsServer,
} from "node:tls";
import { loopTurns } from "../../event-loop/loop-turns.js";
import { awaitClientHello } from "./client-hello.js";
import { Connection } from "./connection.js";
import { type ConnectionLimits, defaultConnectionLimits } from "./connection-limits.js";
import { endInTurn } from "./ends-in-turn.js";
import type { ExchangeHandler, HttpExchange } from "./exchange.js";
import { Handshakes } from "./handshakes.js";
import { Http1Exchange } from "./http1-exchange.js";
import { Http2Session, type SessionLimits } from "./http2-session.js";
import {
  connectRefusal,
  headerLinesMax,
  type Refusal,
  refusalOf,
  refusalOfUnreadable,
} from "./request-rules.js";
import { RequestTurns } from "./request-turns.js";
import { runHandler } from "./run-handler.js";
import { CredentialFiles, type TlsCredentials, type TlsFiles } from "./tls-credentials.js";
import type { TlsSettings } from "./tls-settings.js";

export interface ListenOptions {
  /** Empty, `0.0.0.0` and `::` mean all interfaces, IPv4 and IPv6. */
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly files: TlsFiles;
  readonly settings: TlsSettings;
  /** Share the port with other processes. Needs Node.js 22.12 or later, or an inherited socket; throws otherwise. */
  readonly reusePort?: boolean | undefined;
  /** Does not listen: another listener hands over all connections, by `take`. */
  readonly isHandedOver?: boolean | undefined;
  /** Descriptor of a listening socket inherited from the parent process. It replaces `host` and `port`. */
  readonly inherited?: number | undefined;
  /** Whether clients are offered only HTTP/1.1. */
  readonly disableHttp2?: boolean | undefined;
  /** 0 or unset is 250, as in Kubernetes. */
  readonly http2MaxStreamsPerConnection?: number | undefined;
  /** Time between two readings of the certificate files; 10 s when unset. */
  readonly reloadIntervalMs?: number | undefined;
  /** Unset limits have kube-apiserver's values. */
  readonly limits?: Partial<ConnectionLimits> | undefined;
  /** Reports failures without a request to answer: a handler that throws, certificates that do not load. */
  readonly onError: (error: unknown) => void;
  /** A TLS handshake failed. */
  readonly onHandshakeFailure?: (() => void) | undefined;
}

/**
 * Gets the descriptor of a new connection, and how many connections this listener has. Returns true when another listener serves the
 * connection, by its own descriptor; the given one is then closed.
 */
export type HandOver = (descriptor: number, connections: number) => boolean;

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Requests not fully answered yet, including long-running ones. */
  readonly inFlight: number;
  /** Open TLS connections. */
  readonly connections: number;
  /** Asks `handOver` about each new connection from now on. */
  handOverBy(handOver: HandOver): void;
  /** Serves a connection that another listener has accepted. Its descriptor is closed with it, then `closed` is called. */
  take(descriptor: number, closed: () => void): void;
  /**
   * Stops accepting, finishes requests in progress, closes each connection when it becomes idle, and cuts the rest after `graceMs`.
   * Repeated calls wait for the same end; a shorter `graceMs` applies.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Values of kube-apiserver (`pkg/server/secure_serving.go`). Over HTTP/2 the library ends a connection whose headers take more
 * than eight CONTINUATION frames, about 140 KB.
 */
const headerBytesMax = 1024 * 1024;
const defaultStreamsPerConnection = 250;
/** Over HTTP/1.1: requests that a client sends without waiting for answers. One read of the socket may bring thousands. */
const pipelinedRequestsMax = 250;
/** In order of preference. */
const servedProtocols = ["h2", "http/1.1"];
const oldProtocols = ["http/1.1"];
const tcpKeepAliveMs = 180_000;
const defaultReloadIntervalMs = 10_000;
/** How often node:http checks for requests whose headers take too long, as a fraction of that time. */
const headerChecks = 8;
/** How often the bytes of connections that belong to no request are checked. */
const strayBytesCheckMs = 1_000;

/**
 * HTTPS for HTTP/1.1 and HTTP/2 on one port. Resolves when the port is bound; rejects with the system's error, or
 * with an `Error` naming the certificate file that does not load.
 */
export async function listen(options: ListenOptions, handler: ExchangeHandler): Promise<Listener> {
  if (options.reusePort === true && options.inherited === undefined && !canReusePort()) {
    throw new Error(
      `this runtime (${process.version}) cannot set SO_REUSEPORT: use Node.js 22.12 or later, or hand over a listening socket (LISTEN_FDS)`,
    );
  }
  const listener = new TlsListener(options, handler);
  await listener.open();
  return listener;
}

function canReusePort(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12);
}

class TlsListener implements Listener {
  host = "";
  port = 0;
  inFlight = 0;
  readonly #options: ListenOptions;
  readonly #limits: SessionLimits;
  readonly #handler: ExchangeHandler;
  readonly #credentials: CredentialFiles;
  readonly #server: HttpsServer;
  /** Servers that only perform the handshake, for local addresses with their own certificate. */
  #byAddress = new Map<string, TlsServer>();
  readonly #toHandshake: (this: HttpsServer, socket: Socket) => void;
  readonly #toHttp1: (this: HttpsServer, socket: TLSSocket) => void;
  readonly #connections = new Map<Socket, Connection>();
  readonly #handshakes: Handshakes;
  readonly #sessions = new Set<Http2Session>();
  /**
   * Handshakes take about 0.25 ms each, for key and signature, and clients may send thousands of hellos, or close thousands of connections,
   * at the same moment: both wait for their turn.
   */
  readonly #requestTurns = new RequestTurns();
  readonly #taken = new Set<Socket>();
  #handOver: HandOver | undefined;
  /** Called when the last connection that was taken has ended, while draining. */
  #noneTaken = (): void => undefined;
  #closing: Promise<void> | undefined;
  #cutTimer: NodeJS.Timeout | undefined;
  #strayBytesTimer: NodeJS.Timeout | undefined;
  #cutAt = Number.POSITIVE_INFINITY;

  constructor(options: ListenOptions, handler: ExchangeHandler) {
    this.#options = options;
    const streams = options.http2MaxStreamsPerConnection ?? 0;
    const limits = { ...defaultConnectionLimits, ...options.limits };
    this.#limits = {
      ...limits,
      headerBytesMax,
      streamsMax: streams > 0 ? streams : defaultStreamsPerConnection,
    };
    this.#handshakes = new Handshakes(limits.headerTimeoutMs, loopTurns.ends);
    this.#handler = handler;
    this.#credentials = new CredentialFiles(options.files, options.settings);
    const server = createHttpsServer({
      ...this.#credentials.current.base,
      ...this.#handshakeOptions(),
      maxHeaderSize: headerBytesMax,
      headersTimeout: limits.headerTimeoutMs,
      connectionsCheckingInterval: Math.ceil(limits.headerTimeoutMs / headerChecks),
      keepAliveTimeout: limits.idleTimeoutMs,
      // Each request has a deadline in its handler.
      requestTimeout: 0,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: tcpKeepAliveMs,
    });
    // One more than is allowed shows that there are too many; the rest is not kept.
    server.maxHeadersCount = headerLinesMax + 1;
    // node:http destroys a connection whose answer is not sent yet: the end of a watch would be lost.
    server.closeIdleConnections = () => this.#closeIdleConnections();
    this.#server = server;
    // The HTTP/1.1 server owns its connections; HTTP/2 ones branch off after the handshake, by ALPN. `http2.createSecureServer({
    // allowHTTP1 })` would support HTTP/1.1 only through its compatibility API.
    this.#toHttp1 = takeListener<TLSSocket>(server, "secureConnection");
    this.#toHandshake = takeListener<Socket>(server, "connection");
    server.on("connection", (socket: Socket) => this.#onTcpConnection(socket));
    this.#onHandshakes(server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#onHttp1(request, response, false),
    );
    server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
      this.#onHttp1(request, response, true),
    );
    // Unknown expectations are ignored, as in Go.
    server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
      this.#onHttp1(request, response, false),
    );
    server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#onUpgrade(request, socket, head),
    );
    server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#onUpgrade(request, socket, head),
    );
    server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
      this.#onUnreadable(error, socket),
    );
    this.#useAddresses(this.#credentials.current);
  }

  get closing(): boolean {
    return this.#closing !== undefined;
  }

  get connections(): number {
    return this.#connections.size;
  }

  handOverBy(handOver: HandOver): void {
    this.#handOver = handOver;
  }

  take(descriptor: number, closed: () => void): void {
    let socket: Socket;
    try {
      socket = new Socket({ fd: descriptor, readable: true, writable: true });
    } catch (error) {
      closeSync(descriptor);
      this.#options.onError(error);
      closed();
      return;
    }
    socket.setNoDelay(true);
    socket.setKeepAlive(true, tcpKeepAliveMs);
    this.#taken.add(socket);
    socket.once("close", () => {
      closed();
      this.#taken.delete(socket);
      if (this.#taken.size === 0) this.#noneTaken();
    });
    if (this.closing) socket.destroy();
    else this.#server.emit("connection", socket);
  }

  async open(): Promise<void> {
    if (this.#options.isHandedOver === true) {
      // Makes node:http track the times of its connections.
      this.#server.emit("listening");
    } else {
      await this.#listen();
    }
    this.#strayBytesTimer = this.#checkStrayBytes();
    this.#credentials.watch({
      intervalMs: this.#options.reloadIntervalMs ?? defaultReloadIntervalMs,
      onChange: (credentials) => {
        this.#server.setSecureContext(credentials.base);
        this.#useAddresses(credentials);
      },
      onError: this.#options.onError,
    });
  }

  async #listen(): Promise<void> {
    const { host, port, reusePort, inherited } = this.#options;
    const server = this.#server;
    const anyAddress = host === "" || host === "0.0.0.0" || host === "::";
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      const own = { port, ...(!anyAddress && { host }), ...(reusePort === true && { reusePort }) };
      server.listen(inherited === undefined ? own : { fd: inherited }, () => {
        server.off("error", reject);
        resolve();
      });
    });
    // Out of file descriptors and the like: the server continues with its existing connections.
    server.on("error", this.#options.onError);
    const address = server.address() as AddressInfo; // a TCP server that listens
    this.host = address.address;
    this.port = address.port;
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#drain();
    const cutAt = performance.now() + graceMs;
    if (cutAt < this.#cutAt) {
      this.#cutAt = cutAt;
      clearTimeout(this.#cutTimer);
      this.#cutTimer = setTimeout(() => this.#cut(), graceMs);
    }
    return this.#closing.finally(() => clearTimeout(this.#cutTimer));
  }

  #drain(): Promise<void> {
    this.#credentials.close();
    const ownClosed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const takenClosed = new Promise<void>((resolve) => {
      if (this.#taken.size === 0) resolve();
      else this.#noneTaken = resolve;
    });
    const closed = Promise.all([ownClosed, takenClosed]).then(() => undefined);
    void closed.then(() => clearInterval(this.#strayBytesTimer));
    for (const session of this.#sessions) session.close();
    void this.#handshakes.cutAll();
    return closed;
  }

  #checkStrayBytes(): NodeJS.Timeout {
    let checkedAt = performance.now();
    const check = (): void => {
      const now = performance.now();
      for (const session of this.#sessions) session.checkStrayBytes(now - checkedAt);
      checkedAt = now;
    };
    return setInterval(check, strayBytesCheckMs).unref();
  }

  /** Each closes once everything written to it is sent. */
  #closeIdleConnections(): void {
    for (const { requests, socket } of this.#connections.values()) {
      if (requests === 0 && socket.alpnProtocol !== "h2") socket.destroySoon();
    }
  }

  #cut(): void {
    for (const session of this.#sessions) session.cut();
    for (const socket of this.#connections.keys()) socket.destroy();
    void this.#handshakes.cutAll();
  }

  #handshakeOptions() {
    return {
      // A list would be copied into a separate buffer for each connection.
      ALPNCallback: ({ protocols }: { readonly protocols: readonly string[] }) =>
        (this.#options.disableHttp2 === true ? oldProtocols : servedProtocols).find((name) =>
          protocols.includes(name),
        ),
      // The authenticators judge certificates: an untrusted one is no reason to refuse the connection.
      requestCert: (this.#options.files.clientCaFiles ?? []).length > 0,
      rejectUnauthorized: false,
      SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) =>
        done(null, this.#credentials.current.contextFor(name)),
    };
  }

  #useAddresses(credentials: TlsCredentials): void {
    const servers = new Map<string, TlsServer>();
    for (const [address, options] of credentials.byAddress) {
      const server = createTlsServer({ ...options, ...this.#handshakeOptions() });
      this.#onHandshakes(server);
      servers.set(address, server);
    }
    this.#byAddress = servers;
  }

  #onTcpConnection(socket: Socket): void {
    if (this.#handOver !== undefined && this.#handsOver(socket, this.#handOver)) return;
    // Unfinished handshakes make room first.
    const isFull = this.#connections.size + this.#handshakes.size >= this.#limits.connectionsMax;
    if (isFull && !this.#handshakes.cutOldest()) {
      socket.destroy();
      return;
    }
    this.#handshakes.begin(socket);
    const failed = (): void => this.#options.onHandshakeFailure?.();
    socket.once("close", failed);
    awaitClientHello(socket, () => void this.#handshakeInTurn(socket, failed));
  }

  #handsOver(socket: Socket, handOver: HandOver): boolean {
    if (this.#taken.has(socket)) return false;
    // node:net has no public way to its descriptor. Nothing of the connection was read yet.
    const { _handle: handle } = socket as { readonly _handle?: { readonly fd?: unknown } | null };
    if (typeof handle?.fd !== "number" || handle.fd < 0) return false;
    try {
      if (!handOver(handle.fd, this.#connections.size + this.#handshakes.size)) return false;
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
    socket.destroy();
    return true;
  }

  async #handshakeInTurn(socket: Socket, failed: () => void): Promise<void> {
    await loopTurns.ends.take();
    if (socket.destroyed) return;
    this.#handshakes.answering(socket);
    // From here on node:tls reports failures.
    socket.off("close", failed);
    const own = this.#byAddress.size === 0 ? undefined : this.#byAddress.get(localAddress(socket));
    if (own === undefined) this.#toHandshake.call(this.#server, socket);
    else own.emit("connection", socket);
  }

  #onHandshakes(server: TlsServer): void {
    server.removeAllListeners("tlsClientError");
    server.on("tlsClientError", (error: Error & { code?: string }, socket: TLSSocket) => {
      this.#options.onHandshakeFailure?.();
      // The words of Go's server, which people search for.
      if (error.code === "ERR_SSL_HTTP_REQUEST") {
        this.#handshakes
          .below(socket)
          ?.end("HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
      }
    });
    server.on("secureConnection", (socket: TLSSocket) => this.#onTlsConnection(socket));
  }

  #onTlsConnection(socket: TLSSocket): void {
    this.#handshakes.done(socket);
    const connection = new Connection(socket, this);
    this.#connections.set(socket, connection);
    // OpenSSL leaves a failed verification in its error queue, where node:tls later finds it and drops this connection or another. Reading
    // the certificate empties the queue.
    void connection.peerCertificates;
    // The code that serves the connection hears of the error too; without this listener the error could end the process before.
    socket.on("error", ignore);
    socket.once("close", () => this.#connections.delete(socket));
    endInTurn(socket, loopTurns.ends);
    if (socket.alpnProtocol === "h2") this.#onHttp2Connection(connection);
    else this.#toHttp1.call(this.#server, socket);
  }

  #onHttp1(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined || connection.isEnding) return;
    this.#admit(connection, request, new Http1Exchange(connection, request, response, awaitsContinue));
  }

  #onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    // node:http removed its own listener together with the parser.
    socket.on("error", ignore);
    this.#admit(connection, request, new Http1Exchange(connection, request, { socket, head }, false));
  }

  /** A request that node:http cannot read is answered, if it is clear which request the client would take the answer for. */
  #onUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#connections.get(socket);
    // What follows the last answer is ignored.
    if (connection?.isEnding === true && !socket.destroyed) return;
    const refusal = refusalOfUnreadable(error.code);
    if (connection === undefined || refusal === undefined || !socket.writable) {
      socket.destroy(error);
    } else if (connection.latest?.isIncoming === true) {
      refuse(connection.latest, refusal);
    } else if (connection.requests === 0) {
      connection.isEnding = true;
      socket.write(answerText(refusal));
      connection.linger();
    } else {
      socket.destroy(error);
    }
  }

  #admit(connection: Connection, request: IncomingMessage, exchange: Http1Exchange): void {
    const refusal = refusalOf(request);
    connection.latest = exchange;
    if (refusal === undefined) {
      this.#count(connection, exchange);
      if (connection.requests > pipelinedRequestsMax) connection.socket.destroy();
      else this.#handleInTurn(connection, exchange);
      return;
    }
    refuse(exchange, refusal);
  }

  #onHttp2Connection(connection: Connection): void {
    const session = new Http2Session(connection, this.#limits, this.#requestTurns, (exchange) =>
      this.#dispatch(connection, exchange),
    );
    this.#sessions.add(session);
    session.onClosed(() => this.#sessions.delete(session));
    if (this.#closing !== undefined) session.close();
  }

  #dispatch(connection: Connection, exchange: HttpExchange): void {
    if (exchange.method === "CONNECT") {
      exchange.respond(connectRefusal.status, plainText, connectRefusal.text);
      return;
    }
    this.#count(connection, exchange);
    this.#handle(exchange);
  }

  /** A connection is in use from the first byte of a request, not only from when the request gets its turn. */
  #count(connection: Connection, exchange: HttpExchange): void {
    this.inFlight++;
    connection.requests++;
    exchange.onFinished(() => {
      this.inFlight--;
      connection.requests--;
      // A connection whose answer began before draining becomes idle after this turn.
      if (this.#closing !== undefined) setImmediate(() => this.#closeIdleConnections());
    });
  }

  #handleInTurn(connection: Connection, exchange: HttpExchange): void {
    const turn = this.#requestTurns.wait(connection.remoteAddress);
    if (turn === undefined) {
      this.#handle(exchange);
      return;
    }
    connection.hold();
    void turn.then(() => {
      connection.release();
      if (!connection.socket.destroyed) this.#handle(exchange);
    });
  }

  #handle(exchange: HttpExchange): void {
    runHandler(this.#handler, exchange, this.#options.onError);
  }
}

const plainText = { "Content-Type": "text/plain; charset=utf-8" };

/** Refuses whatever follows on the connection. */
function refuse(
  exchange: Pick<HttpExchange, "closeAfterResponse" | "respond">,
  { status, text }: Refusal,
): void {
  exchange.closeAfterResponse();
  exchange.respond(status, plainText, text);
}

/** Answers a request of which nothing was read. */
function answerText({ status, text }: Refusal): string {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${plainText["Content-Type"]}\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Removes the one listener that Node itself installed. */
function takeListener<T>(server: HttpsServer, event: string): (this: HttpsServer, value: T) => void {
  const [listener] = server.listeners(event);
  server.removeAllListeners(event);
  if (listener === undefined) throw new Error(`node:https no longer listens to its own ${event}`);
  return listener as (this: HttpsServer, value: T) => void; // the event's documented signature
}

function localAddress(socket: Socket): string {
  const address = socket.localAddress ?? "";
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

function ignore(): void {}
