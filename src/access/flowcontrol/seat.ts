/** How much of a priority level a request takes. */
export interface Work {
  /** Seats while it runs. */
  readonly seats: number;
  /** Seats taken after the answer, for `finalMs`, while watchers are notified of a write. 0 for most. */
  readonly finalSeats: number;
  readonly finalMs: number;
  /** Number of watches that a write feeds. */
  readonly watchers?: number | undefined;
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

/** A request that can wait. */
export interface FlowOf {
  /** The same for all requests of a flow. Read only when requests wait. */
  readonly hash: number;
}

/** Observes waiting requests. */
export interface QueueObserver<About> {
  /** `length` is that of the queue, this request included; `seats` are those that it waits for. */
  enqueued(about: About, length: number, seats: number): void;
  dequeued(about: About, seats: number): void;
  /** Called when the next request does not fit into the free seats. */
  noRoom(about: About): void;
  /** Seats that a request keeps for a while after its answer were taken or returned. */
  finalSeats(delta: number): void;
}

/** An executing request. `release` may be called again. */
export interface Seat {
  /** By the clock of the queues. */
  readonly startedAt: number;
  release(): void;
}

/** The signal is read only when the request waits. */
export interface Waiter {
  readonly signal: AbortSignal;
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
