import { createRequire } from "node:module";
import { patternSize } from "../pattern-size.js";

interface Matcher {
  matcher(input: string): { find(): boolean };
  programSize(): number;
}

/** States of the engine times characters: matching cannot be interrupted, and this many may take 50 ms. */
const matchingStepsMax = 2_000_000;
/** As many steps take as long as visiting a value. */
const stepsPerValue = 80;

/** A `pattern` in RE2 syntax, compiled on first use. Matching is linear in the value for every pattern. */
export class CheckedPattern {
  readonly text: string;
  #compiled: Matcher | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether the pattern matches anywhere in `value`. An invalid pattern matches nothing. */
  matches(value: string): boolean {
    return this.#compile()?.matcher(value).find() ?? false;
  }

  /** Whether matching `value` would take too long. */
  isBeyond(value: string): boolean {
    return value.length * (this.#compile()?.programSize() ?? 0) > matchingStepsMax;
  }

  /** How many values could be visited in the time that `matches` takes. */
  workOf(value: string): number {
    const isCompiled = this.#compiled !== undefined;
    const size = this.#compiled?.programSize() ?? patternSize(this.text);
    const steps = Math.min(size * value.length, matchingStepsMax) / stepsPerValue;
    return isCompiled ? steps : steps + compilingWork + size;
  }

  #compile(): Matcher | undefined {
    try {
      this.#compiled ??= compile(this.text);
    } catch {
      return undefined;
    }
    return this.#compiled;
  }
}

const compilingWork = 20;

function compile(pattern: string): Matcher {
  // Loading the engine takes tens of milliseconds, and most servers never need a pattern.
  const { RE2JS }: typeof import("re2js") = createRequire(import.meta.url)("re2js");
  return RE2JS.compile(pattern);
}
