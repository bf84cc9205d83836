/** The largest number of completions that are tracked by index. */
const indexesMax = 100_000;

/** Formats numbers as `0-2,5`: ascending, without duplicates. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...new Set(indexes)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (sorted[to + 1] === (sorted[to] ?? 0) + 1) to++;
    const [first, last] = [sorted[from], sorted[to]];
    parts.push(first === last ? `${first}` : to === from + 1 ? `${first},${last}` : `${first}-${last}`);
    from = to + 1;
  }
  return parts.join(",");
}

export function parseIndexes(text: string | undefined): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    const [first = "", last = first] = part.split("-");
    if (first === "") continue;
    for (let index = Number(first); index <= Number(last) && indexes.size < indexesMax; index++)
      indexes.add(index);
  }
  return indexes;
}
