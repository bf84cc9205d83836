import type { Reading } from "../../api/metrics.ts";

/** Lines over one axis of time. */
export interface Series {
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

type Labels = ReadonlyMap<string, string>;

/** Values as they were read. */
export function levels(
  readings: readonly Reading[],
  lines: Readonly<Record<string, (reading: Reading) => number>>,
): Series {
  return {
    times: readings.map(({ atMs }) => atMs / 1000),
    lines: Object.entries(lines).map(([name, readingOf]) => ({ name, values: readings.map(readingOf) })),
  };
}

/** The rates of counters, per second. */
export function rates(
  readings: readonly Reading[],
  lines: Readonly<Record<string, (reading: Reading) => number>>,
): Series {
  return {
    times: readings.map(({ atMs }) => atMs / 1000),
    lines: Object.entries(lines).map(([name, readingOf]) => {
      const values = readings.map(readingOf);
      return { name, values: values.map((value, at) => rateBetween(readings, values, value, at)) };
    }),
  };
}

/** The rates for each value of a label, for the `count` values that grew most. */
export function ratesBy(readings: readonly Reading[], name: string, label: string, count: number): Series {
  const totals = readings.map((reading) => named(reading.valuesBy(name, label)));
  const [first, last] = [totals[0], totals.at(-1)];
  const grown = [...(last ?? [])]
    .map(([key, value]) => ({ key, by: value - (first?.get(key) ?? 0), value }))
    .sort((left, right) => right.by - left.by || right.value - left.value)
    .slice(0, count)
    .map(({ key }) => key)
    .sort();
  const at = new Map(readings.map((reading, index) => [reading, totals[index]]));
  return rates(
    readings,
    Object.fromEntries(grown.map((key) => [key, (reading: Reading) => at.get(reading)?.get(key) ?? 0])),
  );
}

function named(values: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...values].map(([key, value]) => [key === "" ? "other paths" : key, value]));
}

/** Quantiles of what a histogram recorded between two readings. */
export function quantiles(
  readings: readonly Reading[],
  histogram: string,
  wanted: readonly number[],
  matches: (labels: Labels) => boolean,
): Series {
  const buckets = readings.map((reading) => bucketsOf(reading, histogram, matches));
  return {
    times: readings.map(({ atMs }) => atMs / 1000),
    lines: wanted.map((quantile) => ({
      name: `p${quantile * 100}`,
      values: buckets.map((now, at) => {
        const before = buckets[at - 1];
        return before === undefined ? null : quantileOf(before, now, quantile);
      }),
    })),
  };
}

type Buckets = ReadonlyMap<number, number>;

function bucketsOf(reading: Reading, name: string, matches: (labels: Labels) => boolean): Buckets {
  const buckets = new Map<number, number>();
  for (const { labels, value } of reading.samples(`${name}_bucket`)) {
    if (!matches(labels)) continue;
    const bound = labels.get("le") === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.get("le"));
    buckets.set(bound, (buckets.get(bound) ?? 0) + value);
  }
  return buckets;
}

/** Interpolates within a bucket, as if values were spread evenly; null when nothing was counted. */
export function quantileOf(before: Buckets, now: Buckets, quantile: number): number | null {
  const bounds = [...now.keys()].sort((left, right) => left - right);
  const counts = bounds.map((bound) => (now.get(bound) ?? 0) - (before.get(bound) ?? 0));
  const total = counts.at(-1) ?? 0;
  if (total <= 0) return null;
  const rank = quantile * total;
  const index = counts.findIndex((count) => count >= rank);
  const upper = bounds[index] ?? 0;
  const lower = bounds[index - 1] ?? 0;
  if (!Number.isFinite(upper)) return lower;
  const below = counts[index - 1] ?? 0;
  const within = (counts[index] ?? 0) - below;
  return within <= 0 ? upper : lower + ((upper - lower) * (rank - below)) / within;
}

/** A counter that decreased was reset by a restart of the server: it gives no rate. */
function rateBetween(
  readings: readonly Reading[],
  values: readonly number[],
  value: number,
  at: number,
): number | null {
  const [before, earlier, now] = [values[at - 1], readings[at - 1], readings[at]];
  if (before === undefined || earlier === undefined || now === undefined || value < before) return null;
  return (value - before) / Math.max(0.001, (now.atMs - earlier.atMs) / 1000);
}
