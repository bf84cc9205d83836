import { createRequire } from "node:module";

type Matcher = { matcher(input: string): { find(): boolean } };

/** A `pattern` in RE2 syntax, compiled on first use. Matching is linear in the value for every pattern. */
export class CheckedPattern {
  readonly text: string;
  #compiled: Matcher | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether the pattern matches anywhere in `value`. An invalid pattern matches nothing. */
  matches(value: string): boolean {
    try {
      this.#compiled ??= compile(this.text);
    } catch {
      return false;
    }
    return this.#compiled.matcher(value).find();
  }
}

function compile(pattern: string): Matcher {
  // Loading the engine takes tens of milliseconds, and most servers never need a pattern.
  const { RE2JS }: typeof import("re2js") = createRequire(import.meta.url)("re2js");
  return RE2JS.compile(pattern);
}
