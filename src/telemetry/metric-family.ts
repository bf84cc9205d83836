/** A number with a set of labels: a counter, which only grows, or a gauge. */
export class Figure {
  value = 0;
  /** Of a gauge: the sum of the values of other threads. */
  elsewhere = 0;
}

export interface MetricDescription {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Allowed label values of a metric, by `metric,label`. */
export type AllowedLabelValues = ReadonlyMap<string, ReadonlySet<string>>;

/** Replaces label values that are not counted separately. */
const unexpected = "unexpected";

/** Most lines of one metric, so that the size of a scrape does not depend on what clients request. */
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
    // Without labels there is just one child, which is shown from the start.
    if (labels.length === 0) this.with();
  }

  /** The child for these values, in the order of `labels`; always the same object, which frequent callers keep. */
  with(...given: readonly string[]): Child {
    return this.entry(given).child;
  }

  /** The same with its label values, for `removeEntry`. */
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

  /** Removes the child of these values; the next `with` makes a new one. A child shared with other values stays. */
  remove(...values: readonly string[]): void {
    const isShared = values.some((value, index) => this.#allowed?.[index]?.has(value) === false);
    if (!isShared) this.#children.delete(values.join("\0"));
  }

  /** The same for what `entry` has returned. */
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
