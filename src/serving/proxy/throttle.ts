import { Transform, type TransformCallback } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** How many times per second data passes. */
const stepsPerSecond = 20;
const lateMsMax = 1000 / stepsPerSecond;

/** Limits the bytes per second, from the first byte on. Faster writers have to wait. */
export class Throttle extends Transform {
  readonly #bytesPerSecond: number;
  readonly #stepBytes: number;
  readonly #closed = new AbortController();
  /** Until when the bytes so far have used up the budget, by `performance.now`. */
  #paidUntilMs = Number.NEGATIVE_INFINITY;

  constructor(bytesPerSecond: number) {
    super();
    this.#bytesPerSecond = bytesPerSecond;
    this.#stepBytes = Math.max(1, Math.floor(bytesPerSecond / stepsPerSecond));
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pass(chunk).then(
      () => done(),
      () => done(), // closed meanwhile
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#closed.abort();
    done(error);
  }

  async #pass(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += this.#stepBytes) {
      const piece = chunk.subarray(at, at + this.#stepBytes);
      await sleep(this.#waitMs(piece.length), undefined, { signal: this.#closed.signal });
      this.push(piece);
    }
  }

  /** If a timer fires late, the next wait is shorter, but by one step at most. */
  #waitMs(bytes: number): number {
    const nowMs = performance.now();
    const from = this.#paidUntilMs < nowMs - lateMsMax ? nowMs : this.#paidUntilMs;
    this.#paidUntilMs = from + (bytes / this.#bytesPerSecond) * 1000;
    return this.#paidUntilMs - nowMs;
  }
}
