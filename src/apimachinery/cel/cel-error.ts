import { Buffer } from "node:buffer";

/** An expression that does not compile; `message` shows the position, as other CEL implementations do. */
export class CelCompileError extends Error {
  override readonly name = "CelCompileError";

  readonly problems: readonly CelProblem[];

  constructor(...problems: readonly CelProblem[]) {
    const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    super(sorted.map(({ text }) => text).join("\n"));
    this.problems = problems;
  }
}

/** What is wrong with an expression at one place, or with all of it. */
export interface CelProblem {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** `offset` is the position in `expression`, in UTF-16 units. */
export function problemAt(expression: string, offset: number, problem: string): CelProblem {
  const before = expression.slice(0, offset);
  const line = before.split("\n").length;
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = expression.indexOf("\n", offset);
  const shown = expression.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const marks = before
    .slice(lineStart)
    .replace(/\P{ASCII}/gu, "\uff0e")
    .replace(/\p{ASCII}/gu, ".");
  const column = marks.length;
  const text = `ERROR: <input>:${line}:${column + 1}: ${problem}`;
  if (Buffer.byteLength(shown) > shownMax) return { text, line, column };
  const mark = expression.charAt(offset) > "\u007f" ? "\uff3e" : "^";
  return { text: `${text}\n | ${shown.replaceAll("\t", " ")}\n | ${marks}${mark}`, line, column };
}

/** Bytes of a line that is shown with its problem. Source: cel-go, package `common`. */
const shownMax = 16_384;

export function problemOfWhole(problem: string): CelProblem {
  return { text: `ERROR: <input>:-1:0: ${problem}`, line: -1, column: -1 };
}

/** An expression without a character has no place to show. */
export function problemOfNothing(problem: string): CelProblem {
  return { text: `ERROR: <input>:1:0: ${problem}`, line: 1, column: -1 };
}

/** An expression that fails to evaluate: `no such key: x`, `division by zero`. */
export class CelRuntimeError extends Error {
  override readonly name = "CelRuntimeError";
}

/** Unlike other errors, `||` and `&&` do not absorb it. */
export class CelBudgetError extends Error {
  override readonly name = "CelBudgetError";
}

/** Steps that evaluation may take: about 20 ns each. */
export class CelBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** Throws `CelBudgetError` when less than that is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CelBudgetError("the cost limit is exceeded");
  }
}
