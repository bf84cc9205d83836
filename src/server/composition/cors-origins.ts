/**
 * Whether an origin matches one of the expressions of `--cors-allowed-origins`. Origins come from anyone, so the matcher does not
 * backtrack. Rejects with an `Error` that shows an invalid expression.
 */
export async function corsOrigins(patterns: readonly string[]): Promise<(origin: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { RE2JS } = await import("re2js");
  const compiled = patterns.map((pattern) => {
    try {
      return RE2JS.compile(pattern);
    } catch (error) {
      throw new Error(`${JSON.stringify(pattern)} is not a regular expression`, { cause: error });
    }
  });
  return (origin) => compiled.some((pattern) => pattern.matcher(origin).find());
}
