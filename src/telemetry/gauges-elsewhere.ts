import { Figure, MetricFamily } from "./metric-family.js";
import type { Metrics } from "./metrics.js";

/** A child of a gauge. */
export interface GaugeValue {
  readonly name: string;
  readonly values: readonly string[];
  readonly value: number;
}

/** The non-zero children of these gauges, for the metrics of another thread. */
export function gaugeValues(metrics: Metrics, names: ReadonlySet<string>): GaugeValue[] {
  const told: GaugeValue[] = [];
  for (const { type, family } of metrics.read()) {
    if (type !== "gauge" || !(family instanceof MetricFamily) || !names.has(family.name)) continue;
    for (const { values, child } of family.children()) {
      if (child.value !== 0) told.push({ name: family.name, values, value: child.value });
    }
  }
  return told;
}

/** Adds the values of other threads to this thread's gauges. */
export class GaugesElsewhere {
  readonly #metrics: Metrics;
  readonly #flags: ReadonlySet<string>;
  #shown: Figure[] = [];

  /** `flags`: gauges that are 0 or 1. They are shown as 1 if they are 1 on any thread. */
  constructor(metrics: Metrics, flags: ReadonlySet<string> = new Set()) {
    this.#metrics = metrics;
    this.#flags = flags;
  }

  /** Replaces the values of the previous call. */
  show(told: Iterable<GaugeValue>): void {
    for (const figure of this.#shown) figure.elsewhere = 0;
    this.#shown = [];
    for (const { name, values, value } of told) {
      const child = this.#metrics.family(name)?.with(...values);
      if (!(child instanceof Figure)) continue;
      if (this.#flags.has(name)) child.elsewhere = 1 - child.value;
      else child.elsewhere += value;
      this.#shown.push(child);
    }
  }
}
