import { MetricChildren } from "../../telemetry/metric-children.js";
import type { Distribution, MetricFamily, Metrics } from "../../telemetry/metrics.js";
import { SampledRatio } from "../../telemetry/sampled-ratio.js";
import type { RequestKind } from "./request-kind.js";

type Phase = "waiting" | "executing";

const ratioBounds = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** A pair of metrics, by the names of kube-apiserver 1.23: samples of a number in relation to its limit, and its watermarks. */
class SampledFamily {
  readonly #samples: MetricFamily<Distribution>;
  readonly #watermarks: MetricFamily<Distribution>;

  /** `label` names the subject. */
  constructor(metrics: Metrics, name: string, what: string, label: string) {
    this.#samples = metrics.histogram({
      name: `apiserver_flowcontrol_${name}_samples`,
      help: `${what}, sampled every millisecond.`,
      labels: [label, "phase"],
      bounds: ratioBounds,
    });
    this.#watermarks = metrics.histogram({
      name: `apiserver_flowcontrol_${name}_watermarks`,
      help: `${what}: the highest and the lowest value of every millisecond.`,
      labels: [label, "phase", "mark"],
      bounds: ratioBounds,
    });
  }

  open(children: MetricChildren, subject: string, phase: Phase, limit: number, nowMs: number): SampledRatio {
    const shown = {
      samples: children.of(this.#samples, subject, phase),
      high: children.of(this.#watermarks, subject, phase, "high"),
      low: children.of(this.#watermarks, subject, phase, "low"),
    };
    return new SampledRatio(shown, limit, nowMs);
  }
}

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
  readonly #requests: SampledFamily;
  readonly #seats: SampledFamily;
  readonly #now: () => number;
  readonly #levels = new Map<string, LevelLoad & { readonly children: MetricChildren }>();

  constructor(metrics: Metrics, now: () => number) {
    const level = "priority_level";
    this.#requests = new SampledFamily(
      metrics,
      "priority_level_request_count",
      "Requests of a priority level, relative to its limit",
      level,
    );
    this.#seats = new SampledFamily(
      metrics,
      "priority_level_seat_count",
      "Seats taken of a priority level, relative to its limit",
      level,
    );
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

  /** Of a level that was removed, the load is not shown. */
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

/**
 * Samples the load by requests that read and by those that change something: their number with priority and fairness, else in relation to
 * their limit.
 */
export function openKindLoads(
  metrics: Metrics,
  limits: Readonly<Record<RequestKind, number>>,
  now: () => number,
): Readonly<Record<RequestKind, KindLoad>> {
  const family = new SampledFamily(
    metrics,
    "read_vs_write_request_count",
    "Requests by kind, relative to their limit if they have one",
    "request_kind",
  );
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
