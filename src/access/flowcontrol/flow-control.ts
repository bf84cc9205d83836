import type { RequestInfo, UserInfo } from "../../apimachinery/requests/request-info.js";
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from "../../apis/flowcontrol/mandatory.js";
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from "../../apis/gen/flowcontrol-v1.js";
import { FairQueues } from "./fair-queues.js";
import { type CompiledFlowSchema, compareFlowSchemas, compileFlowSchema } from "./flow-schema.js";
import {
  ExemptSeat,
  type FlowControlOptions,
  Lending,
  type PriorityLevel,
  QueuedRequest,
} from "./priority-level.js";
import { type Classification, RequestClassifier } from "./request-classifier.js";
import { NoSeatError, type Queuing, type Seat, type Waiter, type Work } from "./seat.js";
import { allotSeats, type SeatBounds, seatBounds } from "./seat-borrowing.js";

export interface Configured<Spec> {
  readonly name: string;
  readonly uid: string;
  readonly spec: Spec;
}

/** The largest share of a level's seats that one list may take. */
const listShareMax = 0.15;

/** The most seats that one list may take, such that a flow's hand of queues can run one list each. */
function mostSeatsOfList(nominal: number, handSize: number): number {
  return Math.max(1, Math.min(Math.ceil(nominal * listShareMax), Math.floor(nominal / handSize)));
}

const samplingMs = 100;
/** Seats are reallocated every ten seconds. */
const samplesPerPeriod = 100;

/**
 * API priority and fairness: each request is classified by flow schemas and runs at a priority level, within that level's share of
 * the seats, and fairly among the flows of the level. Source: Kubernetes documentation, "API Priority and Fairness"; KEP-1040.
 */
export class FlowControl {
  readonly #options: FlowControlOptions;
  #schemas: readonly CompiledFlowSchema[] = [];
  #levels: ReadonlyMap<string, PriorityLevel> = new Map();
  #classifier = new RequestClassifier([], new Map());
  #pressure = 0;
  /** Cancels the next sample. */
  #cancelSample: (() => void) | undefined;
  #isClosed = false;
  /** Samples in this period. */
  #samples = 0;
  /** How strongly each limited level sheds load. */
  #weights: ReadonlyMap<string, number> = new Map();

  constructor(options: FlowControlOptions) {
    this.#options = options;
    this.configure([], []);
  }

  /** In the order of evaluation. */
  get schemas(): readonly CompiledFlowSchema[] {
    return this.#schemas;
  }

  get levels(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }

