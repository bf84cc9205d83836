import { createRequire } from "node:module";
import { patternSize } from "../values/pattern-size.js";

/** The parts of a compiled `re2js` expression in use. */
interface Matcher {
  test(input: string): boolean;
  programSize(): number;
  re2(): { readonly onepass: object | null };
}

/**
 * Matching cannot be interrupted. The engine may build a state of the size of the pattern for each character, which takes 100 ns for
 * each unit of that size, so this many take 40 ms. Kubernetes has no limit, but the server's own writes validate on the serving thread
 * whatever a request has stored.
 */
const matchingStepsMax = 400_000;
/** For patterns with few states, which the engine has built after a few characters: matching this many takes 40 ms. */
const charactersMax = 2 ** 20;
/** A pattern of up to this size has at most a thousand states. */
const fewStatesSize = 16;
/** A one-pass pattern (the next character always decides) has no more states than instructions. */
const onePassSizeMax = 200;

/** A `pattern` in RE2 syntax, compiled on first use. Matching is linear in the value for every pattern. */
export class CheckedPattern {
  readonly text: string;
  /** See `patternSize`. */
  readonly size: number;
  #compiled: Matcher | undefined;

  constructor(text: string) {
    this.text = text;
    this.size = patternSize(text);
  }

  /** Whether the pattern matches anywhere in `value`. An invalid pattern matches nothing. */
  matches(value: string): boolean {
    return this.#compile()?.test(value) ?? false;
  }

  /** Whether `value` is too long to match in time. */
  isBeyond(value: string): boolean {
    if (value.length * this.size <= matchingStepsMax) return false;
    return value.length > charactersMax || !this.#hasFewStates();
  }

  /** Whether the engine needs no more states for a long text than for a short one. */
  #hasFewStates(): boolean {
    if (this.size <= fewStatesSize) return true;
    return this.size <= onePassSizeMax && (this.#compile()?.re2().onepass ?? null) !== null;
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

function compile(pattern: string): Matcher {
  // Loading the engine takes tens of milliseconds, and most servers never need a pattern.
  const { RE2JS }: typeof import("re2js") = createRequire(import.meta.url)("re2js");
  return RE2JS.compile(pattern);
}
