import { Duplex } from "node:stream";
import type { MessagePort } from "node:worker_threads";

/** How many bytes may be in flight, or unread, before a writer waits. */
const windowBytes = 256 * 1024;
/** The reader acknowledges each time it has read this much. */
const acknowledgedBytes = 64 * 1024;

type PortMessage =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "taken"; readonly bytes: number }
  | { readonly kind: "end" };

type WriteCallback = (error?: Error | null) => void;

/**
 * One end of a connection between two threads over a `MessageChannel`. It has what node:http needs of a socket. Closing or destroying one
 * end closes the other.
 */
export class PortStream extends Duplex {
  readonly #port: MessagePort;
  #unacknowledged = 0;
  #taken = 0;
  /** A write that waits for the window. */
  #waiting: WriteCallback | undefined;
  /** Whether the reader has asked to pause. */
  #isFull = false;
  #isEnded = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(port: MessagePort) {
    super({ allowHalfOpen: true });
    this.#port = port;
    port.on("message", (message) => this.#received(message as PortMessage)); // the other end is one of these
    port.on("close", () => {
      // Bytes that have arrived are still read, unless the other end was destroyed.
      if (this.#isEnded && !this.readableEnded) this.once("end", () => this.destroy());
      else this.destroy();
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: WriteCallback): void {
    const bytes = new Uint8Array(chunk.length);
    bytes.set(chunk);
    this.#send(bytes, done);
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: WriteCallback): void {
    const bytes = new Uint8Array(chunks.reduce((sum, { chunk }) => sum + chunk.length, 0));
    let at = 0;
    for (const { chunk } of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#send(bytes, done);
  }

  override _final(done: WriteCallback): void {
    this.#post({ kind: "end" });
    done();
  }

  override _read(): void {
    this.#isFull = false;
    this.#acknowledge();
  }

  override _destroy(error: Error | null, done: WriteCallback): void {
    clearTimeout(this.#idle);
    this.#port.close();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(error);
    done(error);
  }

  /** Emits `timeout` when nothing is sent or received for this long; 0 turns that off. */
  setTimeout(milliseconds: number, listener?: () => void): this {
    clearTimeout(this.#idle);
    this.#idle = undefined;
    if (listener !== undefined) {
      if (milliseconds === 0) this.off("timeout", listener);
      else this.once("timeout", listener);
    }
    if (milliseconds > 0) this.#idle = setTimeout(() => this.emit("timeout"), milliseconds).unref();
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  #send(bytes: Uint8Array<ArrayBuffer>, done: WriteCallback): void {
    this.#isActive();
    this.#unacknowledged += bytes.length;
    this.#post({ kind: "bytes", bytes }, [bytes.buffer]);
    if (this.#unacknowledged < windowBytes) done();
    else this.#waiting = done;
  }

  #received(message: PortMessage): void {
    this.#isActive();
    switch (message.kind) {
      case "bytes": {
        const { buffer, byteOffset, length } = message.bytes;
        this.#taken += length;
        this.#isFull = !this.push(Buffer.from(buffer, byteOffset, length));
        this.#acknowledge();
        break;
      }
      case "taken": {
        this.#unacknowledged -= message.bytes;
        const waiting = this.#waiting;
        if (waiting === undefined || this.#unacknowledged >= windowBytes) break;
        this.#waiting = undefined;
        waiting();
        break;
      }
      case "end":
        this.#isEnded = true;
        this.push(null);
        break;
    }
  }

  #acknowledge(): void {
    if (this.#isFull || this.#taken < acknowledgedBytes) return;
    this.#post({ kind: "taken", bytes: this.#taken });
    this.#taken = 0;
  }

  #isActive(): void {
    this.#idle?.refresh();
  }

  #post(message: PortMessage, moved: readonly ArrayBuffer[] = []): void {
    if (!this.destroyed) this.#port.postMessage(message, moved);
  }
}