  /** Mandatory objects always exist in their mandatory form. Schemas of a missing level are left out. */
  configure(
    schemas: readonly Configured<FlowSchemaSpec>[],
    levels: readonly Configured<PriorityLevelConfigurationSpec>[],
  ): void {
    const exempt = levels.find(({ name }) => name === "exempt")?.spec.exempt;
    const wantedLevels = withMandatory(levels, mandatoryPriorityLevels).map((level) =>
      level.name === "exempt" ? { ...level, spec: { ...level.spec, exempt } } : level,
    );
    const wantedSchemas = withMandatory(schemas, mandatoryFlowSchemas)
      .map(({ name, uid, spec }) => compileFlowSchema(name, uid, spec))
      .sort(compareFlowSchemas);
    const totalShares = wantedLevels.reduce((sum, { spec }) => sum + sharesOf(spec), 0);
    const next = new Map<string, PriorityLevel>();
    const precedences = lowestPrecedences(wantedSchemas);
    const precedenceOf = (level: string): number => precedences.get(level) ?? Number.POSITIVE_INFINITY;
    const limited = wantedLevels.filter(({ spec }) => spec.type !== "Exempt").map(({ name }) => name);
    this.#weights = weightsOf(limited.sort((a, b) => (precedenceOf(a) < precedenceOf(b) ? -1 : 1)));
    const nominal = wantedLevels.map(({ spec }) => this.#nominalSeats(spec, totalShares));
    const total = nominal.reduce((sum, seats) => sum + seats, 0);
    for (const [index, { name, uid, spec }] of wantedLevels.entries()) {
      const bounds = boundsOf(spec, nominal[index] ?? 0, total);
      next.set(name, this.#level(name, uid, spec, bounds, precedenceOf(name)));
    }
    for (const name of this.#levels.keys()) if (!next.has(name)) this.#options.metrics.levelRemoved(name);
    this.#levels = next;
    this.#allot();
    this.#followDemand();
    this.#schemas = wantedSchemas.filter(({ priorityLevel }) => next.has(priorityLevel));
    this.#options.metrics.schemasConfigured(new Set(this.#schemas.map(({ name }) => name)));
    this.#classifier = new RequestClassifier(this.#schemas, next);
  }

  classify(user: UserInfo, info: RequestInfo): Classification {
    return this.#classifier.classify(user, info);
  }

  /** A seat, or a promise of one. Throws or rejects with `NoSeatError`. */
  enter(
    { schema, level }: Classification,
    user: UserInfo,
    info: RequestInfo,
    work: Work,
    waiter: Waiter,
  ): Seat | Promise<Seat> {
    const { queues } = level;
    if (queues === undefined) return new ExemptSeat(info.verb, level.lending, this.#options);
    const { metrics } = this.#options;
    metrics.estimated(level.name, schema.name, Math.max(work.seats, work.finalSeats));
    if (work.watchers !== undefined) metrics.watchesFed(level.name, schema.name, work.watchers);
    const request = new QueuedRequest(schema, user, info, this.#options);
    try {
      const seat = queues.enter(request, work, waiter);
      return seat instanceof Promise
        ? this.#waitFor(seat, request, level, work)
        : request.admit(level, seat, undefined, work.seats);
    } catch (error) {
      if (error instanceof NoSeatError) metrics.refused(level.name, schema.name, error.reason, 0);
      throw error;
    }
  }

  async #waitFor(
    seat: Promise<Seat>,
    request: QueuedRequest,
    level: PriorityLevel,
    { seats }: Work,
  ): Promise<Seat> {
    const { metrics, clock } = this.#options;
    const arrivedAt = clock.now();
    try {
      const admitted = await seat;
      return request.admit(level, admitted, admitted.startedAt - arrivedAt, seats);
    } catch (error) {
      if (error instanceof NoSeatError) {
        metrics.refused(level.name, request.flowSchema, error.reason, clock.now() - arrivedAt);
      }
      throw error;
    }
  }

  /** Updates metrics that are read now and then. */
  showVirtualTimes(): void {
    for (const { name, queues, queuing } of this.#levels.values()) {
      if (queues !== undefined && queuing !== undefined) {
        this.#options.metrics.dispatchedAt(name, queues.virtualTime);
      }
    }
  }

  /** Whether requests of limited levels run or wait. */
  get isBusy(): boolean {
    for (const { queues } of this.#levels.values()) {
      if (queues !== undefined && queues.running + queues.waiting > 0) return true;
    }
    return false;
  }

  /**
   * Withholds seats to shed load: `pressure`, from 0 to 1, is the fraction for the least important limited level. The more important a
   * level, the smaller its fraction; the most important one keeps all seats.
   */
  shed(pressure: number): void {
    this.#pressure = pressure;
    for (const level of this.#levels.values()) this.#configureQueues(level);
  }

  /** Stops sampling: the timer would keep the whole server in memory. Requests are admitted as before. */
  close(): void {
    this.#isClosed = true;
    this.#cancelSample?.();
    this.#cancelSample = undefined;
  }

  /** Reallocates the seats by the demand of the last period. */
  #allot(): void {
    const levels = [...this.#levels.values()];
    const { metrics } = this.#options;
    const { seats, targets, fairFraction } = allotSeats(
      levels.map(({ bounds, queues, lending: { demand } }) => ({
        ...bounds,
        // Exempt requests always run, and so borrow nothing.
        demand:
          queues === undefined
            ? { peak: demand.peak, usual: Math.min(demand.usual, bounds.nominal) }
            : demand,
      })),
    );
    for (const [index, level] of levels.entries()) {
      level.lending.seats = seats[index] ?? level.bounds.nominal;
      if (level.queues !== undefined) metrics.lending.allotted(level.name, level.lending.seats);
      metrics.lending.targeted(level.name, targets[index] ?? level.bounds.nominal);
      this.#configureQueues(level);
    }
    metrics.lending.fairFraction(fairFraction);
  }

  /** Samples the demand only while a level lends seats. */
  #followDemand(): void {
    const isLent = [...this.#levels.values()].some(({ bounds }) => bounds.min < bounds.nominal);
    if (!isLent || this.#isClosed || this.#cancelSample !== undefined) return;
    this.#cancelSample = this.#options.clock.after(samplingMs, () => {
      this.#cancelSample = undefined;
      const levels = [...this.#levels.values()];
      for (const { name, queues, lending } of levels) {
        const seats = queues?.takeSeatDemand() ?? lending.exemptSeats;
        lending.meter.sample(seats);
        this.#options.metrics.lending.demandSampled(name, seats, lending.seats, samplingMs);
      }
      this.#samples++;
      if (this.#samples >= samplesPerPeriod) {
        this.#samples = 0;
        for (const { name, lending } of levels) {
          lending.demand = lending.meter.take();
          this.#options.metrics.lending.demanded(name, lending.demand);
        }
        this.#allot();
      }
      this.#followDemand();
    });
  }

  #level(
    name: string,
    uid: string,
    spec: PriorityLevelConfigurationSpec,
    bounds: SeatBounds,
    precedence: number,
  ): PriorityLevel {
    const former = this.#levels.get(name);
    const lending = former?.lending ?? new Lending();
    this.#options.metrics.lending.bounded(name, bounds);
    if (spec.type === "Exempt") {
      const none = { queues: undefined, queuing: undefined, listSeatsMax: undefined };
      return { ...none, name, uid, bounds, lending, precedence };
    }
    const queuing = queuingOf(spec);
    const { waitMs, clock } = this.#options;
    const queues =
      former?.queues ??
      new FairQueues<QueuedRequest>({
        queuing,
        seats: bounds.nominal,
        waitMs,
        clock,
        observer: this.#options.metrics.waitingAt(name),
      });
    const queuedMax = queuing === undefined ? 0 : queuing.queues * queuing.queueLengthLimit;
    this.#options.metrics.levelConfigured(name, bounds.nominal, queuedMax);
    const listSeatsMax =
      this.#options.boundsLists === true && queuing !== undefined
        ? mostSeatsOfList(bounds.nominal, queuing.handSize)
        : undefined;
    return { name, uid, queues, bounds, lending, queuing, listSeatsMax, precedence };
  }

  #configureQueues({ name, queues, queuing, lending: { seats } }: PriorityLevel): void {
    if (queues === undefined) return;
    const unpressed = Math.round(seats * (1 - this.#pressure * (this.#weights.get(name) ?? 1)));
    const left = Math.max(Math.min(seats, 1), unpressed);
    queues.configure(queuing, left, seats - left);
  }

  /** At least one seat for any share. */
  #nominalSeats(spec: PriorityLevelConfigurationSpec, totalShares: number): number {
    return Math.ceil((this.#options.seats * sharesOf(spec)) / totalShares);
  }
}

/** By level. `schemas` are in the order of evaluation. */
function lowestPrecedences(schemas: readonly CompiledFlowSchema[]): ReadonlyMap<string, number> {
  const precedences = new Map<string, number>();
  for (const { priorityLevel, precedence } of schemas) {
    if (!precedences.has(priorityLevel)) precedences.set(priorityLevel, precedence);
  }
  return precedences;
}

/** From 0 for the first and most important to 1 for the last. */
function weightsOf(levels: readonly string[]): ReadonlyMap<string, number> {
  return new Map(levels.map((level, rank) => [level, levels.length < 2 ? 1 : rank / (levels.length - 1)]));
}

function sharesOf({ type, limited, exempt }: PriorityLevelConfigurationSpec): number {
  if (type === "Exempt") return exempt?.nominalConcurrencyShares ?? 0;
  return limited?.nominalConcurrencyShares ?? 1;
}

function boundsOf(
  { type, limited, exempt }: PriorityLevelConfigurationSpec,
  nominal: number,
  total: number,
): SeatBounds {
  if (type === "Exempt") return seatBounds(nominal, total, exempt?.lendablePercent ?? 0, 0);
  return seatBounds(nominal, total, limited?.lendablePercent ?? 0, limited?.borrowingLimitPercent);
}

function queuingOf({ limited }: PriorityLevelConfigurationSpec): Queuing | undefined {
  const response = limited?.limitResponse;
  return response?.type === "Queue" ? response.queuing : undefined;
}

function withMandatory<Spec>(
  given: readonly Configured<Spec>[],
  mandatory: ReadonlyMap<string, Spec>,
): readonly Configured<Spec>[] {
  const uids = new Map(given.map(({ name, uid }) => [name, uid]));
  const others = given.filter(({ name }) => !mandatory.has(name));
  return [...others, ...[...mandatory].map(([name, spec]) => ({ name, uid: uids.get(name) ?? "", spec }))];
}
