import {
  type FlowOf,
  NoSeatError,
  type QueueClock,
  type QueueObserver,
  type Queuing,
  type RefusalReason,
  type Seat,
  type Waiter,
  type Work,
} from "./seat.js";
import { dealHand } from "./shuffle-sharding.js";

export interface FairQueuesOptions<About = unknown> {
  readonly observer?: QueueObserver<About> | undefined;
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

/** A running request. A class instead of closures, because every request makes one. */
class Running<About> implements Seat {
  readonly work: Work;
  readonly seats: number;
  readonly startedAt: number;
  /** Undefined for a request that has a queue from the start. */
  readonly about: About | undefined;
  queue: Queue<About> | undefined;
  /** The flow whose spare seats it has, if it has spare ones. */
  spareOf: number | undefined;
  /** Links the list of requests without a queue. */
  previous: Running<About> | undefined;
  next: Running<About> | undefined;
  #onRelease: ((running: Running<About>) => void) | undefined;

  constructor(
    work: Work,
    seats: number,
    startedAt: number,
    about: About | undefined,
    onRelease: (running: Running<About>) => void,
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

interface Queue<About> {
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

/** A level has one spare seat for this many seats: a flow without running requests need not wait for the seats of others. */
const seatsPerSpare = 5;
/** The assumed duration of a request until its real one is known. */
const guessMs = 3;
/** Idle queues are dropped beyond this number, because a level may have ten million. */
const idleQueuesMax = 4096;
/** How many queues `dump` shows even if they are idle. */
const dumpedMax = 10_000;

/**
 * The queues of one priority level. A request runs at once if there are seats and nothing waits; otherwise it joins the shortest queue of
 * its flow's hand. When seats become free, the next request comes from the queue whose head would end first in virtual time, of which every
 * busy queue gets an equal share (start-time fair queuing; Kubernetes, "API Priority and Fairness"). Beyond Kubernetes, a flow without
 * running or waiting requests may use a few spare seats, because seats are held for long by large answers and by clients that read slowly.
 * `About` describes a waiting request for `dump`.
 */
export class FairQueues<About extends FlowOf> {
  readonly #clock: QueueClock;
  readonly #waitMs: number;
  readonly #observer: QueueObserver<About> | undefined;
  #queuing: Queuing | undefined;
  #seats: number;
  #withheld = 0;
  /** By index; queues are made when they are first used. */
  readonly #queues = new Map<number, Queue<About>>();
  #sweepAt = idleQueuesMax;
  /** Queues with waiting requests; few of all that exist. */
  readonly #backlogged = new Set<Queue<About>>();
  /**
   * The newest of the requests that started while none waited. They get a queue only when others have to wait, which is rare. A linked
   * list, because the old tables of a set cost several microseconds of garbage collection per request.
   */
  #unqueued: Running<About> | undefined;
  /** How many of them are spare ones. */
  #seatsInUse = 0;
  #spareInUse = 0;
  /** Hashes of the flows that use spare seats: one request per flow, although the hand of a heavy flow may have more idle queues. */
  readonly #spareFlows = new Set<number>();
  #running = 0;
  #waiting = 0;
  #refused = 0;
  /** The virtual start of the last dispatched request. */
  #virtualTime = 0;

  constructor({ queuing, seats, waitMs, clock, observer }: FairQueuesOptions<About>) {
    this.#clock = clock;
    this.#waitMs = waitMs;
    this.#observer = observer;
    this.#queuing = queuing;
    this.#seats = seats;
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
  /** In seat-milliseconds. */
  get virtualTime(): number {
    return this.#virtualTime;
  }
  /** The seats that requests have, wait for, and were refused since the last call. */
  takeSeatDemand(): number {
    let seats = this.#seatsInUse + this.#refused;
    for (const queue of this.#backlogged) seats += queue.seatsWaiting;
    this.#refused = 0;
    return seats;
  }
  /** Queues with waiting requests. */
  get activeQueues(): number {
    return this.#backlogged.size;
  }

  /**
   * Waiting requests keep their place; a removed queue is served until it is empty. `withheld` are seats that the level lacks for now. It
   * keeps its spare ones, because the load comes from flows with running requests.
   */
  configure(queuing: Queuing | undefined, seats: number, withheld = 0): void {
    this.#queuing = queuing;
    this.#seats = seats;
    this.#withheld = withheld;
    const wanted = queuing?.queues ?? 0;
    for (const index of this.#queues.keys()) if (index >= wanted) this.#queues.delete(index);
    this.#dispatch();
  }

  /** A seat, or a promise of one. Throws or rejects with `NoSeatError`. */
  enter(about: About, work: Work, waiter: Waiter): Seat | Promise<Seat> {
    const seats = Math.min(work.seats, this.#seats);
    const hasRoom = this.#waiting === 0 && this.#seats > 0 && this.#fits(seats);
    if (this.#queuing === undefined) {
      if (!hasRoom) {
        this.#refused += work.seats;
        throw new NoSeatError("concurrency-limit");
      }
      return this.#start(undefined, work);
    }
    if (hasRoom) return this.#startUnqueued(about, work);
    this.#assignQueues(this.#queuing);
    const { hash } = about;
    const queue = this.#choose(hash, this.#queuing);
    if (isIdle(queue) && !this.#spareFlows.has(hash) && this.#fitsSpare(work)) {
      return this.#startSpare(queue, work, hash);
    }
    if (queue.waiting.size >= this.#queuing.queueLengthLimit) {
      this.#refused += work.seats;
      throw new NoSeatError("queue-full");
    }
    return this.#wait(queue, work, about, waiter.signal);
  }

  /** The queues with their requests, for the debug endpoints: the first ten thousand, and those in use of the others. */
  *dump(): Iterable<QueueDump<About>> {
    const shown = Math.min(this.#queuing?.queues ?? 0, dumpedMax);
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
      nextStart: this.#virtualTime,
    };
  }

  /** An idle queue without a debt equals a new one. */
  #dropIdle(): void {
    for (const [index, queue] of this.#queues) {
      if (isIdle(queue) && queue.nextStart <= this.#virtualTime) this.#queues.delete(index);
    }
    this.#sweepAt = Math.max(idleQueuesMax, 2 * this.#queues.size);
  }

  /** The queue of the hand with the least work. */
  #choose(hash: number, { queues, handSize }: Queuing): Queue<About> {
    let best: Queue<About> | undefined;
    for (const index of dealHand(hash, queues, handSize)) {
      const queue = this.#queue(index);
      if (best === undefined || loadOf(queue) < loadOf(best)) best = queue;
    }
    if (best === undefined) throw new Error("a hand of no queues");
    return best;
  }

  #start(queue: Queue<About> | undefined, work: Work): Seat {
    const running = this.#run(work, undefined);
    if (queue !== undefined) this.#charge(queue, running);
    return running;
  }

  #startSpare(queue: Queue<About>, work: Work, flow: number): Seat {
    const running = this.#run(work, undefined, this.#seats + this.#withheld);
    running.spareOf = flow;
    this.#spareFlows.add(flow);
    this.#spareInUse += running.seats;
    this.#charge(queue, running);
    return running;
  }

  #startUnqueued(about: About, work: Work): Seat {
    const running = this.#run(work, about);
    running.next = this.#unqueued;
    if (this.#unqueued !== undefined) this.#unqueued.previous = running;
    this.#unqueued = running;
    return running;
  }

  #run(work: Work, about: About | undefined, seatsMax = this.#seats): Running<About> {
    const seats = Math.min(Math.max(1, work.seats), Math.max(1, seatsMax));
    this.#seatsInUse += seats;
    this.#running++;
    return new Running(work, seats, this.#clock.now(), about, this.#release);
  }

  readonly #release = (running: Running<About>): void => {
    const { queue, work, seats, startedAt } = running;
    this.#running--;
    if (queue === undefined) {
      this.#unlink(running);
    } else {
      const ranMs = this.#clock.now() - startedAt;
      queue.running--;
      queue.seatsRunning -= seats;
      queue.nextStart += seats * (ranMs - guessMs) + work.finalSeats * work.finalMs;
    }
    if (running.spareOf !== undefined) {
      this.#spareInUse -= seats;
      this.#spareFlows.delete(running.spareOf);
    }
    this.#settle(seats, work);
  };

  /** Spare seats do not count here: otherwise a wide request would wait as long as small ones arrive. */
  #fits(seats: number): boolean {
    return this.#seatsInUse - this.#spareInUse + seats <= this.#seats;
  }

  #fitsSpare({ seats }: Work): boolean {
    const total = this.#seats + this.#withheld;
    if (total === 0) return false;
    return this.#spareInUse + Math.min(seats, total) <= Math.floor(total / seatsPerSpare);
  }

  #unlink(running: Running<About>): void {
    const { previous, next } = running;
    if (next !== undefined) next.previous = previous;
    if (previous !== undefined) previous.next = next;
    else if (this.#unqueued === running) this.#unqueued = next;
    running.previous = undefined;
    running.next = undefined;
  }

  /** Assigns running requests to queues, once others wait. */
  #assignQueues(queuing: Queuing): void {
    for (let running = this.#unqueued; running !== undefined; running = this.#unqueued) {
      this.#unlink(running);
      if (running.about !== undefined) this.#charge(this.#choose(running.about.hash, queuing), running);
    }
  }

