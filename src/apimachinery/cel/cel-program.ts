import type { CelBudget } from "./cel-error.js";
import type { CelType } from "./cel-type.js";
import type { CelValue } from "./cel-value.js";
import type { Compiled, Run } from "./compiled.js";

interface ProgramParts {
  readonly names: readonly string[];
  readonly reads: ReadonlySet<string>;
  readonly problem: string | undefined;
}

export class CelProgram {
  readonly type: CelType;
  /** The estimated cost: see `estimated-cost.ts`. */
  readonly cost: number;
  /** The variables that the expression reads. */
  readonly reads: ReadonlySet<string>;
  /** The error of every evaluation, whatever the variables are: a literal that cannot be converted. */
  readonly problem: string | undefined;
  readonly #names: readonly string[];
  readonly #run: Run;

  constructor({ type, cost, run }: Compiled, { names, reads, problem }: ProgramParts) {
    this.type = type;
    this.cost = cost;
    this.reads = reads;
    this.problem = problem;
    this.#names = names;
    this.#run = run;
  }

  /** Throws `CelRuntimeError`, and `CelBudgetError` when the budget is spent. */
  evaluate(variables: Readonly<Record<string, CelValue>>, budget: CelBudget): CelValue {
    return this.#run({ slots: this.#names.map((name) => variables[name] ?? null), budget });
  }

  /** Like `evaluate`, with variables that are computed only when the expression reads them. */
  evaluateWith(variable: (name: string) => CelValue, budget: CelBudget): CelValue {
    const slots = this.#names.map((name) => (this.reads.has(name) ? variable(name) : null));
    return this.#run({ slots, budget });
  }
}
