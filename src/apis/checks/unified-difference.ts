interface Edit {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

/** Lines around a change that are shown with it. */
const contextLines = 3;
/** What is longer counts as replaced as a whole: comparing each line with each takes long. */
const comparedLinesMax = 300;

/** The changed lines and some around them, as `diff -u` shows them without the names of files. */
export function unifiedDifference(before: readonly string[], after: readonly string[]): string {
  const { skipped, edits } = editsOf(before, after);
  let text = "";
  for (const { start, end } of hunksOf(edits)) {
    const place = (other: Edit["sign"]): string =>
      rangeText(skipped + countOf(edits.slice(0, start), other), countOf(edits.slice(start, end), other));
    text += `@@ -${place("+")} +${place("-")} @@\n`;
    for (const { sign, line } of edits.slice(start, end)) text += `${sign}${line}\n`;
  }
  return text;
}

/** How many lines one of the two texts has: all but those of the other alone. */
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

/** By a longest common subsequence of the lines. */
function changedEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const edits: Edit[] = [];
  const isLong = before.length > comparedLinesMax || after.length > comparedLinesMax;
  const common = isLong ? [] : commonLengths(before, after);
  const commonAt = (i: number, j: number): number => common[i]?.[j] ?? 0;
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old = "", made = ""] = [before[i], after[j]];
    if (i < before.length && j < after.length && !isLong && old === made) {
      edits.push({ sign: " ", line: old });
      i++;
      j++;
    } else if (i < before.length && (j === after.length || commonAt(i + 1, j) >= commonAt(i, j + 1))) {
      edits.push({ sign: "-", line: old });
      i++;
    } else {
      edits.push({ sign: "+", line: made });
      j++;
    }
  }
  return edits;
}

/** How many lines the texts have in common from line i of the one and line j of the other on, at `[i][j]`. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  );
  for (let i = before.length - 1; i >= 0; i--) {
    const [row = [], below = []] = [lengths[i], lengths[i + 1]];
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}
