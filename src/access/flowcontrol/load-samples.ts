import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { SampledRatio } from "../../telemetry/sampled-ratio.js";
import type { RequestKind } from "./request-kind.js";

type Phase = "waiting" | "executing";

const tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const ratioBounds = [0, ...tenths, 1];

/** How a number is shown in relation to its limit. */
interface LoadDescription {
  /** Before 1.25. */
  readonly sampled: string;
  /** From 1.25 on. */
  readonly timed: string;
  readonly timedBounds: readonly number[];
  readonly what: string;
  /** Label with the subject. */
  readonly label: string;
}

/** Creates the ratios of one description, one for each subject and phase. */
interface LoadFamily {
  open(children: MetricChildren, subject: string, phase: Phase, limit: number, nowMs: number): SampledRatio;
}

function loadFamily(metrics: Metrics, level: ApiLevel, description: LoadDescription): LoadFamily {
  return isAtLeast(level, "1.25") ? timedFamily(metrics, description) : sampledFamily(metrics, description);
}

/** A pair of metrics, by the names of kube-apiserver 1.23: samples, and their watermarks. */
function sampledFamily(metrics: Metrics, { sampled, what, label }: LoadDescription): LoadFamily {
  const sampleFamily = metrics.histogram({
    name: `apiserver_flowcontrol_${sampled}_samples`,
    help: `${what}, sampled every millisecond.`,
    labels: [label, "phase"],
    bounds: ratioBounds,
  });
  const markFamily = metrics.histogram({
    name: `apiserver_flowcontrol_${sampled}_watermarks`,
    help: `${what}: the highest and the lowest value of every millisecond.`,
    labels: [label, "phase", "mark"],
    bounds: ratioBounds,
  });
  return {
    open(children, subject, phase, limit, nowMs) {
      const samples = children.of(sampleFamily, subject, phase);
      const high = children.of(markFamily, subject, phase, "high");
      const low = children.of(markFamily, subject, phase, "low");
      return new SampledRatio({ samples, marks: { high, low } }, limit, nowMs);
    },
  };
}

/** Nanoseconds by value, under the names of kube-apiserver 1.25. A sample stands for its millisecond. */
function timedFamily(metrics: Metrics, { timed, timedBounds, what, label }: LoadDescription): LoadFamily {
  const family = metrics.histogram({
    name: `apiserver_flowcontrol_${timed}`,
    help: `${what}, for every nanosecond.`,
    labels: ["phase", label],
    bounds: timedBounds,
  });
  return {
    open(children, subject, phase, limit, nowMs) {
      const samples = children.of(family, phase, subject);
      return new SampledRatio({ samples, weight: nanosecondsOfMs }, limit, nowMs);
    },
  };
}

export const nanosecondsOfMs = 1_000_000;

/** The load of a priority level, in relation to its limits. */
export interface LevelLoad {
  /** Requests that hold a seat, to the seats of the level. */
  readonly executing: SampledRatio;
  /** Requests in queues, to those that fit in. */
  readonly waiting: SampledRatio;
  /** Seats that are taken, to the seats of the level. */
  readonly seats: SampledRatio;
}

/** Samples the load of priority levels. */
export class LevelLoads {
  readonly #requests: LoadFamily;
  readonly #seats: LoadFamily;
  readonly #now: () => number;
  readonly #levels = new Map<string, LevelLoad & { readonly children: MetricChildren }>();

  constructor(metrics: Metrics, now: () => number, apiLevel: ApiLevel) {
    const label = "priority_level";
    this.#requests = loadFamily(metrics, apiLevel, {
      sampled: "priority_level_request_count",
      timed: "priority_level_request_utilization",
      timedBounds: [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
      what: "Requests of a priority level, relative to its limit",
      label,
    });
    this.#seats = loadFamily(metrics, apiLevel, {
      sampled: "priority_level_seat_count",
      timed: "priority_level_seat_utilization",
      timedBounds: [0, ...tenths, 0.95, 0.99, 1],
      what: "Seats taken of a priority level, relative to its limit",
      label,
    });
    this.#now = now;
    metrics.onRead(() => {
      const nowMs = now();
      for (const { executing, waiting, seats } of this.#levels.values()) {
        for (const ratio of [executing, waiting, seats]) ratio.sample(nowMs);
      }
    });
  }

  configured(level: string, seats: number, queuedMax: number): void {
    const load = this.#levels.get(level) ?? this.#make(level, new MetricChildren());
    const nowMs = this.#now();
    load.executing.setLimit(seats, nowMs);
    load.seats.setLimit(seats, nowMs);
    load.waiting.setLimit(Math.max(1, queuedMax), nowMs);
    this.#levels.set(level, load);
  }

  removed(level: string): void {
    this.#levels.get(level)?.children.drop();
    this.#levels.delete(level);
  }

  /** For a level that was removed, a load that no metric shows. */
  of(level: string): LevelLoad {
    const known = this.#levels.get(level);
    if (known !== undefined) return known;
    const unlisted = new MetricChildren();
    unlisted.drop();
    return this.#make(level, unlisted);
  }

  #make(level: string, children: MetricChildren): LevelLoad & { readonly children: MetricChildren } {
    const nowMs = this.#now();
    return {
      children,
      executing: this.#requests.open(children, level, "executing", 1, nowMs),
      waiting: this.#requests.open(children, level, "waiting", 1, nowMs),
      seats: this.#seats.open(children, level, "executing", 1, nowMs),
    };
  }
}

/** The load by requests of one kind. */
export type KindLoad = Readonly<Record<Phase, SampledRatio>>;

/** Samples the load of reads and of writes: their number with priority and fairness, otherwise in relation to their limit. */
export function openKindLoads(
  metrics: Metrics,
  limits: Readonly<Record<RequestKind, number>>,
  now: () => number,
  apiLevel: ApiLevel,
): Readonly<Record<RequestKind, KindLoad>> {
  const family = loadFamily(metrics, apiLevel, {
    sampled: "read_vs_write_request_count",
    timed: "read_vs_write_current_requests",
    timedBounds: [0, 0.001, 0.01, ...tenths, 0.95, 0.99, 1],
    what: "Requests by kind, relative to their limit if they have one",
    label: "request_kind",
  });
  const children = new MetricChildren();
  const open = (kind: RequestKind): KindLoad => ({
    executing: family.open(children, kind, "executing", Math.max(1, limits[kind]), now()),
    waiting: family.open(children, kind, "waiting", 1, now()),
  });
  const loads = { readOnly: open("readOnly"), mutating: open("mutating") };
  metrics.onRead(() => {
    const nowMs = now();
    for (const { executing, waiting } of Object.values(loads)) {
      executing.sample(nowMs);
      waiting.sample(nowMs);
    }
  });
  return loads;
}
