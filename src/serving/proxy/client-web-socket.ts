import { Buffer } from "node:buffer";
import { once } from "node:events";
import { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import type { HttpExchange } from "../http/exchange.js";

/** A client's message; kubectl's have 32 KiB. */
const messageBytesMax = 4 * 1024 * 1024;
/** Room for a few names and a token. */
const protocolsLengthMax = 64 * 1024;

/** The subprotocols that a WebSocket client offers; none for other requests, and for lists longer than any client sends. */
export function offeredProtocols({ headers }: HttpExchange): readonly string[] {
  if (headers.upgrade?.toLowerCase() !== "websocket") return [];
  const text = headers["sec-websocket-protocol"] ?? "";
  if (text.length > protocolsLengthMax) return [];
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/**
 * Answers the handshake with this subprotocol. The client starts paused, so nothing that it sends gets lost. Rejects, after answering 400,
 * when the client's handshake is invalid.
 */
export async function openWebSocket(exchange: HttpExchange, protocol: string): Promise<WebSocket> {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    handleProtocols: () => protocol,
  });
  const { request, socket, head } = exchange.upgrade();
  return await new Promise<WebSocket>((resolve, reject) => {
    const refused = (): void => reject(new Error("the WebSocket handshake failed"));
    socket.once("close", refused);
    server.handleUpgrade(request, socket, head, (accepted) => {
      socket.off("close", refused);
      // A `close` event follows, which is handled.
      accepted.on("error", () => {});
      accepted.pause();
      resolve(accepted);
    });
  });
}

export function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/** Waits until the buffered bytes have been sent, if there are many. */
async function whenSent(client: WebSocket, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve) => client.send(bytes, { binary: true }, () => resolve()));
}

/** A byte stream over binary WebSocket messages. */
export function asConnection(client: WebSocket): Duplex {
  const connection = new Duplex({
    read: () => client.resume(),
    write: (bytes: Buffer, _encoding, done) => {
      void whenSent(client, bytes).then(() => done());
    },
    final: (done) => {
      client.close(1000);
      done();
    },
    destroy: (error, done) => {
      client.terminate();
      done(error);
    },
  });
  client.on("message", (data) => {
    if (!connection.push(bytesOf(data))) client.pause();
  });
  void once(client, "close").then(() => {
    connection.push(null);
    connection.destroy();
  });
  return connection;
}
