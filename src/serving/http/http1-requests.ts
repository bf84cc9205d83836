import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { Connection } from "./connection.js";
import type { HttpExchange } from "./exchange.js";
import { Http1Exchange } from "./http1-exchange.js";
import { type Refusal, refusalHeaders, refusalOf, refusalOfUnreadable } from "./request-rules.js";

export interface Http1RequestsParts {
  readonly connections: ReadonlyMap<Socket, Connection>;
  /** Called for each acceptable request. */
  readonly handle: (connection: Connection, exchange: HttpExchange) => void;
}

/** Turns requests of node:http into exchanges, and refuses those that should not reach a handler. */
export class Http1Requests {
  readonly #connections: ReadonlyMap<Socket, Connection>;
  readonly #handle: Http1RequestsParts["handle"];

  constructor({ connections, handle }: Http1RequestsParts) {
    this.#connections = connections;
    this.#handle = handle;
  }

  attach(server: HttpsServer): void {
    server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#onRequest(request, response, false),
    );
    server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
      this.#onRequest(request, response, true),
    );
    // Unknown expectations are ignored, as in Go.
    server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
      this.#onRequest(request, response, false),
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
  }

  #onRequest(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
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

  /** Answers a request that node:http cannot parse, if it is clear which request the client would match the answer to. */
  #onUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#connections.get(socket);
    // Bytes after the last answer are ignored.
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
    if (refusal === undefined) this.#handle(connection, exchange);
    else refuse(exchange, refusal);
  }
}

/** Refuses everything that follows on the connection. */
function refuse(
  exchange: Pick<HttpExchange, "closeAfterResponse" | "respond">,
  { status, text }: Refusal,
): void {
  exchange.closeAfterResponse();
  exchange.respond(status, refusalHeaders, text);
}

/** The answer to a request that could not be parsed. */
function answerText({ status, text }: Refusal): string {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${refusalHeaders["Content-Type"]}\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function ignore(): void {}
