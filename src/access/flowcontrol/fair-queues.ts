import { dealHand } from "./shuffle-sharding.js";

/** How much of a priority level a request takes. */
export interface Work {
  /** Seats while it runs. */
  readonly seats: number;
  /** Seats taken after the answer, for `finalMs`, while watchers are notified of a write. 0 for most. */
  readonly finalSeats: number;
  readonly finalMs: number;
}

export type RefusalReason = "queue-full" | "concurrency-limit" | "time-out" | "cancelled";

/** Thrown or rejected with when a request gets no seat. */
export class NoSeatError extends Error {
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason) {
    super(`no seat: ${reason}`);
    this.reason = reason;
  }
}

/** An executing request. `release` may be called again. */
export interface Seat {
  release(): void;
}

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Monotonic milliseconds; tests replace it. */
export interface QueueClock {
  now(): number;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

export interface FairQueuesOptions {
  /** Undefined: requests that find no seat are refused. */
  readonly queuing: Queuing | undefined;
  readonly seats: number;
  /** The longest time in a queue. */
  readonly waitMs: number;
  readonly clock: QueueClock;
}

interface Waiting<About> {
  readonly work: Work;
  readonly arrivedAt: number;
  readonly about: About;
  readonly admit: (seat: Seat) => void;
}

interface Queue<About> {
  readonly index: number;
  /** In order of arrival. A set, because requests that give up leave from the middle. */
  readonly waiting: Set<Waiting<About>>;
  running: number;
  seatsRunning: number;
  /** Seats requested by its waiting requests. */
  seatsWaiting: number;
  /** The virtual time at which its next request starts, in seat-milliseconds. */
  nextStart: number;
}

/** The assumed duration of a request until its real one is known. */
const guessMs = 3;

/**
 * The queues of one priority level. A request runs at once while there are seats and nothing waits; otherwise it joins the shortest
 * queue of its flow's hand. When seats become free, the queue goes first whose next request would end first in virtual time, of which
 * every busy queue gets an equal share (start-time fair queuing; Kubernetes, "API Priority and Fairness"). `About` describes a waiting
 * request for `dump`.
 */
export class FairQueues<About = string> {
  readonly #clock: QueueClock;
  readonly #waitMs: number;
  #queuing: Queuing | undefined;
  #seats: number;
  #queues: Queue<About>[] = [];
  /** Queues with waiting requests; few of all that exist. */
  readonly #backlogged = new Set<Queue<About>>();
  #seatsInUse = 0;
  #running = 0;
  #waiting = 0;
  /** The virtual start of the request that was dispatched last. */
  #virtualTime = 0;

  constructor({ queuing, seats, waitMs, clock }: FairQueuesOptions) {
    this.#clock = clock;
    this.#waitMs = waitMs;
    this.#queuing = queuing;
    this.#seats = seats;
    this.#resize();
  }

  get seats(): number {
    return this.#seats;
  }
  get seatsInUse(): number {
    return this.#seatsInUse;
  }
  get running(): number {
    return this.#running;
  }
  get waiting(): number {
    return this.#waiting;
  }

  /** Waiting requests keep their place; a removed queue is served until it is empty. */
  configure(queuing: Queuing | undefined, seats: number): void {
    this.#queuing = queuing;
    this.#seats = seats;
    this.#resize();
    this.#dispatch();
  }

  /**
   * A seat, or a promise of one. Throws or rejects with `NoSeatError`. `signal` is read only when the request waits.
   */
  enter(hash: number, work: Work, about: About, signal: () => AbortSignal): Seat | Promise<Seat> {
    const seats = Math.min(work.seats, this.#seats);
    const hasRoom = this.#waiting === 0 && this.#seatsInUse + seats <= this.#seats;
    if (this.#queuing === undefined) {
      if (!hasRoom) throw new NoSeatError("concurrency-limit");
      return this.#start(undefined, work);
    }
    const queue = this.#choose(hash, this.#queuing);
    if (hasRoom) return this.#start(queue, work);
    if (queue.waiting.size >= this.#queuing.queueLengthLimit) throw new NoSeatError("queue-full");
    return this.#wait(queue, work, about, signal());
  }

  /** Each queue with its requests, for the debug endpoints. */
  *dump(): Iterable<QueueDump<About>> {
    for (const queue of this.#queues) {
      yield {
        index: queue.index,
        running: queue.running,
        seatsRunning: queue.seatsRunning,
        nextStart: queue.nextStart,
        waiting: [...queue.waiting].map(({ about, arrivedAt, work }) => ({ about, arrivedAt, work })),
      };
    }
  }

  #resize(): void {
    const wanted = this.#queuing?.queues ?? 0;
    while (this.#queues.length < wanted) {
      this.#queues.push({
        index: this.#queues.length,
        waiting: new Set(),
        running: 0,
        seatsRunning: 0,
        seatsWaiting: 0,
        nextStart: this.#virtualTime,
      });
    }
    if (this.#queues.length > wanted) this.#queues = this.#queues.slice(0, wanted);
  }

