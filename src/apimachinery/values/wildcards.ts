/** Whether any of `patterns` is the text. A `*` stands for any characters. */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesWildcards(pattern, text));
}

/**
 * Each part between two `*` is matched at its first occurrence, which is as good as any later one: no backtracking, unlike a regular
 * expression.
 */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
