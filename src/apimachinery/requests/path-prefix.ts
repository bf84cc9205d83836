/**
 * The prefix of the paths that a pattern such as `/logs/*` matches: the pattern without trailing stars. The expression `\*+$` would try
 * each of a million stars before another character.
 */
export function pathPrefix(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === "*") end--;
  return pattern.slice(0, end);
}
