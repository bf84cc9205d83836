import type { ServerHttp2Stream } from "node:http2";
import type { TLSSocket } from "node:tls";

/** The headers of a request in any encoding: node:http2 ends a connection whose headers take more. */
const headerBytesMax = 160 * 1024;

/** How much a client may send before the server reads it (RFC 9113 §5.2). */
export interface Windows {
  readonly streamBytes: number;
  readonly connectionBytes: number;
}

/**
 * Counts what an HTTP/2 connection sends besides its requests and their bodies: frames of unknown types, which node:http2 silently skips,
 * and those that manage the connection. Reading them costs as much as reading anything else, and needs no authentication.
 */
export class StrayBytes {
  readonly #socket: Pick<TLSSocket, "bytesRead">;
  readonly #windows: Windows;
  /** An upper bound of the bytes that belong to requests. */
  #requestBytes = 0;
  /** Streams whose bodies have not ended. */
  readonly #bodies = new Set<ServerHttp2Stream>();
  /** What may still come for streams that ended before the client knew. */
  #lateBytes = 0;
  #bytesRead: number;

  constructor(socket: Pick<TLSSocket, "bytesRead">, windows: Windows) {
    this.#socket = socket;
    this.#windows = windows;
    this.#bytesRead = socket.bytesRead;
  }

  /** Call it before anybody reads the stream, which may already have its first data. */
  count(stream: ServerHttp2Stream, hasBody: boolean): void {
    this.#requestBytes += headerBytesMax;
    if (!hasBody) return;
    this.#requestBytes += stream.readableLength;
    this.#bodies.add(stream);
    const { push } = stream;
    stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (chunk instanceof Uint8Array) this.#requestBytes += chunk.length;
      // A closed stream ends too, wherever its body is.
      else if (!stream.closed) this.#bodies.delete(stream);
      return push.call(stream, chunk, encoding);
    };
  }

  /** The stream is closed: node:http2 emits nothing more of a body that was on its way. */
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
