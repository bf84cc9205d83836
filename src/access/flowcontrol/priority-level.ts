import type { RequestInfo, UserInfo } from "../../apimachinery/requests/request-info.js";
import type { FairQueues } from "./fair-queues.js";
import type { Admission, FlowChildren, FlowControlMetrics } from "./flow-control-metrics.js";
import { type CompiledFlowSchema, distinguisherOf } from "./flow-schema.js";
import type { QueueClock, Queuing, Seat } from "./seat.js";
import { DemandMeter, noDemand, type SeatBounds, type SeatDemand } from "./seat-borrowing.js";
import { flowHash } from "./shuffle-sharding.js";

export interface FlowControlOptions {
  /** How many requests may run at the same time, over all limited priority levels. */
  readonly seats: number;
  /** The longest time in a queue. */
  readonly waitMs: number;
  readonly clock: QueueClock;
  readonly metrics: FlowControlMetrics;
  /** Whether a list's seats are limited by those of its level. */
  readonly boundsLists?: boolean | undefined;
}

/** A request at a priority level, and its seat once it has one. Distinguisher and hash are computed on demand. */
export class QueuedRequest implements Seat {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly #schema: CompiledFlowSchema;
  readonly #options: FlowControlOptions;
  #seat: Seat | undefined;
  #flow: FlowChildren | undefined;
  #admission: Admission | undefined;

  constructor(schema: CompiledFlowSchema, user: UserInfo, info: RequestInfo, options: FlowControlOptions) {
    this.#schema = schema;
    this.user = user;
    this.info = info;
    this.#options = options;
  }

  get flowSchema(): string {
    return this.#schema.name;
  }

  get distinguisher(): string {
    return distinguisherOf(this.#schema.distinguisher, this.user, this.info);
  }

  get hash(): number {
    return flowHash(this.flowSchema, this.distinguisher);
  }

  get startedAt(): number {
    return this.#seat?.startedAt ?? 0;
  }

  admit({ name, queuing }: PriorityLevel, seat: Seat, waitedMs: number | undefined, seats: number): this {
    this.#seat = seat;
    const isQueuing = queuing !== undefined;
    this.#admission = { verb: this.info.verb, waitedMs, isQueuing, seats, atMs: seat.startedAt };
    this.#flow = this.#options.metrics.admitted(name, this.#schema.name, this.#admission);
    return this;
  }

  release(): void {
    const seat = this.#seat;
    const flow = this.#flow;
    const admission = this.#admission;
    if (seat === undefined || flow === undefined || admission === undefined) return;
    this.#seat = undefined;
    seat.release();
    this.#options.metrics.finished(flow, admission, this.#options.clock.now());
  }
}

export interface PriorityLevel {
  readonly name: string;
  readonly uid: string;
  /** Undefined for an exempt level. */
  readonly queues: FairQueues<QueuedRequest> | undefined;
  readonly bounds: SeatBounds;
  readonly lending: Lending;
  readonly queuing: Queuing | undefined;
  /** The most seats that one list may take; undefined for all seats of all levels together. */
  readonly listSeatsMax: number | undefined;
  /** The lowest precedence of its schemas: the lower, the more important. */
  readonly precedence: number;
}

/** The demand of a level, and the seats that it has now: its own and borrowed ones. */
export class Lending {
  readonly meter = new DemandMeter();
  demand: SeatDemand = noDemand;
  seats = 0;
  /** Seats of an exempt level's requests. */
  exemptSeats = 0;
}

/** A seat without a limit. */
export class ExemptSeat implements Seat {
  readonly startedAt: number;
  readonly #verb: string;
  readonly #options: FlowControlOptions;
  readonly #lending: Lending;
  #isTaken = true;

  constructor(verb: string, lending: Lending, options: FlowControlOptions) {
    lending.exemptSeats++;
    this.#lending = lending;
    this.#verb = verb;
    this.#options = options;
    this.startedAt = options.clock.now();
    options.metrics.executing(verb, 1, this.startedAt);
  }

  release(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#lending.exemptSeats--;
    this.#options.metrics.executing(this.#verb, -1, this.#options.clock.now());
  }
}