  /** The queue of the hand with the least work. */
  #choose(hash: number, { queues, handSize }: Queuing): Queue<About> {
    let best: Queue<About> | undefined;
    for (const index of dealHand(hash, queues, handSize)) {
      const queue = this.#queues[index];
      if (queue === undefined) continue;
      if (best === undefined || loadOf(queue) < loadOf(best)) best = queue;
    }
    if (best === undefined) throw new Error("a hand of no queues");
    return best;
  }

  #start(queue: Queue<About> | undefined, work: Work): Seat {
    const seats = Math.min(Math.max(1, work.seats), Math.max(1, this.#seats));
    const startedAt = this.#clock.now();
    this.#seatsInUse += seats;
    this.#running++;
    if (queue !== undefined) this.#charge(queue, seats);
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.#running--;
        const ranMs = this.#clock.now() - startedAt;
        if (queue !== undefined) {
          queue.running--;
          queue.seatsRunning -= seats;
          queue.nextStart += seats * (ranMs - guessMs) + work.finalSeats * work.finalMs;
        }
        this.#settle(seats, work);
      },
    };
  }

  #charge(queue: Queue<About>, seats: number): void {
    // An idle queue saves up no credit.
    if (queue.running === 0 && queue.waiting.size === 0) {
      queue.nextStart = Math.max(queue.nextStart, this.#virtualTime);
    }
    this.#virtualTime = Math.max(this.#virtualTime, queue.nextStart);
    queue.nextStart += seats * guessMs;
    queue.running++;
    queue.seatsRunning += seats;
  }

  #settle(seats: number, { finalSeats, finalMs }: Work): void {
    const final = finalMs > 0 ? Math.min(finalSeats, this.#seats) : 0;
    this.#seatsInUse += final - seats;
    if (final > 0) {
      this.#clock.after(finalMs, () => {
        this.#seatsInUse -= final;
        this.#dispatch();
      });
    }
    this.#dispatch();
  }

  #wait(queue: Queue<About>, work: Work, about: About, signal: AbortSignal): Promise<Seat> {
    return new Promise((resolve, reject) => {
      const leave = (reason: RefusalReason): void => {
        done();
        this.#remove(queue, waiting);
        reject(new NoSeatError(reason));
        this.#dispatch();
      };
      const abort = (): void => leave("cancelled");
      const cancelTimer = this.#clock.after(this.#waitMs, () => leave("time-out"));
      const done = (): void => {
        cancelTimer();
        signal.removeEventListener("abort", abort);
      };
      const waiting: Waiting<About> = {
        work,
        about,
        arrivedAt: this.#clock.now(),
        admit: (seat) => {
          done();
          resolve(seat);
        },
      };
      if (queue.running === 0 && queue.waiting.size === 0) {
        queue.nextStart = Math.max(queue.nextStart, this.#virtualTime);
      }
      queue.waiting.add(waiting);
      queue.seatsWaiting += work.seats;
      this.#waiting++;
      this.#backlogged.add(queue);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    });
  }

  #remove(queue: Queue<About>, waiting: Waiting<About>): void {
    if (!queue.waiting.delete(waiting)) return;
    queue.seatsWaiting -= waiting.work.seats;
    this.#waiting--;
    if (queue.waiting.size === 0) this.#backlogged.delete(queue);
  }

  /** Nothing overtakes the request whose turn it is, even if it waits for more seats. */
  #dispatch(): void {
    while (this.#waiting > 0) {
      const next = this.#nextQueue();
      const [waiting] = next?.waiting ?? [];
      if (next === undefined || waiting === undefined) return;
      const seats = Math.min(waiting.work.seats, this.#seats);
      if (this.#seatsInUse > 0 && this.#seatsInUse + seats > this.#seats) return;
      if (this.#seats === 0) return;
      this.#remove(next, waiting);
      waiting.admit(this.#start(next, waiting.work));
    }
  }

  #nextQueue(): Queue<About> | undefined {
    let best: Queue<About> | undefined;
    let bestFinish = Number.POSITIVE_INFINITY;
    for (const queue of this.#backlogged) {
      const [first] = queue.waiting;
      if (first === undefined) continue;
      const finish =
        queue.nextStart + first.work.seats * guessMs + first.work.finalSeats * first.work.finalMs;
      if (finish < bestFinish) {
        best = queue;
        bestFinish = finish;
      }
    }
    return best;
  }
}

export interface QueueDump<About> {
  readonly index: number;
  readonly running: number;
  readonly seatsRunning: number;
  readonly nextStart: number;
  readonly waiting: readonly { readonly about: About; readonly arrivedAt: number; readonly work: Work }[];
}

function loadOf({ seatsWaiting, seatsRunning }: Queue<unknown>): number {
  return seatsWaiting + seatsRunning;
}
