/** The name that `given` was probably meant to be; undefined when none is close. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  let closest: string | undefined;
  let closestDistance = Math.max(1, Math.floor(given.length / 4)) + 1;
  for (const name of names) {
    const distance = editDistance(given, name);
    if (distance < closestDistance) {
      closest = name;
      closestDistance = distance;
    }
  }
  return (
    closest ?? names.find((name) => given.length > 3 && name.split("-").length > 1 && name.includes(given))
  );
}

/** Levenshtein distance: characters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
