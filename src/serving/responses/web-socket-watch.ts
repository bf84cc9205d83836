import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { isTokenProtocol } from "../../access/authentication/web-socket-token.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import type { HttpExchange } from "../http/exchange.js";
import { untilDrained } from "../http/until-drained.js";
import { WatchStream, type WatchStreamOptions, type WatchTransport } from "./watch-stream.js";

export interface WebSocketWatchOptions extends WatchStreamOptions {
  readonly representation: "json" | "protobuf" | "cbor";
}

/** Room for a few names and a token; the library takes long for a megabyte. */
const protocolsLengthMax = 64 * 1024;
/** Watches only send, so a client has nothing to send but a close frame. */
const incomingBytesMax = 64 * 1024;

/** Opens watches over WebSocket, one message per event. */
export class WebSocketWatches {
  #server: Promise<WebSocketServer> | undefined;

  /**
   * Answers the handshake and opens the stream. Text messages for JSON, binary ones for CBOR and protobuf (without the length that frames
   * events over HTTP), whatever subprotocols the client offers: the first is accepted, because browsers fail without one. Rejects, after
   * answering 400, when the client's handshake is invalid; throws 400 for subprotocols of more than 64 KiB.
   */
  async open(exchange: HttpExchange, options: WebSocketWatchOptions): Promise<WatchStream> {
    if ((exchange.headers["sec-websocket-protocol"]?.length ?? 0) > protocolsLengthMax) {
      throw badRequest(`Sec-WebSocket-Protocol: must have at most ${protocolsLengthMax} characters`);
    }
    this.#server ??= createServer();
    const server = await this.#server;
    const { request, socket, head } = exchange.upgrade();
    const client = await new Promise<WebSocket>((resolve, reject) => {
      const refused = (): void => reject(new Error("the WebSocket handshake failed"));
      socket.once("close", refused);
      server.handleUpgrade(request, socket, head, (accepted) => {
        socket.off("close", refused);
        resolve(accepted);
      });
    });
    return new WatchStream(new WebSocketTransport(client, socket, options.representation), options);
  }
}

async function createServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: incomingBytesMax,
    handleProtocols: (offered) => [...offered].find((name) => !isTokenProtocol(name)) ?? false,
  });
}

class WebSocketTransport implements WatchTransport {
  readonly isDeferred = false;
  readonly #client: WebSocket;
  readonly #socket: Duplex;
  readonly #binary: boolean;
  readonly #framed: boolean;

  constructor(client: WebSocket, socket: Duplex, representation: "json" | "protobuf" | "cbor") {
    this.#client = client;
    this.#socket = socket;
    this.#framed = representation === "protobuf";
    this.#binary = representation !== "json";
    // A broken client ends its own watch; `close` follows.
    client.on("error", () => {});
  }

  get closed(): boolean {
    return this.#client.readyState !== this.#client.OPEN;
  }

  write(events: readonly Buffer[]): boolean {
    if (this.closed) return true;
    this.#socket.cork();
    for (const event of events) {
      this.#client.send(this.#framed ? event.subarray(4) : event, { binary: this.#binary });
    }
    this.#socket.uncork();
    return !this.#socket.writableNeedDrain;
  }

  drained(): Promise<void> {
    const socket = this.#socket;
    if (socket.destroyed || !socket.writableNeedDrain) return Promise.resolve();
    return untilDrained(socket);
  }

  end(): void {
    this.#client.close(1000);
  }

  abort(): void {
    this.#client.terminate();
  }

  onClosed(listener: () => void): void {
    if (this.#client.readyState === this.#client.CLOSED) listener();
    else this.#client.once("close", listener);
  }
}
