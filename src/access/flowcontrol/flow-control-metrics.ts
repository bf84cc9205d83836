import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { LendingMetrics } from "./lending-metrics.js";
import { type KindLoad, type LevelLoad, LevelLoads, openKindLoads } from "./load-samples.js";
import { requestFamilies } from "./request-families.js";
import { type RequestKind, requestKind } from "./request-kind.js";
import type { QueueObserver, RefusalReason } from "./seat.js";

/** The metrics of flow control. Times come in milliseconds. */
export class FlowControlMetrics {
  readonly lending: LendingMetrics;
  readonly #families: ReturnType<typeof requestFamilies>;
  readonly #now: () => number;
  readonly #levelLoads: LevelLoads;
  readonly #kindLoads: Readonly<Record<RequestKind, KindLoad>>;
  /** Cached children by schema: a schema belongs to one level. */
  readonly #flows = new Map<string, FlowChildren>();
  readonly #childrenOfSchemas = new Map<string, MetricChildren>();

  /** `now`: the clock of the queues. */
  constructor(metrics: Metrics, now: () => number, level: ApiLevel) {
    this.lending = new LendingMetrics(metrics, level);
    this.#families = requestFamilies(metrics, level);
    this.#now = now;
    this.#levelLoads = new LevelLoads(metrics, now, level);
    this.#kindLoads = openKindLoads(metrics, { readOnly: 1, mutating: 1 }, now, level);
  }

  /** `queuedMax`: how many requests its queues hold. */
  levelConfigured(level: string, seats: number, queuedMax: number): void {
    this.#families.limits.with(level).value = seats;
    // A level without seats may borrow.
    this.#levelLoads.configured(level, Math.max(1, seats), queuedMax);
  }

  /** The virtual start of the request that the level dispatched last, in seat-milliseconds. */
  dispatchedAt(level: string, virtualMs: number): void {
    this.#families.latestStarts.with(level).value = virtualMs / 1000;
  }

  levelRemoved(level: string): void {
    this.lending.removed(level);
    this.#families.limits.remove(level);
    this.#families.latestStarts.remove(level);
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
    if (this.#families.estimates !== undefined) this.#flow(level, schema).estimates?.observe(seats);
  }

  /** Returns the figures of the flow, for `finished`. */
  admitted(level: string, schema: string, admission: Admission): FlowChildren {
    const { verb, waitedMs, seats, atMs, isQueuing } = admission;
    const flow = this.#flow(level, schema);
    // Kubernetes passes every request through a queue, if only for a moment.
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
        this.#childrenOf(flowSchema).of(this.#families.noRoom, level, flowSchema).value++;
      },
      finalSeats: (delta) => this.#levelLoads.of(level).seats.add(delta, this.#now()),
    };
  }

  /** Records the number of watches that a write feeds. */
  watchesFed(level: string, schema: string, count: number): void {
    this.#childrenOf(schema).of(this.#families.watchCounts, level, schema).observe(count);
  }

  refused(level: string, schema: string, reason: RefusalReason, waitedMs: number): void {
    const children = this.#childrenOf(schema);
    children.of(this.#families.rejected, level, schema, reason).value++;
    children.of(this.#families.waits, level, schema, "false").observe(waitedMs / 1000);
  }

  #waiting(flow: FlowChildren, { info }: QueuedFlow, delta: 1 | -1): void {
    const nowMs = this.#now();
    flow.load.waiting.add(delta, nowMs);
    this.#kindLoads[requestKind(info.verb)].waiting.add(delta, nowMs);
  }

  #flow(level: string, schema: string): FlowChildren {
    let known = this.#flows.get(schema);
    if (known?.level !== level) {
      const families = this.#families;
      const children = this.#childrenOf(schema);
      const executionsOf = (type: string) =>
        children.of(
          families.executions,
          level,
          schema,
          ...(families.executions.labels.includes("type") ? [type] : []),
        );
      known = {
        level,
        load: this.#levelLoads.of(level),
        dispatched: children.of(families.dispatched, level, schema),
        executing: children.of(families.executing, level, schema),
        inUse: children.of(families.inUse, level, schema),
        inQueue: children.of(families.inQueue, level, schema),
        waits: children.of(families.waits, level, schema, "true"),
        queueLengths: children.of(families.queueLengths, level, schema),
        seatsInQueue: families.seatsInQueue && children.of(families.seatsInQueue, level, schema),
        executions: executionsOf("regular"),
        get watchExecutions() {
          return executionsOf("watch");
        },
        estimates: families.estimates && children.of(families.estimates, level, schema),
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
