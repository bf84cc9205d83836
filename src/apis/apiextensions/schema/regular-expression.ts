import { createRequire } from "node:module";

/** Cached, because definitions repeat patterns, and compiling one takes longer than all other checks of its schema. */
const goodPatterns = new Set<string>();
const goodPatternsMax = 512;
const patternLengthMax = 1024;

/** The error of a pattern in RE2 syntax; undefined when it compiles. */
export function patternProblem(pattern: string): string | undefined {
  if (goodPatterns.has(pattern)) return undefined;
  // Loading the engine takes tens of milliseconds, and most servers never validate a pattern.
  const { RE2JS }: typeof import("re2js") = createRequire(import.meta.url)("re2js");
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The engine leaves the empty rest of the pattern out here, which Go quotes.
    return message.endsWith("trailing backslash at end of expression") ? `${message}: \`\`` : message;
  }
  if (pattern.length <= patternLengthMax) {
    if (goodPatterns.size >= goodPatternsMax) goodPatterns.clear();
    goodPatterns.add(pattern);
  }
  return undefined;
}
