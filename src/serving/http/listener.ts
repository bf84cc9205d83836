import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { loopTurns } from "../../event-loop/loop-turns.js";
import { Connection } from "./connection.js";
import { type ConnectionLimits, defaultConnectionLimits, tcpKeepAliveMs } from "./connection-limits.js";
import { endInTurn } from "./end-in-turn.js";
import type { ExchangeHandler, HttpExchange } from "./exchange.js";
import { HandedOverSockets, type HandOver } from "./handed-over-sockets.js";
import { Http1Requests } from "./http1-requests.js";
import { Http2Session, type SessionLimits } from "./http2-session.js";
import { connectRefusal, headerLinesMax, refusalHeaders } from "./request-rules.js";
import { RequestTurns } from "./request-turns.js";
import { runHandler } from "./run-handler.js";
import { takeListener } from "./take-listener.js";
import { TlsAcceptor, type TlsAcceptorOptions } from "./tls-acceptor.js";

export interface ListenOptions extends TlsAcceptorOptions {
  /** Empty, `0.0.0.0` and `::` mean all interfaces, IPv4 and IPv6. */
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Share the port with other processes. Needs Node.js 22.12 or later, or an inherited socket; throws otherwise. */
  readonly reusePort?: boolean | undefined;
  /** Does not listen: another listener hands over its connections through `take`. */
  readonly isHandedOver?: boolean | undefined;
  /** Descriptor of a listening socket inherited from the parent process. It replaces `host` and `port`. */
  readonly inherited?: number | undefined;
  /** 0 or unset is 250, as in Kubernetes. */
  readonly http2MaxStreamsPerConnection?: number | undefined;
  /** Unset limits have kube-apiserver's values. */
  readonly limits?: Partial<ConnectionLimits> | undefined;
  /** Reports failures without a request to answer, such as a handler that throws. */
  readonly onError: (error: unknown) => void;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Requests not fully answered yet, including long-running ones. */
  readonly inFlight: number;
  /** Open TLS connections. */
  readonly connections: number;
  /** Asks `handOver` about each new connection from now on. */
  handOverBy(handOver: HandOver): void;
  /** Serves a connection that another listener accepted. Closes the descriptor when it ends, then calls `closed`. */
  take(descriptor: number, closed: () => void): void;
  /**
   * Stops accepting, finishes requests in progress, closes each connection once it is idle, and aborts the rest after `graceMs`. Repeated
   * calls wait for the same end; the shortest `graceMs` applies.
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
  readonly #server: HttpsServer;
  readonly #acceptor: TlsAcceptor;
  readonly #handedOver: HandedOverSockets;
  readonly #toHttp1: (this: HttpsServer, socket: TLSSocket) => void;
  readonly #connections = new Map<Socket, Connection>();
  readonly #sessions = new Set<Http2Session>();
  readonly #requestTurns = new RequestTurns();
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
    this.#handler = handler;
    this.#handedOver = new HandedOverSockets(options.onError);
    this.#acceptor = new TlsAcceptor(options, limits.headerTimeoutMs, (socket) =>
      this.#onTlsConnection(socket),
    );
    const server = createHttpsServer({
      ...this.#acceptor.serverOptions,
      maxHeaderSize: headerBytesMax,
      headersTimeout: limits.headerTimeoutMs,
      connectionsCheckingInterval: Math.ceil(limits.headerTimeoutMs / headerChecks),
      // `Connection` has its own idle timer.
      keepAliveTimeout: 0,
      // Each request has its own deadline.
      requestTimeout: 0,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: tcpKeepAliveMs,
    });
    // One more than allowed is enough to see that there are too many.
    server.maxHeadersCount = headerLinesMax + 1;
    // node:http would destroy connections whose answer is not yet sent: the end of a watch would be lost.
    server.closeIdleConnections = () => this.#closeIdleConnections();
    this.#server = server;
    // The HTTP/1.1 server accepts all connections; those that negotiate HTTP/2 leave it after the handshake. `http2.createSecureServer({
    // allowHTTP1 })` would serve HTTP/1.1 only through its compatibility API.
    this.#toHttp1 = takeListener<TLSSocket>(server, "secureConnection");
    this.#acceptor.attach(server);
    server.on("connection", (socket: Socket) => this.#onTcpConnection(socket));
    new Http1Requests({
      connections: this.#connections,
      handle: (connection, exchange) => this.#onHttp1(connection, exchange),
    }).attach(server);
  }

  get closing(): boolean {
    return this.#closing !== undefined;
  }

  get connections(): number {
    return this.#connections.size;
  }

  handOverBy(handOver: HandOver): void {
    this.#handedOver.giveTo(handOver);
  }

  take(descriptor: number, closed: () => void): void {
    const socket = this.#handedOver.take(descriptor, closed);
    if (this.closing) socket?.destroy();
    else if (socket !== undefined) this.#server.emit("connection", socket);
  }

  async open(): Promise<void> {
    if (this.#options.isHandedOver === true) {
      // Makes node:http track the times of its connections.
      this.#server.emit("listening");
    } else {
      await this.#listen();
    }
    this.#strayBytesTimer = this.#checkStrayBytes();
    this.#acceptor.watch(this.#server);
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
    const ownClosed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const closed = Promise.all([ownClosed, this.#handedOver.drained()]).then(() => undefined);
    void closed.then(() => clearInterval(this.#strayBytesTimer));
    for (const session of this.#sessions) session.close();
    this.#acceptor.close();
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

  /** Each connection closes once everything written to it has been sent. */
  #closeIdleConnections(): void {
    for (const { requests, socket } of this.#connections.values()) {
      if (requests === 0 && socket.alpnProtocol !== "h2") socket.destroySoon();
    }
  }

  #cut(): void {
    for (const session of this.#sessions) session.cut();
    for (const socket of this.#connections.keys()) socket.destroy();
    this.#acceptor.close();
  }

  #onTcpConnection(socket: Socket): void {
    const count = this.#connections.size + this.#acceptor.size;
    if (this.#handedOver.give(socket, count)) return;
    // Unfinished handshakes are closed first to make room.
    if (count >= this.#limits.connectionsMax && !this.#acceptor.cutOldest()) socket.destroy();
    else this.#acceptor.accept(socket);
  }

  #onTlsConnection(socket: TLSSocket): void {
    const connection = new Connection(socket, this);
    this.#connections.set(socket, connection);
    // OpenSSL leaves a failed verification in its error queue, where node:tls later finds it and closes this connection or another.
    // Reading the certificate empties the queue.
    void connection.peerCertificates;
    // Whoever serves the connection handles the error; until then, an error without a listener would end the process.
    socket.on("error", ignore);
    socket.once("close", () => this.#connections.delete(socket));
    endInTurn(socket, loopTurns.ends);
    if (socket.alpnProtocol === "h2") {
      this.#onHttp2Connection(connection);
    } else {
      connection.closeWhenIdle(this.#limits.idleTimeoutMs);
      this.#toHttp1.call(this.#server, socket);
    }
  }

  #onHttp1(connection: Connection, exchange: HttpExchange): void {
    this.#count(connection, exchange);
    if (connection.requests > pipelinedRequestsMax) connection.socket.destroy();
    else this.#handleInTurn(connection, exchange);
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
      exchange.respond(connectRefusal.status, refusalHeaders, connectRefusal.text);
      return;
    }
    this.#count(connection, exchange);
    this.#handle(exchange);
  }

  /** A connection is busy from the first byte of a request on, not only once the request gets its turn. */
  #count(connection: Connection, exchange: HttpExchange): void {
    this.inFlight++;
    connection.begun();
    exchange.onFinished(() => {
      this.inFlight--;
      connection.finished();
      // A connection whose answer began before draining becomes idle after this tick.
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

function ignore(): void {}
