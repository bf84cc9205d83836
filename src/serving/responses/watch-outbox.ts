import { SharedFrames } from "./shared-frames.js";

export interface Flushable {
  /** Writes queued events as far as the transport accepts them. */
  flush(frames: SharedFrames): void;
}

export interface WatchOutboxOptions {
  /** Milliseconds; monotonic. */
  readonly now?: (() => number) | undefined;
}

/** A socket write takes about 15 µs: a round over 5,000 watchers would hold the event loop for 90 ms. */
const sliceMsMax = 2;
const sliceMsMin = 0.25;
/**
 * How long a turn of the event loop should take in all. HTTP/2 encrypts and sends the output of a slice after it, which takes several
 * times as long as writing it.
 */
const turnMs = 6;

/**
 * Writes the events of all watch streams of a server: everything that one turn of the event loop brings for a stream goes out in one
 * write at the end of that turn, and other work runs between slices of a long round.
 */
export class WatchOutbox {
  readonly #now: () => number;
  readonly #frames = new SharedFrames();
  #waiting: Flushable[] = [];
  #next = 0;
  #scheduled = false;
  #sliceMs = sliceMsMax;
  /** When the round began that continues in this turn. */
  #lastTurn: number | undefined;

  constructor(options: WatchOutboxOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** Schedules one call of `stream.flush`. */
  add(stream: Flushable): void {
    this.#waiting.push(stream);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#round);
  }

  readonly #round = (): void => {
    const began = this.#now();
    if (this.#lastTurn !== undefined) this.#adapt(began - this.#lastTurn);
    this.#lastTurn = undefined;
    const end = began + this.#sliceMs;
    // Streams added meanwhile wait for the next turn: their later events join the same write.
    const last = this.#waiting.length;
    while (this.#next < last) {
      this.#waiting[this.#next++]?.flush(this.#frames);
      if (this.#now() >= end) break;
    }
    if (this.#next < this.#waiting.length) {
      this.#lastTurn = began;
      setImmediate(this.#round);
      if (this.#next >= last) this.#compact();
      return;
    }
    this.#compact();
    this.#frames.clear();
    this.#scheduled = false;
  };

  #adapt(elapsedMs: number): void {
    this.#sliceMs =
      elapsedMs > turnMs
        ? Math.max(sliceMsMin, (this.#sliceMs * turnMs) / elapsedMs)
        : Math.min(sliceMsMax, this.#sliceMs * 1.25);
  }

  #compact(): void {
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
  }
}
