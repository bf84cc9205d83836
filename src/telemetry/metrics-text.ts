import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricValueWithName,
  Registry,
  Summary as SummaryMetric,
} from "prom-client";
import type { Distribution } from "./distribution.js";
import type { ShownFamily } from "./metric-family.js";
import type { Metric } from "./metrics.js";
import type { Summary } from "./summary.js";

/** Import this file only when metrics are requested: the library is not needed before. */

type Configuration = ReturnType<typeof configurationOf>;

/** The library takes single observations; here they are already counted. */
class ShownHistogram extends Histogram {
  readonly #configuration: Configuration;
  readonly #children: readonly Labelled<Distribution>[];
  constructor(configuration: Configuration, children: readonly Labelled<Distribution>[]) {
    super(configuration);
    this.#configuration = configuration;
    this.#children = children;
  }
  /** The library calls `get` when it prints. */
  async getForPromString() {
    const { name, help } = this.#configuration;
    return { name, help, type: "histogram", aggregator: "sum", values: [...samples(name, this.#children)] };
  }
}

class ShownSummary extends SummaryMetric {
  readonly #configuration: Configuration;
  readonly #children: readonly Labelled<Summary>[];
  constructor(configuration: Configuration, children: readonly Labelled<Summary>[]) {
    super(configuration);
    this.#configuration = configuration;
    this.#children = children;
  }
  async getForPromString() {
    const { name, help } = this.#configuration;
    return {
      name,
      help,
      type: "summary",
      aggregator: "sum",
      values: [...summaryLines(name, this.#children)],
    };
  }
}

/** A part of a metric, as the library prints it. */
type Shown = Counter | Gauge | ShownHistogram | ShownSummary;

/** Prometheus' text format. Metrics without a value are left out. */
export async function printMetrics(metrics: Iterable<Metric>): Promise<string> {
  let text = "";
  for (const piece of metricsPieces(metrics)) text += await piece;
  return text;
}

/** A millisecond or two of work. */
const linesPerPiece = 1000;

/** Like `printMetrics`, in pieces: printing thousands of series at once would block the event loop for a tenth of a second. */
export function* metricsPieces(metrics: Iterable<Metric>): Generator<Promise<string>, void, void> {
  let separator = "";
  for (const metric of metrics) {
    let isFirst = true;
    for (const shown of shownParts(metric)) {
      yield printPart(shown, isFirst ? separator : undefined);
      isFirst = false;
      separator = "\n";
    }
  }
}

/** `separator` precedes the first part of a family. Later parts have none, and leave out the description. */
async function printPart(shown: Shown, separator: string | undefined): Promise<string> {
  const registry = new Registry();
  registry.registerMetric(shown);
  const text = await registry.metrics();
  return separator === undefined ? text.replace(/^(#.*\n)+/, "") : separator + text;
}

function* shownParts({ type, family }: Metric): Generator<Shown, void, void> {
  const configuration = configurationOf(family);
  switch (type) {
    case "counter":
      for (const children of inParts(labelled(family), () => 1)) {
        const shown = new Counter(configuration);
        for (const [labels, { value }] of children) shown.inc(labels, value);
        yield shown;
      }
      break;
    case "gauge":
      for (const children of inParts(labelled(family), () => 1)) {
        const shown = new Gauge(configuration);
        for (const [labels, { value, elsewhere }] of children) shown.set(labels, value + elsewhere);
        yield shown;
      }
      break;
    case "histogram":
      for (const children of inParts(labelled(family), ({ counts }) => counts.length + 2)) {
        yield new ShownHistogram(configuration, children);
      }
      break;
    case "summary":
      for (const children of inParts(labelled(family), ({ quantiles }) => quantiles.length + 2)) {
        yield new ShownSummary(configuration, children);
      }
  }
}

function* inParts<Child>(
  children: Iterable<Labelled<Child>>,
  linesOf: (child: Child) => number,
): Generator<readonly Labelled<Child>[], void, void> {
  let part: Labelled<Child>[] = [];
  let lines = 0;
  for (const each of children) {
    part.push(each);
    lines += linesOf(each[1]);
    if (lines < linesPerPiece) continue;
    yield part;
    part = [];
    lines = 0;
  }
  if (part.length > 0) yield part;
}

export interface ProcessMetrics {
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
  return { print: () => registry.metrics() };
}

/** Not registered with the library's global registry. */
function configurationOf({ name, help, labels }: ShownFamily<unknown>) {
  return { name, help, labelNames: [...labels], registers: [] };
}

type Labelled<Child> = readonly [labels: Record<string, string>, child: Child];

function* labelled<Child>(family: ShownFamily<Child>): Generator<Labelled<Child>> {
  // A copy of the list: a child that is removed and added again between two parts would be shown twice.
  for (const { values, child } of [...family.children()]) {
    yield [Object.fromEntries(family.labels.map((name, index) => [name, values[index] ?? ""])), child];
  }
}

function* samples(
  name: string,
  children: readonly Labelled<Distribution>[],
): Generator<MetricValueWithName<string>> {
  for (const [labels, child] of children) {
    let count = 0;
    for (const [range, inRange] of child.counts.entries()) {
      count += inRange;
      const bound = child.bounds[range];
      const le = bound === undefined ? "+Inf" : boundText(bound);
      yield { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    }
    yield { metricName: `${name}_sum`, labels, value: child.sum };
    yield { metricName: `${name}_count`, labels, value: count };
  }
}

/** Like Go's `strconv`, because queries compare bounds as text: `0.0001`, `604800`, `1e+06`. */
function boundText(bound: number): string {
  if (bound === 0 || (bound >= 1e-4 && bound < 1e6)) return String(bound);
  return bound.toExponential().replace(/([+-])(\d)$/, "$10$2");
}

function* summaryLines(
  name: string,
  children: readonly Labelled<Summary>[],
): Generator<MetricValueWithName<string>> {
  for (const [labels, child] of children) {
    for (const [index, value] of child.values().entries()) {
      yield { labels: { ...labels, quantile: child.quantiles[index] ?? "" }, value };
    }
    yield { metricName: `${name}_sum`, labels, value: child.sum };
    yield { metricName: `${name}_count`, labels, value: child.count };
  }
}
