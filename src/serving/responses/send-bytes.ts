import type { HttpExchange, ResponseHeaders } from "../http/exchange.js";

/** Longer bodies go in pieces of this size: about 0.3 ms of encryption each. */
const pieceBytes = 128 * 1024;

/**
 * Sends a body from memory. A long one is handed to the socket as the client reads it, because TLS encrypts a write at once: 25 MB would
 * hold the event loop for 50 ms. The promise resolves when everything was handed over or the client has gone; it is undefined for a short
 * body, which is one write.
 */
export function sendBytes(
  exchange: HttpExchange,
  status: number,
  headers: ResponseHeaders,
  bytes: Uint8Array,
): Promise<void> | undefined {
  if (bytes.length <= pieceBytes || exchange.method === "HEAD") {
    exchange.respond(status, headers, bytes);
    return undefined;
  }
  return sendInPieces(exchange, status, headers, bytes);
}

async function sendInPieces(
  exchange: HttpExchange,
  status: number,
  headers: ResponseHeaders,
  bytes: Uint8Array,
): Promise<void> {
  const stream = exchange.startStream(status, { ...headers, "Content-Length": bytes.length });
  for (let from = 0; from < bytes.length && !stream.closed; from += pieceBytes) {
    if (!stream.write(bytes.subarray(from, from + pieceBytes))) await stream.drained();
  }
  stream.end();
}
