import { isIdle, type Queue, type QueueDump, QueueTable, type Waiting } from "./queue-table.js";
import { RunningRequest, RunningRequests } from "./running-request.js";
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

export interface FairQueuesOptions<About = unknown> {
  readonly observer?: QueueObserver<About> | undefined;
  /** Undefined: requests that find no seat are refused. */
  readonly queuing: Queuing | undefined;
  readonly seats: number;
  /** The longest time in a queue. */
  readonly waitMs: number;
  readonly clock: QueueClock;
}

/** A level has one spare seat per this many seats, so that a flow without running requests need not wait for other flows' seats. */
const seatsPerSpare = 5;
/** The assumed duration of a request until its real one is known. */
const guessMs = 3;

/**
 * The queues of one priority level. A request runs at once if there are seats and nothing waits; otherwise it joins the shortest queue of
 * its flow's hand. When seats become free, the next request comes from the queue whose head would end first in virtual time, of which
 * every busy queue gets an equal share (start-time fair queuing; Kubernetes, "API Priority and Fairness"). Beyond Kubernetes, a flow
 * without running or waiting requests may use a few spare seats, because seats are held for long by large answers and by clients that
 * read slowly. `About` describes a request.
 */
export class FairQueues<About extends FlowOf> {
  readonly #clock: QueueClock;
  readonly #waitMs: number;
  readonly #observer: QueueObserver<About> | undefined;
  #queuing: Queuing | undefined;
  #seats: number;
  #withheld = 0;
  readonly #queues = new QueueTable<About>(() => this.#virtualTime);
  /** Queues with waiting requests, which are few. */
  readonly #backlogged = new Set<Queue<About>>();
  /** Running requests that started while none waited. They are assigned to queues only when others have to wait, which is rare. */
  readonly #unqueued = new RunningRequests<About>();
  #seatsInUse = 0;
  /** How many of them are spare ones. */
  #spareInUse = 0;
  /** Hashes of the flows that use spare seats: one request per flow, although a heavy flow's hand may include more idle queues. */
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
  /** Queues with waiting requests. */
  get activeQueues(): number {
    return this.#backlogged.size;
  }

  /** The seats that requests have, wait for, and were refused since the last call. */
  takeSeatDemand(): number {
    let seats = this.#seatsInUse + this.#refused;
    for (const queue of this.#backlogged) seats += queue.seatsWaiting;
    this.#refused = 0;
    return seats;
  }

  /**
   * Waiting requests keep their place; a removed queue is served until it is empty. `withheld`: seats that are not available while load
   * is shed. Spare seats stay, because flows with running requests cause the load.
   */
  configure(queuing: Queuing | undefined, seats: number, withheld = 0): void {
    this.#queuing = queuing;
    this.#seats = seats;
    this.#withheld = withheld;
    this.#queues.shorten(queuing?.queues ?? 0);
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
    const queue = this.#queues.choose(hash, this.#queuing);
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
  dump(): Iterable<QueueDump<About>> {
    return this.#queues.dump(this.#queuing?.queues ?? 0);
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
    this.#unqueued.add(running);
    return running;
  }

  #run(work: Work, about: About | undefined, seatsMax = this.#seats): RunningRequest<About> {
    const seats = Math.min(Math.max(1, work.seats), Math.max(1, seatsMax));
    this.#seatsInUse += seats;
    this.#running++;
    return new RunningRequest(work, seats, this.#clock.now(), about, this.#release);
  }

  readonly #release = (running: RunningRequest<About>): void => {
    const { queue, work, seats, startedAt } = running;
    this.#running--;
    if (queue === undefined) {
      this.#unqueued.remove(running);
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

  /** Assigns running requests to queues as soon as others wait. */
  #assignQueues(queuing: Queuing): void {
    for (let running = this.#unqueued.newest; running !== undefined; running = this.#unqueued.newest) {
      this.#unqueued.remove(running);
      if (running.about !== undefined)
        this.#charge(this.#queues.choose(running.about.hash, queuing), running);
    }
  }

  #charge(queue: Queue<About>, running: RunningRequest<About>): void {
    const { seats } = running;
    running.queue = queue;
    // An idle queue accumulates no credit.
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
