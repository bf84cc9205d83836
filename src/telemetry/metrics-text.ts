import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricValueWithName,
  Registry,
  Summary as SummaryMetric,
} from "prom-client";
import type { Distribution, Metric, ShownFamily } from "./metrics.js";
import type { Summary } from "./summary.js";

/** Import this file only when metrics are requested: the library is not needed before. */

type Configuration = ReturnType<typeof configurationOf>;

/** The library takes single observations; here they are already counted. */
class ShownHistogram extends Histogram {
  readonly #family: ShownFamily<Distribution>;
  constructor(configuration: Configuration, family: ShownFamily<Distribution>) {
    super(configuration);
    this.#family = family;
  }
  /** The library calls `get` when it prints. */
  async getForPromString() {
    const { name, help } = this.#family;
    return { name, help, type: "histogram", aggregator: "sum", values: [...samples(this.#family)] };
  }
}

class ShownSummary extends SummaryMetric {
  readonly #family: ShownFamily<Summary>;
  constructor(configuration: Configuration, family: ShownFamily<Summary>) {
    super(configuration);
    this.#family = family;
  }
  async getForPromString() {
    const { name, help } = this.#family;
    return { name, help, type: "summary", aggregator: "sum", values: [...summaryLines(this.#family)] };
  }
}

/** Prometheus' text format. Metrics without a value are left out. */
export async function printMetrics(metrics: Iterable<Metric>): Promise<string> {
  const registry = new Registry();
  for (const metric of metrics) {
    if (isEmpty(metric.family)) continue;
    const configuration = configurationOf(metric.family);
    switch (metric.type) {
      case "counter": {
        const shown = new Counter(configuration);
        for (const [labels, { value }] of labelled(metric.family)) shown.inc(labels, value);
        registry.registerMetric(shown);
        break;
      }
      case "gauge": {
        const shown = new Gauge(configuration);
        for (const [labels, { value }] of labelled(metric.family)) shown.set(labels, value);
        registry.registerMetric(shown);
        break;
      }
      case "histogram":
        registry.registerMetric(new ShownHistogram(configuration, metric.family));
        break;
      case "summary":
        registry.registerMetric(new ShownSummary(configuration, metric.family));
    }
  }
  return await registry.metrics();
}

export interface ProcessMetrics {
  readonly contentType: string;
  print(): Promise<string>;
}

/** Metrics of the process and the runtime, collected from now on. */
export function startProcessMetrics(isDisabled: (name: string) => boolean): ProcessMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "go_goroutines",
    help: "Timers, sockets and calls in progress: the nearest that this runtime has to goroutines, for dashboards that ask for them.",
    registers: [registry],
    collect() {
      this.set(process.getActiveResourcesInfo().length);
    },
  });
  for (const { name } of registry.getMetricsAsArray()) {
    if (isDisabled(name)) registry.removeSingleMetric(name);
  }
  return { contentType: registry.contentType, print: () => registry.metrics() };
}

/** Registered with no registry of the library's own. */
function configurationOf({ name, help, labels }: ShownFamily<unknown>) {
  return { name, help, labelNames: [...labels], registers: [] };
}

function isEmpty(family: ShownFamily<unknown>): boolean {
  for (const _ of family.children()) return false;
  return true;
}

function* labelled<Child>(family: ShownFamily<Child>): Generator<[Record<string, string>, Child]> {
  for (const { values, child } of family.children()) {
    yield [Object.fromEntries(family.labels.map((name, index) => [name, values[index] ?? ""])), child];
  }
}

function* samples(family: ShownFamily<Distribution>): Generator<MetricValueWithName<string>> {
  for (const [labels, child] of labelled(family)) {
    let count = 0;
    for (const [range, inRange] of child.counts.entries()) {
      count += inRange;
      const le = child.bounds[range] ?? "+Inf";
      yield { metricName: `${family.name}_bucket`, labels: { ...labels, le }, value: count };
    }
    yield { metricName: `${family.name}_sum`, labels, value: child.sum };
    yield { metricName: `${family.name}_count`, labels, value: count };
  }
}

function* summaryLines(family: ShownFamily<Summary>): Generator<MetricValueWithName<string>> {
  for (const [labels, child] of labelled(family)) {
    for (const [index, value] of child.values().entries()) {
      yield { labels: { ...labels, quantile: child.quantiles[index] ?? "" }, value };
    }
    yield { metricName: `${family.name}_sum`, labels, value: child.sum };
    yield { metricName: `${family.name}_count`, labels, value: child.count };
  }
}
