import { Distribution } from "./distribution.js";
import { Figure, MetricFamily } from "./metric-family.js";
import type { Metrics } from "./metrics.js";
import { Summary } from "./summary.js";

/** By how much the child of a metric has grown. */
export interface MetricChange {
  readonly name: string;
  readonly values: readonly string[];
  /** The growth of a counter; for the other types, that of the sum of the observations. */
  readonly sum: number;
  /** Of a histogram: new observations by bucket. Of a summary: their number. */
  readonly counts: readonly number[];
}

/**
 * Collects what one thread has counted since the last call, for the metrics of another thread. Leaves out gauges, which each thread sets
 * itself. Of a summary, only the number and the sum are passed on; the other thread records that many observations of the average.
 */
export class MetricChanges {
  readonly #metrics: Metrics;
  readonly #told = new WeakMap<Figure | Distribution | Summary, Pick<MetricChange, "sum" | "counts">>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Since the last call. */
  take(): MetricChange[] {
    const changes: MetricChange[] = [];
    for (const { type, family } of this.#metrics.all()) {
      // An alias shows the children of another family, which are counted there.
      if (type === "gauge" || !(family instanceof MetricFamily)) continue;
      for (const { values, child } of family.children()) {
        const change = this.#changeOf(child);
        if (change !== undefined) changes.push({ name: family.name, values, ...change });
      }
    }
    return changes;
  }

  #changeOf(child: Figure | Distribution | Summary): Pick<MetricChange, "sum" | "counts"> | undefined {
    const now = stateOf(child);
    const told = this.#told.get(child);
    const counts = now.counts.map((count, index) => count - (told?.counts[index] ?? 0));
    const sum = now.sum - (told?.sum ?? 0);
    if (sum === 0 && counts.every((count) => count === 0)) return undefined;
    this.#told.set(child, now);
    return { sum, counts };
  }
}

/** Adds what another thread has counted. Ignores metrics that this thread does not have. */
export function addChanges(metrics: Metrics, changes: readonly MetricChange[]): void {
  for (const { name, values, sum, counts } of changes) {
    const family = metrics.family(name);
    const child = family?.with(...values);
    if (child instanceof Figure) child.value += sum;
    else if (child instanceof Distribution) child.addCounts(counts, sum);
    else if (child instanceof Summary) {
      const [count = 0] = counts;
      for (let each = 0; each < count; each++) child.observe(sum / count);
    }
  }
}

function stateOf(child: Figure | Distribution | Summary): Pick<MetricChange, "sum" | "counts"> {
  if (child instanceof Figure) return { sum: child.value, counts: [] };
  if (child instanceof Distribution) return { sum: child.sum, counts: child.counts };
  return { sum: child.sum, counts: [child.count] };
}