  #charge(queue: Queue<About>, running: Running<About>): void {
    const { seats } = running;
    running.queue = queue;
    // An idle queue saves up no credit.
    if (isIdle(queue)) queue.nextStart = Math.max(queue.nextStart, this.#virtualTime);
    this.#virtualTime = Math.max(this.#virtualTime, queue.nextStart);
    queue.nextStart += seats * guessMs;
    queue.running++;
    queue.seatsRunning += seats;
  }

  #settle(seats: number, { finalSeats, finalMs }: Work): void {
    const final = finalMs > 0 ? Math.min(finalSeats, this.#seats) : 0;
    this.#seatsInUse += final - seats;
    if (final > 0) {
      this.#observer?.finalSeats(final);
      this.#clock.after(finalMs, () => {
        this.#seatsInUse -= final;
        this.#observer?.finalSeats(-final);
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
      if (isIdle(queue)) queue.nextStart = Math.max(queue.nextStart, this.#virtualTime);
      queue.waiting.add(waiting);
      queue.seatsWaiting += work.seats;
      this.#waiting++;
      this.#backlogged.add(queue);
      this.#observer?.enqueued(about, queue.waiting.size, work.seats);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    });
  }

  #remove(queue: Queue<About>, waiting: Waiting<About>): void {
    if (!queue.waiting.delete(waiting)) return;
    queue.seatsWaiting -= waiting.work.seats;
    this.#waiting--;
    this.#observer?.dequeued(waiting.about, waiting.work.seats);
    if (queue.waiting.size === 0) this.#backlogged.delete(queue);
  }

  /** Nothing overtakes the request whose turn it is, even if it waits for more seats. */
  #dispatch(): void {
    while (this.#waiting > 0) {
      const next = this.#nextQueue();
      const [waiting] = next?.waiting ?? [];
      if (next === undefined || waiting === undefined) return;
      const seats = Math.min(waiting.work.seats, this.#seats);
      if (this.#seatsInUse > this.#spareInUse && !this.#fits(seats)) {
        this.#observer?.noRoom(waiting.about);
        return;
      }
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

function dumpOf<About>({ index, running, seatsRunning, nextStart, waiting }: Queue<About>): QueueDump<About> {
  return {
    index,
    running,
    seatsRunning,
    nextStart,
    waiting: [...waiting].map(({ about, arrivedAt, work }) => ({ about, arrivedAt, work })),
  };
}

function isIdle({ running, waiting }: Queue<unknown>): boolean {
  return running === 0 && waiting.size === 0;
}

function loadOf({ seatsWaiting, seatsRunning }: Queue<unknown>): number {
  return seatsWaiting + seatsRunning;
}
