/** Indexes of an indexed job as text: `0,3-5,7`. */

export type ParsedIndexes =
  | { readonly intervals: readonly Interval[]; readonly total: number }
  | { readonly problem: string };

type Interval = readonly [first: number, last: number];

/** Increasing intervals of indexes below `completions`. */
export function parseIndexes(text: string, completions: number): ParsedIndexes {
  const intervals: Interval[] = [];
  let total = 0;
  for (const part of text === "" ? [] : text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return { problem: interval };
    const [first, last] = interval;
    const previous = intervals.at(-1)?.[1];
    if (previous !== undefined && previous >= first) return { problem: notIncreasing(previous, first) };
    intervals.push(interval);
    total += last - first + 1;
  }
  return { intervals, total };
}

function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split("-");
  if (parts.length > 2) {
    const shown = JSON.stringify(text);
    return `the fragment ${shown} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const [first, last = first] = parts.map((part) => parseIndex(part, completions));
  if (typeof first === "string") return first;
  if (typeof last === "string") return last;
  if (first === undefined || last === undefined) return `cannot convert string to integer for index: ""`;
  return parts.length === 2 && first >= last ? notIncreasing(first, last) : [first, last];
}

function parseIndex(text: string, completions: number): number | string {
  const shown = JSON.stringify(text);
  if (!/^[+-]?\d{1,18}$/.test(text)) return `cannot convert string to integer for index: ${shown}`;
  return Number(text) >= completions ? `too large index: ${shown}` : Number(text);
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** The first index that both have; undefined when there is none, or one is malformed. */
export function sharedIndex(a: string, b: string, completions: number): number | undefined {
  const [left, right] = [parseIndexes(a, completions), parseIndexes(b, completions)];
  if ("problem" in left || "problem" in right) return undefined;
  let [i, j] = [0, 0];
  for (;;) {
    const [first, second] = [left.intervals[i], right.intervals[j]];
    if (first === undefined || second === undefined) return undefined;
    if (first[0] <= second[1] && second[0] <= first[1]) return Math.max(first[0], second[0]);
    if (first[0] <= second[0]) i++;
    else j++;
  }
}
