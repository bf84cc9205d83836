import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { RefusalReason } from "./fair-queues.js";

const waitBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** The metrics of flow control, by the names of kube-apiserver 1.23. Times come in milliseconds. */
export class FlowControlMetrics {
  readonly #dispatched;
  readonly #rejected;
  readonly #waits;
  readonly #executions;
  readonly #limits;
  readonly #executing;
  readonly #inUse;
  readonly #inQueue;
  readonly #levels = new Map<string, LevelFigures>();
  /** Cached children by schema: a schema belongs to one level. */
  readonly #flows = new Map<string, FlowChildren>();
  readonly #childrenOfSchemas = new Map<string, MetricChildren>();

  constructor(metrics: Metrics) {
    const labels = ["priority_level", "flow_schema"];
    const name = (end: string): string => `apiserver_flowcontrol_${end}`;
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
      labels,
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
    this.#inUse = metrics.gauge({
      name: name("request_concurrency_in_use"),
      help: "Seats of a priority level that are taken.",
      labels: ["priority_level"],
    });
    this.#inQueue = metrics.gauge({
      name: name("current_inqueue_requests"),
      help: "Requests that wait for a seat.",
      labels: ["priority_level"],
    });
    metrics.onRead(() => {
      for (const [level, queues] of this.#levels) {
        this.#inUse.with(level).value = queues.seatsInUse;
        this.#inQueue.with(level).value = queues.waiting;
      }
    });
  }

  levelConfigured(level: string, seats: number, queues: LevelFigures): void {
    this.#limits.with(level).value = seats;
    this.#levels.set(level, queues);
  }

  levelRemoved(level: string): void {
    this.#levels.delete(level);
    for (const family of [this.#limits, this.#inUse, this.#inQueue]) family.remove(level);
  }

  /** Nothing more is shown of other schemas. */
  schemasConfigured(schemas: ReadonlySet<string>): void {
    for (const [schema, children] of this.#childrenOfSchemas) {
      if (schemas.has(schema)) continue;
      children.drop();
      this.#childrenOfSchemas.delete(schema);
      this.#flows.delete(schema);
    }
  }

  /** To be told how long the request held its seat. */
  admitted(level: string, schema: string, waitedMs: number): (ranMs: number) => void {
    const flow = this.#flow(level, schema);
    flow.dispatched.value++;
    flow.executing.value++;
    flow.waits.observe(waitedMs / 1000);
    return (ranMs) => {
      flow.executing.value--;
      flow.executions.observe(ranMs / 1000);
    };
  }

  refused(level: string, schema: string, reason: RefusalReason, waitedMs: number): void {
    const children = this.#childrenOf(schema);
    children.of(this.#rejected, level, schema, reason).value++;
    children.of(this.#waits, level, schema, "false").observe(waitedMs / 1000);
  }

  #flow(level: string, schema: string): FlowChildren {
    let known = this.#flows.get(schema);
    if (known?.level !== level) {
      const children = this.#childrenOf(schema);
      known = {
        level,
        dispatched: children.of(this.#dispatched, level, schema),
        executing: children.of(this.#executing, level, schema),
        waits: children.of(this.#waits, level, schema, "true"),
        executions: children.of(this.#executions, level, schema),
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

interface LevelFigures {
  readonly seatsInUse: number;
  readonly waiting: number;
}

interface FlowChildren {
  readonly level: string;
  readonly dispatched: { value: number };
  readonly executing: { value: number };
  readonly waits: { observe(value: number): void };
  readonly executions: { observe(value: number): void };
}
