import { type ApiLevel, isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Distribution, Figure, MetricFamily, Metrics } from "../../telemetry/metrics.js";
import { type KindLoad, type LevelLoad, LevelLoads, nanosecondsOfMs, openKindLoads } from "./load-samples.js";
import { type RequestKind, requestKind } from "./request-kind.js";
import type { QueueObserver, RefusalReason } from "./seat.js";
import type { SeatBounds, SeatDemand } from "./seat-borrowing.js";

const lengthBounds = [0, 10, 25, 50, 100, 250, 500, 1000];
const watchBounds = [0, 1, 10, 100, 1000, 10_000];
const waitBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

const demandBounds = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

const seatBoundsByNumber = [1, 2, 4, 10];
const seatBoundsBySize = [1, 2, 4, 8, 16, 32, 64, 100];

/** The metrics of flow control, by the names of kube-apiserver 1.23. Times come in milliseconds. */
export class FlowControlMetrics {
  readonly #dispatched;
  readonly #rejected;
  readonly #waits;
  readonly #executions;
  readonly #limits;
  readonly #currentLimits;
  readonly #latestStarts;
  readonly #executing;
  readonly #inUse;
  readonly #inQueue;
  readonly #queueLengths;
  readonly #watchCounts;
  readonly #noRoom;
  /** At levels that have them. */
  readonly #estimates: MetricFamily<Distribution> | undefined;
  /** Metrics of lending and borrowing, at levels that have them. */
  readonly #seats: ReturnType<typeof seatGauges> | undefined;
  readonly #demands: MetricFamily<Distribution> | undefined;
  readonly #fairFraction: { value: number } | undefined;
  /** Seats that requests wait for, at levels that show them. */
  readonly #seatsInQueue: MetricFamily<Figure> | undefined;
  /** Whether executions have a label for the kind of request. */
  readonly #typesExecutions: boolean;
  readonly #now: () => number;
  readonly #levelLoads: LevelLoads;
  readonly #kindLoads: Readonly<Record<RequestKind, KindLoad>>;
  /** Cached children by schema: a schema belongs to one level. */
  readonly #flows = new Map<string, FlowChildren>();
  readonly #childrenOfSchemas = new Map<string, MetricChildren>();

