import type { ResponseStream } from "./exchange.js";

/** Forwards everything to another stream. Base class for streams that change or observe an answer in pieces. */
export class ForwardingStream implements ResponseStream {
  readonly chunked: boolean;
  protected readonly inner: ResponseStream;

  constructor(inner: ResponseStream) {
    this.inner = inner;
    this.chunked = inner.chunked;
  }

  get closed(): boolean {
    return this.inner.closed;
  }
  flushHeaders(): void {
    this.inner.flushHeaders();
  }
  write(bytes: Uint8Array, onTaken?: () => void): boolean {
    return this.inner.write(bytes, onTaken);
  }
  writeFrames(frames: Uint8Array): boolean {
    return this.inner.writeFrames(frames);
  }
  drained(): Promise<void> {
    return this.inner.drained();
  }
  end(): void {
    this.inner.end();
  }
  abort(): void {
    this.inner.abort();
  }
}
