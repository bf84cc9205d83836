import { loopTurns } from "../../event-loop/loop-turns.js";
import { SharedFrames } from "./shared-frames.js";

export interface Flushable {
  /**
   * Writes queued events as far as the transport accepts them. Returns whether they leave only at the end of this turn. `now`: the time
   * when it was last read.
   */
  flush(frames: SharedFrames, now: number): boolean;
}

export interface WatchOutboxOptions {
  /** Milliseconds; monotonic. */
  readonly now?: (() => number) | undefined;
}

/** A socket write takes about 15 µs: a round over 5,000 watchers would hold the event loop for 90 ms. */
const sliceMsMax = 2;
const sliceMsMin = 0.25;
/** Per commit, whose writers wait meanwhile: enough for more than fifty watchers. */
const flushMsMax = 1;
/** Regardless of the time: the clock also counts other processes. Eight events of the largest size take 10 ms. */
const flushStreamsMin = 8;
/**
 * How long a turn of the event loop should take in all. HTTP/2 encrypts and sends the output of a slice after it, which takes several times
 * as long as writing it.
 */
const turnMs = 6;

/**
 * Writes the events of all watch streams of a server: everything that one turn of the event loop brings for a stream goes out in one write,
 * at the end of that turn or with `flush`. Other work runs between the slices of a long round.
 */
export class WatchOutbox {
  readonly #now: () => number;
  readonly #frames = new SharedFrames();
  /** Added since the last slice. */
  #added: Flushable[] = [];
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
    this.#added.push(stream);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#round);
  }

  /**
   * Writes what was added since the last slice now, ahead of a long round in progress, for a millisecond or at least the first few; the
   * rest joins the round. Returns whether some of it leaves only at the end of this turn.
   */
  flush(): boolean {
    if (this.#added.length === 0) return false;
    const streams = this.#added;
    this.#added = [];
    let now = this.#now();
    const end = now + Math.min(this.#sliceMs, flushMsMax);
    let isDeferred = false;
    let flushed = 0;
    for (const stream of streams) {
      flushed++;
      if (stream.flush(this.#frames, now)) isDeferred = true;
      if (flushed < flushStreamsMin) continue;
      now = this.#now();
      if (now >= end) break;
    }
    for (; flushed < streams.length; flushed++) {
      const stream = streams[flushed];
      if (stream !== undefined) this.#waiting.push(stream);
    }
    if (this.#waiting.length === 0) this.#frames.clear();
    return isDeferred;
  }

  readonly #round = (): void => {
    const began = this.#now();
    if (this.#lastTurn !== undefined) this.#adapt(began - this.#lastTurn);
    this.#lastTurn = undefined;
    const end = began + this.#sliceMs;
    // Streams added meanwhile wait for the next turn, so that later events join the same write.
    for (const stream of this.#added) this.#waiting.push(stream);
    this.#added = [];
    const last = this.#waiting.length;
    for (let now = began; this.#next < last && now < end; now = this.#now())
      this.#waiting[this.#next++]?.flush(this.#frames, now);
    loopTurns.spent(this.#now() - began);
    const isOver = this.#next >= last;
    if (isOver) {
      this.#waiting = [];
      this.#next = 0;
    }
    if (!isOver || this.#added.length > 0) {
      this.#lastTurn = began;
      setImmediate(this.#round);
      return;
    }
    this.#frames.clear();
    this.#scheduled = false;
  };

  #adapt(elapsedMs: number): void {
    this.#sliceMs =
      elapsedMs > turnMs
        ? Math.max(sliceMsMin, (this.#sliceMs * turnMs) / elapsedMs)
        : Math.min(sliceMsMax, this.#sliceMs * 1.25);
  }
}
