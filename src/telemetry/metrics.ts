import { Distribution } from "./distribution.js";
import {
  type AllowedLabelValues,
  Figure,
  type MetricDescription,
  MetricFamily,
  type ShownFamily,
} from "./metric-family.js";
import { Summary, type SummaryOptions } from "./summary.js";

/** A name under which a metric is shown. */
export interface ShownName {
  readonly name: string;
  /** Default: those of the metric. */
  readonly labels?: readonly string[] | undefined;
  /** Makes the values of `labels` from the metric's own values. */
  readonly values?: ((own: readonly string[]) => readonly string[]) | undefined;
}

export interface MetricsOptions {
  /** How a metric is shown: not at all, or under one or several names. Default: under its own. */
  readonly shownAs?: (name: string) => readonly ShownName[];
  /** Names of hidden metrics. */
  readonly disabled?: ReadonlySet<string>;
  /** Other values are counted together, as `unexpected`. */
  readonly allowedValues?: AllowedLabelValues;
  /** Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

export type Metric =
  | { readonly type: "counter" | "gauge"; readonly family: ShownFamily<Figure> }
  | { readonly type: "histogram"; readonly family: ShownFamily<Distribution> }
  | { readonly type: "summary"; readonly family: ShownFamily<Summary> };

type AnyFamily = MetricFamily<Figure> | MetricFamily<Distribution> | MetricFamily<Summary>;

/**
 * The metrics of a server. Counting increments a number that the caller holds, which takes 50 ns; the library that prints metrics would
 * take over a microsecond for each set of labels.
 */
export class Metrics {
  readonly #metrics: Metric[] = [];
  readonly #families = new Map<string, AnyFamily>();
  readonly #refreshes: (() => void)[] = [];
  readonly #gathering: (() => Promise<void>)[] = [];
  readonly #options: MetricsOptions;

  constructor(options: MetricsOptions = {}) {
    this.#options = options;
  }

  counter(description: MetricDescription): MetricFamily<Figure> {
    const family = this.#family(description, () => new Figure());
    this.#add({ type: "counter", family });
    return family;
  }

  gauge(description: MetricDescription): MetricFamily<Figure> {
    const family = this.#family(description, () => new Figure());
    this.#add({ type: "gauge", family });
    return family;
  }

  histogram(
    description: MetricDescription & { readonly bounds: readonly number[] },
  ): MetricFamily<Distribution> {
    const { bounds } = description;
    // A line for each range, their sum and their number.
    const family = this.#family(description, () => new Distribution(bounds), bounds.length + 3);
    this.#add({ type: "histogram", family });
    return family;
  }

  summary(description: MetricDescription & SummaryOptions): MetricFamily<Summary> {
    const now = this.#options.now ?? (() => performance.now());
    // A line for each quantile, their sum and their number.
    const samples = description.quantiles.length + 2;
    const family = this.#family(description, () => new Summary(description, now), samples);
    this.#add({ type: "summary", family });
    return family;
  }

  /** Also shows a metric under a second name, which another version of Kubernetes uses. */
  alias(name: string, metric: Metric): void {
    this.#add(renamed(metric, { name }, `The same as ${metric.family.name}. `));
  }

  /** Called before the metrics are read, to set the values that are not counted as they happen. */
  onRead(refresh: () => void): void {
    this.#refreshes.push(refresh);
  }

  /** Called before the metrics are printed, to fetch the counts of other threads. */
  onGather(ask: () => Promise<void>): void {
    this.#gathering.push(ask);
  }

  async gather(): Promise<void> {
    await Promise.all(this.#gathering.map((ask) => ask()));
  }

  read(): readonly Metric[] {
    for (const refresh of this.#refreshes) refresh();
    return this.#metrics;
  }

  /** The same without calling the `onRead` functions. */
  all(): readonly Metric[] {
    return this.#metrics;
  }

  /** Undefined for one that is not shown, and for an alias. */
  family(name: string): AnyFamily | undefined {
    return this.#families.get(name);
  }

  isDisabled(name: string): boolean {
    return this.#options.disabled?.has(name) === true;
  }

  #family<Child>(description: MetricDescription, make: () => Child, samples = 1): MetricFamily<Child> {
    return new MetricFamily(description, make, { allowed: this.#options.allowedValues, samples });
  }

  #add(metric: Metric): void {
    const { family } = metric;
    const all = this.#options.shownAs?.(family.name) ?? [family];
    const shown = all.filter(({ name }) => !this.isDisabled(name));
    if (shown.length === 0) return;
    for (const as of shown) this.#metrics.push(as.name === family.name ? metric : renamed(metric, as));
    if (family instanceof MetricFamily) this.#families.set(family.name, family);
  }
}

function renamed(metric: Metric, as: ShownName, note = ""): Metric {
  switch (metric.type) {
    case "histogram":
      return { type: metric.type, family: renamedFamily(metric.family, as, note) };
    case "summary":
      return { type: metric.type, family: renamedFamily(metric.family, as, note) };
    default:
      return { type: metric.type, family: renamedFamily(metric.family, as, note) };
  }
}

function renamedFamily<Child>(
  family: ShownFamily<Child>,
  { name, labels = family.labels, values: valuesOf }: ShownName,
  note: string,
): ShownFamily<Child> {
  return {
    name,
    help: `${note}${family.help}`,
    labels,
    *children() {
      for (const { values, child } of family.children()) {
        yield { values: valuesOf === undefined ? values : valuesOf(values), child };
      }
    },
  };
}
