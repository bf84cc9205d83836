import type { HttpExchange, ResponseHeaders, ResponseStream } from "../http/exchange.js";
import { ForwardingExchange } from "../http/forwarding-exchange.js";
import { ForwardingStream } from "../http/forwarding-stream.js";

/** Called with the answer's status; the answer is sent when the promise settles. */
export type AnswerGate = (status: number) => Promise<unknown>;

/** An exchange that delays its answer: a complete one before it is sent, a streamed one before its end. */
export class HeldExchange extends ForwardingExchange {
  readonly #gate: AnswerGate;
  #heldStatus = 0;

  constructor(inner: HttpExchange, gate: AnswerGate) {
    super(inner);
    this.#gate = gate;
  }

  override get responseStarted(): boolean {
    return this.#heldStatus !== 0 || this.inner.responseStarted;
  }
  override get statusCode(): number {
    return this.#heldStatus === 0 ? this.inner.statusCode : this.#heldStatus;
  }

  override respond(status: number, headers: ResponseHeaders, body?: Uint8Array | string): void {
    if (this.responseStarted) throw new Error("the answer was already started");
    this.#heldStatus = status;
    void this.#gate(status).finally(() => this.inner.respond(status, headers, body));
  }

  override startStream(status: number, headers: ResponseHeaders): ResponseStream {
    return new HeldStream(this.inner.startStream(status, headers), () => this.#gate(status));
  }
}

class HeldStream extends ForwardingStream {
  readonly #gate: () => Promise<unknown>;
  #isEnding = false;

  constructor(inner: ResponseStream, gate: () => Promise<unknown>) {
    super(inner);
    this.#gate = gate;
  }

  override get closed(): boolean {
    return this.#isEnding || this.inner.closed;
  }

  override write(bytes: Uint8Array, onTaken?: () => void): boolean {
    return this.closed || this.inner.write(bytes, onTaken);
  }
  override writeFrames(frames: Uint8Array): boolean {
    return this.closed || this.inner.writeFrames(frames);
  }

  override end(): void {
    if (this.closed) return;
    this.#isEnding = true;
    void this.#gate().finally(() => this.inner.end());
  }
}
