import type { HttpExchange, ResponseHeaders, ResponseStream } from "../http/exchange.js";
import { ForwardingExchange } from "../http/forwarding-exchange.js";

/** The kept part of an answer. */
export interface CopiedAnswer {
  headers: ResponseHeaders;
  /** The start of the body. */
  readonly pieces: Uint8Array[];
  /** Size of the whole body. */
  bytes: number;
}

/** An exchange that keeps the first `bytesMax` bytes of its answer's body. */
export class AnswerCopy extends ForwardingExchange {
  readonly #copy: CopiedAnswer;
  readonly #bytesMax: number;

  constructor(inner: HttpExchange, copy: CopiedAnswer, bytesMax: number) {
    super(inner);
    this.#copy = copy;
    this.#bytesMax = bytesMax;
  }

  override respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    this.#copy.headers = headers;
    if (body !== undefined) this.#keep(typeof body === "string" ? Buffer.from(body) : body);
    this.inner.respond(status, headers, body);
  }

  override startStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.#copy.headers = headers;
    const stream = this.inner.startStream(status, headers);
    const { write, writeFrames } = stream;
    stream.write = (bytes, onTaken) => {
      this.#keep(bytes);
      return write.call(stream, bytes, onTaken);
    };
    stream.writeFrames = (frames) => {
      this.#keep(frames);
      return writeFrames.call(stream, frames);
    };
    return stream;
  }

  #keep(bytes: Uint8Array): void {
    const copy = this.#copy;
    const room = this.#bytesMax - copy.bytes;
    // The writer may reuse the buffer.
    if (room > 0) copy.pieces.push(Uint8Array.prototype.slice.call(bytes, 0, room));
    copy.bytes += bytes.length;
  }
}
