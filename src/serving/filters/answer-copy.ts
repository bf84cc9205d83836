import type { HttpExchange, ResponseHeaders, ResponseStream } from "../http/exchange.js";
import { ForwardingExchange } from "../http/forwarding-exchange.js";
import { ForwardingStream } from "../http/forwarding-stream.js";

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
    return new CopiedStream(this.inner.startStream(status, headers), (bytes) => this.#keep(bytes));
  }

  #keep(bytes: Uint8Array): void {
    const copy = this.#copy;
    const room = this.#bytesMax - copy.bytes;
    // The writer may reuse the buffer.
    if (room > 0) copy.pieces.push(Uint8Array.prototype.slice.call(bytes, 0, room));
    copy.bytes += bytes.length;
  }
}

class CopiedStream extends ForwardingStream {
  readonly #keep: (bytes: Uint8Array) => void;

  constructor(inner: ResponseStream, keep: (bytes: Uint8Array) => void) {
    super(inner);
    this.#keep = keep;
  }

  override write(bytes: Uint8Array, onTaken?: () => void): boolean {
    this.#keep(bytes);
    return this.inner.write(bytes, onTaken);
  }
  override writeFrames(frames: Uint8Array): boolean {
    this.#keep(frames);
    return this.inner.writeFrames(frames);
  }
}
