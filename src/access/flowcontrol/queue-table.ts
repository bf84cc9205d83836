import type { Queuing, Seat, Work } from "./seat.js";
import { dealHand } from "./shuffle-sharding.js";

/** A request in a queue. */
export interface Waiting<About> {
  readonly work: Work;
  readonly arrivedAt: number;
  readonly about: About;
  readonly admit: (seat: Seat) => void;
}

export interface Queue<About> {
  readonly index: number;
  /** In order of arrival. A set, because requests may leave from the middle. */
  readonly waiting: Set<Waiting<About>>;
  running: number;
  seatsRunning: number;
  /** Seats requested by its waiting requests. */
  seatsWaiting: number;
  /** The virtual time at which its next request starts, in seat-milliseconds. */
  nextStart: number;
}

/** Idle queues are dropped beyond this number, because a level may have ten million. */
const idleQueuesMax = 4096;
/** How many queues `dump` shows even if they are idle. */
const dumpedMax = 10_000;

/** The queues of a priority level by index, made when they are first used. */
export class QueueTable<About> {
  /** In seat-milliseconds. */
  readonly #virtualTime: () => number;
  readonly #queues = new Map<number, Queue<About>>();
  #sweepAt = idleQueuesMax;

  constructor(virtualTime: () => number) {
    this.#virtualTime = virtualTime;
  }

  /** The queue of the hand with the least work. */
  choose(hash: number, { queues, handSize }: Queuing): Queue<About> {
    let best: Queue<About> | undefined;
    for (const index of dealHand(hash, queues, handSize)) {
      const queue = this.#queue(index);
      if (best === undefined || loadOf(queue) < loadOf(best)) best = queue;
    }
    if (best === undefined) throw new Error("a hand without queues");
    return best;
  }

  /** Removes those from this index on. */
  shorten(count: number): void {
    for (const index of this.#queues.keys()) if (index >= count) this.#queues.delete(index);
  }

  /** The first ten thousand of `count` queues, and those in use of the others. */
  *dump(count: number): Iterable<QueueDump<About>> {
    const shown = Math.min(count, dumpedMax);
    for (let index = 0; index < shown; index++)
      yield dumpOf(this.#queues.get(index) ?? this.#newQueue(index));
    for (const queue of this.#queues.values())
      if (queue.index >= shown && !isIdle(queue)) yield dumpOf(queue);
  }

  #queue(index: number): Queue<About> {
    const known = this.#queues.get(index);
    if (known !== undefined) return known;
    if (this.#queues.size >= this.#sweepAt) this.#dropIdle();
    const queue = this.#newQueue(index);
    this.#queues.set(index, queue);
    return queue;
  }

  #newQueue(index: number): Queue<About> {
    return {
      index,
      waiting: new Set(),
      running: 0,
      seatsRunning: 0,
      seatsWaiting: 0,
      nextStart: this.#virtualTime(),
    };
  }

  /** An idle queue whose next start is not in the future is equal to a new one. */
  #dropIdle(): void {
    for (const [index, queue] of this.#queues) {
      if (isIdle(queue) && queue.nextStart <= this.#virtualTime()) this.#queues.delete(index);
    }
    this.#sweepAt = Math.max(idleQueuesMax, 2 * this.#queues.size);
  }
}

export interface QueueDump<About> {
  readonly index: number;
  readonly running: number;
  readonly seatsRunning: number;
  readonly nextStart: number;
  readonly waiting: readonly { readonly about: About; readonly arrivedAt: number; readonly work: Work }[];
}

function dumpOf<About>({ index, running, seatsRunning, nextStart, waiting }: Queue<About>): QueueDump<About> {
  return {
    index,
    running,
    seatsRunning,
    nextStart,
    waiting: [...waiting].map(({ about, arrivedAt, work }) => ({ about, arrivedAt, work })),
  };
}

/** Whether nothing runs or waits. */
export function isIdle({ running, waiting }: Queue<unknown>): boolean {
  return running === 0 && waiting.size === 0;
}

function loadOf({ seatsWaiting, seatsRunning }: Queue<unknown>): number {
  return seatsWaiting + seatsRunning;
}
