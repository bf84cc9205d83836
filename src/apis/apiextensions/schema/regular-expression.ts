import { createRequire } from "node:module";

/** What is wrong with a pattern in RE2 syntax; undefined when it compiles. */
export function patternProblem(pattern: string): string | undefined {
  // Loading the engine takes tens of milliseconds, and most servers never see a pattern in a new definition.
  const { RE2JS }: typeof import("re2js") = createRequire(import.meta.url)("re2js");
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
