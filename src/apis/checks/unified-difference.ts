interface Edit {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

/** Unchanged lines shown around a change. */
const contextLines = 3;
/**
 * Limit for both texts together, without their common start and end. Beyond it, all of it counts as replaced, because comparing takes too
 * long.
 */
const comparedLinesMax = 6000;
/** Limit of steps in the search for common lines; what is not matched by then counts as replaced. */
const stepsMax = 200_000;

/** The changed lines with context, as `diff -u` shows them, but without file names. */
export function unifiedDifference(before: readonly string[], after: readonly string[]): string {
  const { skipped, edits } = editsOf(before, after);
  let text = "";
  // The lines of each text before the hunk.
  let oldLines = skipped;
  let newLines = skipped;
  let at = 0;
  for (const { start, end } of hunksOf(edits)) {
    oldLines += start - at;
    newLines += start - at;
    const hunk = edits.slice(start, end);
    const oldLength = countOf(hunk, "+");
    const newLength = countOf(hunk, "-");
    text += `@@ -${rangeText(oldLines, oldLength)} +${rangeText(newLines, newLength)} @@\n`;
    for (const { sign, line } of hunk) text += `${sign}${line}\n`;
    oldLines += oldLength;
    newLines += newLength;
    at = end;
  }
  return text;
}

/** The number of lines on one side: all edits but those of the other side alone. */
function countOf(edits: readonly Edit[], other: Edit["sign"]): number {
  return edits.filter(({ sign }) => sign !== other).length;
}

function rangeText(skipped: number, length: number): string {
  if (length === 1) return `${skipped + 1}`;
  return `${length === 0 ? skipped : skipped + 1},${length}`;
}

function hunksOf(edits: readonly Edit[]): readonly { readonly start: number; readonly end: number }[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [index, { sign }] of edits.entries()) {
    if (sign === " ") continue;
    const start = Math.max(0, index - contextLines);
    const end = Math.min(edits.length, index + 1 + contextLines);
    const last = hunks.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks;
}

/** From the context of the first change to that of the last, after lines that are the same in both. */
function editsOf(
  before: readonly string[],
  after: readonly string[],
): { readonly skipped: number; readonly edits: readonly Edit[] } {
  if (before.length + after.length <= comparedLinesMax) return trimmed(changedEdits(before, after));
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const rest = Math.min(before.length, after.length) - head;
  while (tail < rest && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (line: string): Edit => ({ sign: " ", line });
  const skipped = Math.max(0, head - contextLines);
  const end = before.length - tail;
  return {
    skipped,
    edits: [
      ...before.slice(skipped, head).map(same),
      ...changedEdits(before.slice(head, end), after.slice(head, after.length - tail)),
      ...before.slice(end, end + contextLines).map(same),
    ],
  };
}

function trimmed(edits: readonly Edit[]): { readonly skipped: number; readonly edits: readonly Edit[] } {
  const first = edits.findIndex(({ sign }) => sign !== " ");
  const skipped = Math.max(0, first - contextLines);
  const last = edits.findLastIndex(({ sign }) => sign !== " ");
  return { skipped, edits: edits.slice(skipped, last + 1 + contextLines) };
}

/** Everything between common runs is replaced. */
function changedEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const edits: Edit[] = [];
  const add = (sign: Edit["sign"], lines: readonly string[]): void => {
    for (const line of lines) edits.push({ sign, line });
  };
  let i = 0;
  let j = 0;
  const isLong = before.length + after.length > comparedLinesMax;
  const runs = isLong ? [] : commonRuns(before, after);
  for (const run of [...runs, { i: before.length, j: after.length, length: 0 }]) {
    add("-", before.slice(i, run.i));
    add("+", after.slice(j, run.j));
    add(" ", before.slice(run.i, run.i + run.length));
    i = run.i + run.length;
    j = run.j + run.length;
  }
  return edits;
}

interface Run {
  /** Where it begins in the one text, and in the other. */
  readonly i: number;
  readonly j: number;
  readonly length: number;
}

interface FoundRun extends Run {
  /** How many lines were looked at. */
  readonly steps: number;
}

interface Range {
  readonly i: number;
  readonly iEnd: number;
  readonly j: number;
  readonly jEnd: number;
}

/** The longest run that both texts have, then the longest before and after it, and so on: as Python's difflib finds them. */
function commonRuns(before: readonly string[], after: readonly string[]): readonly Run[] {
  const places = placesOf(after);
  const runs: Run[] = [];
  const ranges: Range[] = [{ i: 0, iEnd: before.length, j: 0, jEnd: after.length }];
  let steps = 0;
  for (let range = ranges.pop(); range !== undefined && steps < stepsMax; range = ranges.pop()) {
    const run = longestRun(before, after, places, range, stepsMax - steps);
    steps += run.steps;
    if (run.length === 0) continue;
    runs.push(run);
    const { i, j, length } = run;
    if (range.i < i && range.j < j) ranges.push({ ...range, iEnd: i, jEnd: j });
    if (i + length < range.iEnd && j + length < range.jEnd) {
      ranges.push({ ...range, i: i + length, j: j + length });
    }
  }
  return runs.sort((a, b) => a.i - b.i);
}

/** Where each line is, without the lines of a long text that are too frequent to begin a run. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (lines.length < 200) return places;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, { length }]) => length <= most));
}

/** The longest among those that are found within the steps. */
function longestRun(
  before: readonly string[],
  after: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  range: Range,
  stepsLeft: number,
): FoundRun {
  let { i, j } = range;
  let length = 0;
  let steps = 0;
  // The lengths of the runs that end with the last line, by where they end in the other text.
  let lengths = new Map<number, number>();
  for (let at = range.i; at < range.iEnd && steps < stepsLeft; at++) {
    const next = new Map<number, number>();
    const found = places.get(before[at] ?? "") ?? [];
    steps += 1 + found.length;
    for (const place of found) {
      if (place < range.j) continue;
      if (place >= range.jEnd) break;
      const now = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, now);
      if (now > length) {
        length = now;
        i = at - now + 1;
        j = place - now + 1;
      }
    }
    lengths = next;
  }
  // Frequent lines do not begin a run, but belong to it.
  while (i > range.i && j > range.j && before[i - 1] === after[j - 1]) {
    i--;
    j--;
    length++;
  }
  const isSameAt = (offset: number): boolean =>
    i + offset < range.iEnd && j + offset < range.jEnd && before[i + offset] === after[j + offset];
  while (isSameAt(length)) length++;
  return { i, j, length, steps };
}
