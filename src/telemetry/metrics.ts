import { Summary, type SummaryOptions } from "./summary.js";

/** A number with a set of labels: a counter, which only grows, or a gauge. */
export class Figure {
  value = 0;
  /** Of a gauge: what other threads have of it. */
  elsewhere = 0;
}

/** A histogram of observations. */
export class Distribution {
  /** Upper bounds, inclusive, ascending; a last bucket has no bound. */
  readonly bounds: readonly number[];
  /** Up to the highest bucket that has any: most distributions have them in the first one or two. */
  #counts: number[] = noCounts;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
  }

  /** Observations per bucket, the last one without an upper bound. */
  get counts(): readonly number[] {
    return Array.from({ length: this.bounds.length + 1 }, (_, range) => this.#counts[range] ?? 0);
  }

  /** `times`: so often the same. */
  observe(value: number, times = 1): void {
    let range = 0;
    while (range < this.bounds.length && value > (this.bounds[range] ?? 0)) range++;
    this.#add(range, times);
    this.sum += value * times;
  }

  /** Adds the observations of `other`, which has the same bounds. */
  add(other: Distribution): void {
    this.addCounts(other.#counts, other.sum);
  }

  /** Adds observations by bucket. */
  addCounts(counts: readonly number[], sum: number): void {
    // From the highest down, so that there is room for all of them at once.
    for (let range = counts.length - 1; range >= 0; range--) {
      const count = counts[range] ?? 0;
      if (count > 0) this.#add(range, count);
    }
    this.sum += sum;
  }

  #add(range: number, times: number): void {
    if (range >= this.#counts.length) {
      // An array that grows by itself takes room for more than there are buckets.
      const counts = new Array<number>(range + 1).fill(0);
      for (const [known, count] of this.#counts.entries()) counts[known] = count;
      this.#counts = counts;
    }
    this.#counts[range] = (this.#counts[range] ?? 0) + times;
  }
}

const noCounts: number[] = [];

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Allowed label values of a metric, by `metric,label`. */
export type AllowedLabelValues = ReadonlyMap<string, ReadonlySet<string>>;

/** A name under which a metric is shown. */
export interface ShownName {
  readonly name: string;
  /** Default those of the metric. */
  readonly labels?: readonly string[] | undefined;
  /** The values of `labels`, from the metric's own. */
  readonly values?: ((own: readonly string[]) => readonly string[]) | undefined;
}

export interface MetricsOptions {
  /** How a metric is shown: not at all, or under one or several names. Default: under its own. */
  readonly shownAs?: (name: string) => readonly ShownName[];
  /** Names of hidden metrics. */
  readonly disabled?: ReadonlySet<string>;
  /** Other values are counted together, as `unexpected`. */
  readonly allowedValues?: AllowedLabelValues;
  /** Monotonic milliseconds; default those of the process. */
  readonly now?: () => number;
}

/** Replaces label values that are not counted separately. */
const unexpected = "unexpected";

/** The most lines of one metric, so that a scrape stays readable regardless of what clients request. */
const samplesMax = 40_000;

/** One metric, with a child for each set of label values that occurred. Beyond a limit, new sets share one child. */
export class MetricFamily<Child> implements ShownFamily<Child> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly #make: () => Child;
  readonly #childrenMax: number;
  readonly #allowed: readonly (ReadonlySet<string> | undefined)[] | undefined;
  readonly #children = new Map<string, MetricChild<Child>>();
  /** Counts for all sets of values beyond the limit. */
  #overflow: MetricChild<Child> | undefined;

  /** `samples`: the number of lines that a child takes. */
  constructor(
    { name, help, labels }: MetricDescription,
    make: () => Child,
    {
      allowed,
      samples = 1,
    }: { readonly allowed?: AllowedLabelValues | undefined; readonly samples?: number } = {},
  ) {
    this.name = name;
    this.help = help;
    this.labels = labels;
    this.#make = make;
    this.#childrenMax = Math.floor(samplesMax / samples);
    const ofLabels = labels.map((label) => allowed?.get(`${name},${label}`));
    this.#allowed = ofLabels.some((values) => values !== undefined) ? ofLabels : undefined;
    // There is nothing to wait for: it is shown from the start.
    if (labels.length === 0) this.with();
  }

  /** The child for these values, in the order of `labels`; always the same one. Frequent users keep it. */
  with(...given: readonly string[]): Child {
    return this.entry(given).child;
  }

  /** The same with its values, for `removeEntry`. */
  entry(given: readonly string[]): MetricChild<Child> {
    const values =
      this.#allowed === undefined
        ? given
        : given.map((value, index) => (this.#allowed?.[index]?.has(value) === false ? unexpected : value));
    const key = values.join("\0");
    let known = this.#children.get(key);
    if (known === undefined) {
      if (values.length !== this.labels.length) throw new RangeError(`${this.name} has other labels`);
      if (this.#children.size >= this.#childrenMax) return this.#overflowed();
      known = { values, child: this.#make() };
      this.#children.set(key, known);
    }
    return known;
  }

  /** Removes the child of these values; `with` makes a new one. A child that also stands for other values stays. */
  remove(...values: readonly string[]): void {
    const isShared = values.some((value, index) => this.#allowed?.[index]?.has(value) === false);
    if (!isShared) this.#children.delete(values.join("\0"));
  }

  /** The same for what `entry` returned. */
  removeEntry(entry: MetricChild<Child>): void {
    if (entry !== this.#overflow) this.remove(...entry.values);
  }

  /** A child that is never shown. */
  unlisted(): Child {
    return this.#make();
  }

  #overflowed(): MetricChild<Child> {
    const values = this.labels.map(() => unexpected);
    const key = values.join("\0");
    this.#overflow ??= this.#children.get(key) ?? { values, child: this.#make() };
    this.#children.set(key, this.#overflow);
    return this.#overflow;
  }

  children(): Iterable<MetricChild<Child>> {
    return this.#children.values();
  }
}

/** What was counted for a set of label values. */
export interface MetricChild<Child> {
  /** In the order of the family's labels. */
  readonly values: readonly string[];
  readonly child: Child;
}

/** A metric as it is printed. */
export interface ShownFamily<Child> extends MetricDescription {
  children(): Iterable<MetricChild<Child>>;
}

export type Metric =
  | { readonly type: "counter" | "gauge"; readonly family: ShownFamily<Figure> }
  | { readonly type: "histogram"; readonly family: ShownFamily<Distribution> }
  | { readonly type: "summary"; readonly family: ShownFamily<Summary> };

type AnyFamily = MetricFamily<Figure> | MetricFamily<Distribution> | MetricFamily<Summary>;

/**
 * The metrics of a server. A count increments a number that the caller holds, which takes 50 ns; the library that prints them takes
 * over a microsecond for each set of labels.
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

  /** Shows a metric under a second name as well, that of another version of Kubernetes. */
  alias(name: string, metric: Metric): void {
    this.#add(renamed(metric, { name }, `The same as ${metric.family.name}. `));
  }

  /** Called before the metrics are read, to set values that are not counted as they happen. */
  onRead(refresh: () => void): void {
    this.#refreshes.push(refresh);
  }

  /** Called before a page of metrics is made, to get what others have counted. */
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

  /** The same without updating values that are set on reading. */
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
