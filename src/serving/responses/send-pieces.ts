import { Turns } from "../../event-loop/turns.js";
import type { HttpExchange, ResponseHeaders, ResponseStream } from "../http/exchange.js";
import type { AnswerBudget } from "./answer-budget.js";
import { acceptsGzip, gzipThresholdBytes, startGzipStream } from "./gzip.js";

export interface MadeAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The body. The next piece is requested once the client has read the ones before. */
  readonly pieces: Iterable<Uint8Array | Promise<Uint8Array>>;
  /** Length of the body, if it is known in advance. */
  readonly length?: number | undefined;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
  readonly signal: AbortSignal;
  /** Reserves room for what is made and waits for the client. Undefined where answers are few. */
  readonly answers?: AnswerBudget | undefined;
  /** The user, whose answers take turns with those of others. */
  readonly flow?: string | undefined;
}

/** Pieces are joined up to this size: few large writes are faster, and even larger ones are split. */
const writeBytes = 64 * 1024;

/**
 * Sends a body that is generated as the client reads it, so that a client that reads nothing costs nothing. Up to 128 KiB it is one write.
 * Resolves when everything was handed over or the client has gone; before the answer has begun, rejects with any error, or with the
 * signal's reason, or 429 where there is no room; afterwards cuts the answer.
 */
export async function sendPieces(exchange: HttpExchange, answer: MadeAnswer): Promise<void> {
  const { status, headers, length, answers } = answer;
  const joined = joinedInTurns(answer);
  const first: Uint8Array[] = [];
  let firstBytes = 0;
  while (firstBytes <= gzipThresholdBytes) {
    const next = await joined.next();
    if (next.done === true) return exchange.respond(status, headers, Buffer.concat(first));
    first.push(next.value);
    firstBytes += next.value.length;
  }
  answers?.hold(exchange, firstBytes);
  let heldBytes = firstBytes;
  const compressed = answer.compress && acceptsGzip(exchange.headers["accept-encoding"]);
  const stream = compressed
    ? startGzipStream(exchange, status, headers)
    : exchange.startStream(status, {
        ...headers,
        ...(length !== undefined && { "Content-Length": length }),
      });
  try {
    // Drops each piece once it is sent.
    for (let piece = first.shift(); piece !== undefined; piece = first.shift())
      await writeParts(stream, piece);
    for await (const piece of joined) {
      if (stream.closed) return;
      if (piece.length > heldBytes) {
        if (answers?.tryGrow(exchange, piece.length - heldBytes) === false) return stream.abort();
        heldBytes = piece.length;
      }
      await writeParts(stream, piece);
    }
    stream.end();
  } catch (error) {
    stream.abort();
    if (!answer.signal.aborted) throw error;
  }
}

/** In parts, because the socket copies what it is given. */
async function writeParts(stream: ResponseStream, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length && !stream.closed; at += writeBytes) {
    if (!stream.write(piece.subarray(at, at + writeBytes))) await stream.drained();
  }
}

async function* joinedInTurns({ pieces, signal, flow }: MadeAnswer): AsyncGenerator<Uint8Array, void, void> {
  const turns = new Turns(flow);
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const joined = (): Uint8Array => {
    const all = Buffer.concat(parts);
    parts = [];
    bytes = 0;
    return all;
  };
  for (const made of pieces) {
    const piece = made instanceof Promise ? await made : made;
    if (piece.length >= writeBytes) {
      // Not copied.
      if (bytes > 0) yield joined();
      yield piece;
    } else {
      parts.push(piece);
      bytes += piece.length;
      if (bytes >= writeBytes) yield joined();
    }
    if (turns.isOver()) await turns.next(signal);
  }
  if (bytes > 0) yield joined();
}
