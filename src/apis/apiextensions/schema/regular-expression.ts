import { createRequire } from "node:module";
import { messageOf } from "../../../apimachinery/errors/message-of.js";
import { patternSize, patternSizeMax } from "../../../apimachinery/values/pattern-size.js";

/** Cached, because definitions repeat patterns, and compiling one takes longer than all other checks of its schema. */
const goodPatterns = new Set<string>();
const goodPatternsMax = 512;
const patternLengthMax = 1024;

/**
 * Limit for the sizes of all patterns of a definition together: this many take seconds to compile, and again when the first object is
 * validated.
 */
const patternSizesMax = 2_000_000;

/** Compiles each pattern of a request once, however many schemas and passes it occurs in. */
export class PatternCheck {
  #size = 0;
  readonly #known = new Map<string, string | undefined>();

  /** The error of a pattern in RE2 syntax; undefined when it compiles. */
  problemOf(pattern: string): string | undefined {
    const known = this.#known.get(pattern);
    if (known !== undefined || this.#known.has(pattern)) return known;
    this.#size += patternSize(pattern);
    const problem = this.#size > patternSizesMax ? tooLarge(patternSizesMax, "all") : patternProblem(pattern);
    this.#known.set(pattern, problem);
    return problem;
  }
}

function patternProblem(pattern: string): string | undefined {
  if (goodPatterns.has(pattern)) return undefined;
  // Compiling cannot be interrupted.
  if (patternSize(pattern) > patternSizeMax) return tooLarge(patternSizeMax, "one");
  // Loading the engine takes tens of milliseconds, and most servers never validate a pattern.
  const { RE2JS }: typeof import("re2js") = createRequire(import.meta.url)("re2js");
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    const message = messageOf(error);
    // Go quotes the rest of the pattern, here an empty one; the engine does not.
    return message.endsWith("trailing backslash at end of expression") ? `${message}: \`\`` : message;
  }
  if (pattern.length <= patternLengthMax) {
    if (goodPatterns.size >= goodPatternsMax) goodPatterns.clear();
    goodPatterns.add(pattern);
  }
  return undefined;
}

function tooLarge(max: number, of: "one" | "all"): string {
  const which = of === "one" ? "expression" : "expressions of the definition";
  return `error parsing regexp: ${which} too large: limit is ${max} characters and classes, with their repetitions`;
}