  /** `now`: the clock of the queues. */
  constructor(metrics: Metrics, now: () => number, level: ApiLevel = oldestLevel) {
    const labels = ["priority_level", "flow_schema"];
    const name = (end: string): string => `apiserver_flowcontrol_${end}`;
    if (isAtLeast(level, "1.26")) {
      this.#seats = seatGauges(metrics);
      this.#demands = metrics.histogram({
        name: name("demand_seats"),
        help: "Seats that a priority level could use, relative to those that it has, for every nanosecond.",
        labels: ["priority_level"],
        bounds: demandBounds,
      });
      const description = { name: name("seat_fair_frac"), labels: [] };
      const help =
        "The part of the seats it could use that each priority level has: 1 while there are enough.";
      this.#fairFraction = metrics.gauge({ ...description, help }).with();
    }
    if (isAtLeast(level, "1.28")) {
      this.#seatsInQueue = metrics.gauge({
        name: name("current_inqueue_seats"),
        help: "Seats that requests wait for.",
        labels,
      });
    }
    this.#typesExecutions = isAtLeast(level, "1.24");
    if (isAtLeast(level, "1.24")) {
      this.#estimates = metrics.histogram({
        name: name("work_estimated_seats"),
        help: "Seats that requests were estimated to take.",
        labels,
        bounds: isAtLeast(level, "1.34") ? seatBoundsBySize : seatBoundsByNumber,
      });
    }
    this.#dispatched = metrics.counter({
      name: name("dispatched_requests_total"),
      help: "Requests that were given a seat.",
      labels,
    });
    this.#rejected = metrics.counter({
      name: name("rejected_requests_total"),
      help: "Requests that were given none, by reason.",
      labels: [...labels, "reason"],
    });
    this.#waits = metrics.histogram({
      name: name("request_wait_duration_seconds"),
      help: "Time that requests spent in a queue.",
      labels: [...labels, "execute"],
      bounds: waitBounds,
    });
    this.#executions = metrics.histogram({
      name: name("request_execution_seconds"),
      help: "Time that requests held a seat.",
      labels: this.#typesExecutions ? [...labels, "type"] : labels,
      bounds: waitBounds,
    });
    this.#executing = metrics.gauge({
      name: name("current_executing_requests"),
      help: "Requests that hold a seat.",
      labels,
    });
    this.#limits = metrics.gauge({
      name: name("request_concurrency_limit"),
      help: "Seats of a priority level.",
      labels: ["priority_level"],
    });
    this.#currentLimits = metrics.gauge({
      name: name("current_limit_seats"),
      help: "Seats of a priority level with those that it borrows, without those that it lends.",
      labels: ["priority_level"],
    });
    this.#latestStarts = metrics.gauge({
      name: name("latest_s"),
      help: "The virtual time, in seconds of one seat, at which the request began that was dispatched last.",
      labels: ["priority_level"],
    });
    this.#inUse = metrics.gauge({
      name: name("request_concurrency_in_use"),
      help: "Seats that requests hold.",
      labels,
    });
    this.#inQueue = metrics.gauge({
      name: name("current_inqueue_requests"),
      help: "Requests that wait for a seat.",
      labels,
    });
    this.#queueLengths = metrics.histogram({
      name: name("request_queue_length_after_enqueue"),
      help: "Requests in a queue when one has joined it.",
      labels,
      bounds: lengthBounds,
    });
    this.#watchCounts = metrics.histogram({
      name: name("watch_count_samples"),
      help: "Watches that a write has to be told to.",
      labels,
      bounds: watchBounds,
    });
    this.#noRoom = metrics.counter({
      name: name("request_dispatch_no_accommodation_total"),
      help: "Times that the next request had to wait for seats.",
      labels,
    });
    this.#now = now;
    this.#levelLoads = new LevelLoads(metrics, now, level);
    this.#kindLoads = openKindLoads(metrics, { readOnly: 1, mutating: 1 }, now, level);
  }

  /** `queuedMax`: how many requests its queues hold. */
  levelConfigured(level: string, seats: number, queuedMax: number): void {
    this.#limits.with(level).value = seats;
    // A level without seats may borrow.
    this.#levelLoads.configured(level, Math.max(1, seats), queuedMax);
  }

  /** The virtual start of the request that the level dispatched last, in seat-milliseconds. */
  dispatchedAt(level: string, virtualMs: number): void {
    this.#latestStarts.with(level).value = virtualMs / 1000;
  }

  /** Seats after lending and borrowing. */
  seatsAllotted(level: string, seats: number): void {
    this.#currentLimits.with(level).value = seats;
  }

  /** The bounds between which the seats of a level may move. */
  seatsBounded(level: string, { nominal, min, max }: SeatBounds): void {
    if (this.#seats === undefined) return;
    this.#seats.nominal.with(level).value = nominal;
    this.#seats.lower.with(level).value = min;
    this.#seats.upper.with(level).value = max;
  }

  /** Called at the end of a period. */
  demanded(level: string, { peak, usual, mean = 0, deviation = 0 }: SeatDemand): void {
    if (this.#seats === undefined) return;
    this.#seats.peak.with(level).value = peak;
    this.#seats.mean.with(level).value = mean;
    this.#seats.deviation.with(level).value = deviation;
    this.#seats.usual.with(level).value = usual;
  }

  /** A level with `seats` could use `wanted` for a while. */
  demandSampled(level: string, wanted: number, seats: number, ms: number): void {
    this.#demands?.with(level).observe(wanted / Math.max(1, seats), ms * nanosecondsOfMs);
  }

  /** The seats that the level's seats move towards. */
  seatsTargeted(level: string, seats: number): void {
    if (this.#seats !== undefined) this.#seats.target.with(level).value = seats;
  }

  /** The part of its demand that each level has. */
  fairFraction(fraction: number): void {
    if (this.#fairFraction !== undefined) this.#fairFraction.value = fraction;
  }

  levelRemoved(level: string): void {
    for (const family of Object.values(this.#seats ?? {})) family.remove(level);
    this.#demands?.remove(level);
    this.#limits.remove(level);
    this.#currentLimits.remove(level);
    this.#latestStarts.remove(level);
    this.#levelLoads.removed(level);
  }

  /** Metrics of all other schemas are removed. */
  schemasConfigured(schemas: ReadonlySet<string>): void {
    for (const [schema, children] of this.#childrenOfSchemas) {
      if (schemas.has(schema)) continue;
      children.drop();
      this.#childrenOfSchemas.delete(schema);
      this.#flows.delete(schema);
    }
  }

  /** A request is about to take these seats, or to wait for them. */
  estimated(level: string, schema: string, seats: number): void {
    if (this.#estimates !== undefined) this.#flow(level, schema).estimates?.observe(seats);
  }

  /** Returns the figures of the flow, for `finished`. */
  admitted(level: string, schema: string, admission: Admission): FlowChildren {
    const { verb, waitedMs, seats, atMs, isQueuing } = admission;
    const flow = this.#flow(level, schema);
    // Kubernetes passes each request through a queue, if only for a moment.
    if (isQueuing && waitedMs === undefined) flow.queueLengths.observe(1);
    flow.dispatched.value++;
    flow.executing.value++;
    flow.inUse.value += seats;
    flow.waits.observe((waitedMs ?? 0) / 1000);
    flow.load.executing.add(1, atMs);
    flow.load.seats.add(seats, atMs);
    this.executing(verb, 1, atMs);
    return flow;
  }

  finished(flow: FlowChildren, { verb, seats, atMs }: Admission, endedAtMs: number): void {
    flow.executing.value--;
    flow.inUse.value -= seats;
    const executions = verb === "watch" ? flow.watchExecutions : flow.executions;
    executions.observe((endedAtMs - atMs) / 1000);
    flow.load.executing.add(-1, endedAtMs);
    flow.load.seats.add(-seats, endedAtMs);
    this.executing(verb, -1, endedAtMs);
  }

  /** A request starts or ends executing, with or without a seat. */
  executing(verb: string, delta: 1 | -1, nowMs: number): void {
    this.#kindLoads[requestKind(verb)].executing.add(delta, nowMs);
  }

  /** The observer for the queues of a level. */
  waitingAt(level: string): QueueObserver<QueuedFlow> {
    // A schema may be deleted while its requests wait.
    const flows = new WeakMap<QueuedFlow, FlowChildren>();
    return {
      enqueued: (request, length, seats) => {
        const { flowSchema } = request;
        const flow = this.#flow(level, flowSchema);
        flows.set(request, flow);
        flow.inQueue.value++;
        if (flow.seatsInQueue !== undefined) flow.seatsInQueue.value += seats;
        this.#waiting(flow, request, 1);
        flow.queueLengths.observe(length);
      },
      dequeued: (request, seats) => {
        const flow = flows.get(request);
        if (flow === undefined) return;
        flow.inQueue.value--;
        if (flow.seatsInQueue !== undefined) flow.seatsInQueue.value -= seats;
        this.#waiting(flow, request, -1);
      },
      noRoom: ({ flowSchema }) => {
        this.#childrenOf(flowSchema).of(this.#noRoom, level, flowSchema).value++;
      },
      finalSeats: (delta) => this.#levelLoads.of(level).seats.add(delta, this.#now()),
    };
  }

  /** Records the number of watches that a write feeds. */
  watchesFed(level: string, schema: string, count: number): void {
    this.#childrenOf(schema).of(this.#watchCounts, level, schema).observe(count);
  }

  refused(level: string, schema: string, reason: RefusalReason, waitedMs: number): void {
    const children = this.#childrenOf(schema);
    children.of(this.#rejected, level, schema, reason).value++;
    children.of(this.#waits, level, schema, "false").observe(waitedMs / 1000);
  }

  #waiting(flow: FlowChildren, { info }: QueuedFlow, delta: 1 | -1): void {
    const nowMs = this.#now();
    flow.load.waiting.add(delta, nowMs);
    this.#kindLoads[requestKind(info.verb)].waiting.add(delta, nowMs);
  }

  #flow(level: string, schema: string): FlowChildren {
    let known = this.#flows.get(schema);
    if (known?.level !== level) {
      const children = this.#childrenOf(schema);
      const executionsOf = (type: string) =>
        children.of(this.#executions, level, schema, ...(this.#typesExecutions ? [type] : []));
      known = {
        level,
        load: this.#levelLoads.of(level),
        dispatched: children.of(this.#dispatched, level, schema),
        executing: children.of(this.#executing, level, schema),
        inUse: children.of(this.#inUse, level, schema),
        inQueue: children.of(this.#inQueue, level, schema),
        waits: children.of(this.#waits, level, schema, "true"),
        queueLengths: children.of(this.#queueLengths, level, schema),
        seatsInQueue: this.#seatsInQueue && children.of(this.#seatsInQueue, level, schema),
        executions: executionsOf("regular"),
        get watchExecutions() {
          return executionsOf("watch");
        },
        estimates: this.#estimates && children.of(this.#estimates, level, schema),
      };
      this.#flows.set(schema, known);
    }
    return known;
  }

  #childrenOf(schema: string): MetricChildren {
    const children = this.#childrenOfSchemas.get(schema) ?? new MetricChildren();
    this.#childrenOfSchemas.set(schema, children);
    return children;
  }
}

interface QueuedFlow {
  readonly flowSchema: string;
  readonly info: { readonly verb: string };
}

/** A request that got seats. */
export interface Admission {
  readonly verb: string;
  /** Undefined for one that did not wait. */
  readonly waitedMs: number | undefined;
  /** Whether its level has queues. */
  readonly isQueuing: boolean;
  readonly seats: number;
  /** By the clock of the queues. */
  readonly atMs: number;
}

/** The figures of one flow schema at its level. */
export interface FlowChildren {
  readonly level: string;
  readonly load: LevelLoad;
  readonly dispatched: { value: number };
  readonly executing: { value: number };
  readonly inUse: { value: number };
  readonly inQueue: { value: number };
  readonly waits: { observe(value: number): void };
  readonly queueLengths: { observe(value: number): void };
  readonly seatsInQueue: { value: number } | undefined;
  readonly executions: { observe(value: number): void };
  readonly watchExecutions: { observe(value: number): void };
  readonly estimates: { observe(value: number): void } | undefined;
}

/** By the names of Kubernetes 1.26. */
function seatGauges(metrics: Metrics) {
  const gauge = (name: string, help: string) =>
    metrics.gauge({ name: `apiserver_flowcontrol_${name}`, help, labels: ["priority_level"] });
  return {
    nominal: gauge("nominal_limit_seats", "Seats of a priority level by its shares."),
    lower: gauge("lower_limit_seats", "Seats that a priority level keeps when it lends."),
    upper: gauge("upper_limit_seats", "Seats that a priority level may have when it borrows."),
    peak: gauge(
      "demand_seats_high_watermark",
      "The most seats that a priority level could use in the last period.",
    ),
    mean: gauge(
      "demand_seats_average",
      "Seats that a priority level could use in the last period, on average.",
    ),
    deviation: gauge(
      "demand_seats_stdev",
      "The standard deviation of the seats that a priority level could use.",
    ),
    usual: gauge("demand_seats_smoothed", "Seats that a priority level could use, smoothed over periods."),
    target: gauge("target_seats", "Seats that a priority level would have if there were enough."),
  };
}
