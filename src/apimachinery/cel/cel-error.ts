/** An expression that does not compile; `message` shows the position, as other CEL implementations do. */
export class CelCompileError extends Error {
  override readonly name = "CelCompileError";

  /** `offset` is the position in `text`, in UTF-16 units. */
  constructor(text: string, offset: number, problem: string) {
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - (before.lastIndexOf("\n") + 1);
    const shown = text.split("\n")[line - 1] ?? "";
    super(`ERROR: <input>:${line}:${column + 1}: ${problem}\n | ${shown}\n | ${".".repeat(column)}^`);
  }
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
