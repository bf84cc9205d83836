import type { Queue } from "./queue-table.js";
import type { Seat, Work } from "./seat.js";

/** A class instead of closures, because every request makes one. */
export class RunningRequest<About> implements Seat {
  readonly work: Work;
  readonly seats: number;
  readonly startedAt: number;
  /** Undefined for a request that has a queue from the start. */
  readonly about: About | undefined;
  queue: Queue<About> | undefined;
  /** The flow whose spare seats it has, if it has spare ones. */
  spareOf: number | undefined;
  /** Links of a `RunningRequests`. */
  previous: RunningRequest<About> | undefined;
  next: RunningRequest<About> | undefined;
  #onRelease: ((running: RunningRequest<About>) => void) | undefined;

  constructor(
    work: Work,
    seats: number,
    startedAt: number,
    about: About | undefined,
    onRelease: (running: RunningRequest<About>) => void,
  ) {
    this.work = work;
    this.seats = seats;
    this.startedAt = startedAt;
    this.about = about;
    this.#onRelease = onRelease;
  }

  release(): void {
    const onRelease = this.#onRelease;
    this.#onRelease = undefined;
    onRelease?.(this);
  }
}

/** The newest first. A linked list, because the old tables of a set cost several microseconds of garbage collection per request. */
export class RunningRequests<About> {
  #newest: RunningRequest<About> | undefined;

  get newest(): RunningRequest<About> | undefined {
    return this.#newest;
  }

  add(running: RunningRequest<About>): void {
    running.next = this.#newest;
    if (this.#newest !== undefined) this.#newest.previous = running;
    this.#newest = running;
  }

  remove(running: RunningRequest<About>): void {
    const { previous, next } = running;
    if (next !== undefined) next.previous = previous;
    if (previous !== undefined) previous.next = next;
    else if (this.#newest === running) this.#newest = next;
    running.previous = undefined;
    running.next = undefined;
  }
}
