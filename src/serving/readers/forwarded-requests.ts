import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import { LastDigest } from "../../access/authentication/token-digest.js";
import type { ServerState } from "../http/connection.js";
import type { ExchangeHandler, PeerCertificates } from "../http/exchange.js";
import { type Http1Connection, Http1Exchange } from "../http/http1-exchange.js";
import { headerLinesMax } from "../http/request-rules.js";
import { RequestTurns } from "../http/request-turns.js";
import { runHandler } from "../http/run-handler.js";
import { certificatesOf, type ForwardedClient } from "./forwarded-client.js";
import { PortStream } from "./port-stream.js";

/** The same limit as for clients' connections, from which the headers come. */
const headerBytesMax = 1024 * 1024;

/** Answers the requests that other threads forward, as if their clients were connected to this one. */
export class ForwardedRequests {
  readonly #server: Server;
  readonly #handler: ExchangeHandler;
  readonly #onError: (error: unknown) => void;
  readonly #turns = new RequestTurns();
  readonly #connections = new WeakMap<Duplex, ForwardedConnection>();

  constructor(handler: ExchangeHandler, onError: (error: unknown) => void) {
    this.#handler = handler;
    this.#onError = onError;
    // Each request has its own deadline, and the other thread supervises its clients.
    const server = createServer({
      maxHeaderSize: headerBytesMax,
      requestTimeout: 0,
      headersTimeout: 0,
      keepAliveTimeout: 0,
    });
    server.maxHeadersCount = headerLinesMax + 1;
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#received(request, response),
    );
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // node:http removed its own listener together with the parser.
      socket.on("error", () => undefined);
      this.#received(request, { socket, head });
    });
    server.on("clientError", (error: Error, socket: Duplex) => socket.destroy(error));
    this.#server = server;
  }

  /** Serves a connection of another thread, which has a `PortStream` at the other end of the port. */
  connect(port: MessagePort, client: ForwardedClient): void {
    const stream = new PortStream(port);
    stream.setMaxListeners(0); // each request listens for its end
    stream.on("error", () => undefined); // its end follows
    this.#connections.set(stream, new ForwardedConnection(stream, client));
    this.#server.emit("connection", stream);
  }

  #received(request: IncomingMessage, answer: ConstructorParameters<typeof Http1Exchange>[2]): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined || connection.isEnding) return;
    const exchange = new Http1Exchange(connection, request, answer, false);
    const run = (): void => runHandler(this.#handler, exchange, this.#onError);
    const turn = this.#turns.wait(connection.remoteAddress);
    if (turn === undefined) run();
    else void turn.then(() => connection.stream.destroyed || run());
  }
}

/** The thread that owns the client's connection decides when it ends. */
const neverClosing: ServerState = { closing: false };

class ForwardedConnection implements Http1Connection {
  readonly server = neverClosing;
  readonly stream: PortStream;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly httpVersion: string | undefined;
  readonly lastDigest = new LastDigest();
  isEnding = false;
  readonly #client: ForwardedClient;
  #peerCertificates: PeerCertificates | undefined | "unread" = "unread";

  constructor(stream: PortStream, client: ForwardedClient) {
    this.stream = stream;
    this.remoteAddress = client.remoteAddress;
    this.remotePort = client.remotePort;
    this.httpVersion = client.httpVersion;
    this.#client = client;
  }

  get peerCertificates(): PeerCertificates | undefined {
    if (this.#peerCertificates === "unread") this.#peerCertificates = certificatesOf(this.#client);
    return this.#peerCertificates;
  }

  answeredEarly(): void {
    // Bytes that were sent still arrive, however the connection ends.
  }

  linger(): void {
    this.stream.end();
  }
}
