import { SharedFrames } from "./shared-frames.js";

export interface Flushable {
  /** Writes what is waiting, as far as the transport takes it. */
  flush(frames: SharedFrames): void;
}

export interface WatchOutboxOptions {
  /** Milliseconds; monotonic. */
  readonly now?: (() => number) | undefined;
}

/** A socket write takes about 15 µs: a round over 5,000 watchers would hold the event loop for 90 ms. */
const sliceMs = 3;
const clockEvery = 8;

/**
 * Writes the events of all watch streams of a server: what one turn of the event loop brought for a stream goes out
 * in one write, at the end of that turn, and other work runs between slices of a long round.
 */
export class WatchOutbox {
  readonly #now: () => number;
  readonly #frames = new SharedFrames();
  #waiting: Flushable[] = [];
  #next = 0;
  #scheduled = false;

  constructor(options: WatchOutboxOptions = {}) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** Asks for one call of `stream.flush` soon. */
  add(stream: Flushable): void {
    this.#waiting.push(stream);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#round);
  }

  readonly #round = (): void => {
    const end = this.#now() + sliceMs;
    // Streams that are added meanwhile wait for the next turn: what they get until then joins the same write.
    const last = this.#waiting.length;
    while (this.#next < last) {
      this.#waiting[this.#next++]?.flush(this.#frames);
      if (this.#next % clockEvery === 0 && this.#now() >= end) break;
    }
    if (this.#next < this.#waiting.length) {
      setImmediate(this.#round);
      if (this.#next >= last) this.#compact();
      return;
    }
    this.#compact();
    this.#frames.clear();
    this.#scheduled = false;
  };

  #compact(): void {
    this.#waiting = this.#waiting.slice(this.#next);
    this.#next = 0;
  }
}
