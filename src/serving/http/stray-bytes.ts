import type { ServerHttp2Stream } from "node:http2";
import type { TLSSocket } from "node:tls";

/** Upper limit for a request's headers in any encoding: node:http2 closes a connection whose headers are larger. */
const headerBytesMax = 160 * 1024;

/** How much a client may send before the server reads it (RFC 9113 §5.2). */
export interface Windows {
  readonly streamBytes: number;
  readonly connectionBytes: number;
}

/**
 * Counts what an HTTP/2 connection sends besides requests and their bodies: frames of unknown types, which node:http2 silently ignores,
 * and connection management. Reading them costs as much as anything else, and needs no authentication.
 */
export class StrayBytes {
  readonly #socket: Pick<TLSSocket, "bytesRead">;
  readonly #windows: Windows;
  /** An upper bound of the bytes that belong to requests. */
  #requestBytes = 0;
  /** Streams with unfinished bodies. */
  readonly #bodies = new Set<ServerHttp2Stream>();
  /** Bytes that may still arrive for streams that ended before the client knew. */
  #lateBytes = 0;
  #bytesRead: number;

  constructor(socket: Pick<TLSSocket, "bytesRead">, windows: Windows) {
    this.#socket = socket;
    this.#windows = windows;
    this.#bytesRead = socket.bytesRead;
  }

  /** Call it before anybody reads the stream, which may already have data. */
  count(stream: ServerHttp2Stream, hasBody: boolean): void {
    this.#requestBytes += headerBytesMax;
    if (!hasBody) return;
    this.#requestBytes += stream.readableLength;
    this.#bodies.add(stream);
    const { push } = stream;
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk instanceof Uint8Array) this.#requestBytes += chunk.length;
      // A closed stream ends too, wherever the rest of its body is.
      else if (!stream.closed) this.#bodies.delete(stream);
      return push.call(stream, chunk, encoding);
    };
  }

  /** The stream is closed: node:http2 emits no more of a body that was in flight. */
  closed(stream: ServerHttp2Stream): void {
    if (this.#bodies.delete(stream)) this.#lateBytes += this.#windows.streamBytes;
  }

  /** How many bytes have come since the last call. */
  take(): number {
    const { bytesRead } = this.#socket;
    const stray = Math.max(0, bytesRead - this.#bytesRead - this.#requestBytes);
    this.#bytesRead = bytesRead;
    this.#requestBytes = 0;
    const late = Math.min(stray, this.#lateBytes);
    this.#lateBytes = Math.min(this.#lateBytes - late, this.#windows.connectionBytes);
    return stray - late;
  }
}
