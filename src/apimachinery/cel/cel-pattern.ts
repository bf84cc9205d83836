import { createRequire } from "node:module";
import { messageOf } from "../errors/message-of.js";
import { patternSize, patternSizeMax } from "../values/pattern-size.js";
import { CelRuntimeError } from "./cel-error.js";

/** The parts of a compiled `re2js` expression in use. */
export interface CompiledPattern {
  matcher(input: string): { find(): boolean; group(): string | null; start(): number; end(): number };
  programSize(): number;
}

const compiled = new Map<string, CompiledPattern>();
const compiledMax = 128;

/**
 * A pattern in RE2 syntax. Recently used ones are cached, because rules test many values by the same pattern. Throws
 * `CelRuntimeError`.
 */
export function compiledPattern(text: string): CompiledPattern {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  if (patternSize(text) > patternSizeMax)
    throw new CelRuntimeError("invalid regular expression: expression too large");
  // Loading the engine takes tens of milliseconds, and most servers never need a pattern.
  const { RE2JS }: typeof import("re2js") = createRequire(import.meta.url)("re2js");
  let made: CompiledPattern;
  try {
    made = RE2JS.compile(text);
  } catch (error) {
    throw new CelRuntimeError(messageOf(error));
  }
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(text, made);
  return made;
}

/** Upper bound of the engine's steps: for each character it updates every state of the pattern's program. */
export function patternSteps(text: string, pattern: CompiledPattern): number {
  return (text.length + 1) * 0.1 * Math.max(8, pattern.programSize()) * 2;
}
