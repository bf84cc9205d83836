import { CelPending } from "../../apimachinery/cel/cel-access-functions.js";
import { CelBudget, CelBudgetError, CelRuntimeError } from "../../apimachinery/cel/cel-error.js";
import type { CelProgram } from "../../apimachinery/cel/cel-program.js";
import { CelMap, type CelValue } from "../../apimachinery/cel/cel-value.js";
import type { RunWork } from "../../apimachinery/objects/run-work.js";

/** An expression of a policy, as written and as compiled. */
export interface PolicyExpression {
  readonly text: string;
  readonly program?: CelProgram | undefined;
  /** Why it did not compile. */
  readonly problem?: string | undefined;
}

/** The value of an expression, or why it has none. */
export type PolicyValue =
  | { readonly value: CelValue; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

/** The expressions of a policy, or the conditions of a webhook, have used up their steps. */
export class PolicyBudgetError extends Error {
  constructor() {
    super("validation failed due to running out of cost budget, no further validation rules will be run");
  }
}

/** Some milliseconds of the event loop. Kubernetes' cost limit is four times as high; so are the limits that correspond to those below. */
export const stepsOfExpressionMax = 250_000;
const stepsOfPolicyMax = 2_500_000;
export const stepsOfConditionsMax = 625_000;

/** Evaluates the expressions of one policy for one request, within the policy's limits. */
export class PolicyRun {
  readonly #variables: ReadonlyMap<string, PolicyExpression>;
  readonly #variableOf: (name: string) => CelValue;
  readonly #params: CelValue;
  readonly #runWork: RunWork;
  readonly #known = new Map<string, PolicyValue>();
  #left: number;
  /** Budget of the expression that is being evaluated. */
  #budget = new CelBudget(0);
  #variablesValue: CelValue | undefined;

  constructor({
    variables,
    variable,
    params,
    runWork,
    steps = stepsOfPolicyMax,
  }: {
    readonly variables: ReadonlyMap<string, PolicyExpression>;
    readonly variable: (name: string) => CelValue;
    readonly params: CelValue;
    /** Runs each evaluation. */
    readonly runWork: RunWork;
    readonly steps?: number;
  }) {
    this.#variables = variables;
    this.#variableOf = variable;
    this.#params = params;
    this.#runWork = runWork;
    this.#left = steps;
  }

  /** Rejects with `PolicyBudgetError`. */
  async evaluate(expression: PolicyExpression): Promise<PolicyValue> {
    const { program, problem = "" } = expression;
    if (program === undefined) return { error: `compilation error: ${problem}` };
    for (;;) {
      const running = this.#runWork(() => this.#attempt(expression, program));
      const outcome = running instanceof Promise ? await running : running;
      if (!(outcome instanceof CelPending)) return outcome;
      await outcome.answer;
    }
  }

  /** `CelPending` if the expression reads something that is not loaded yet. */
  #attempt(expression: PolicyExpression, program: CelProgram): PolicyValue | CelPending {
    const allowed = Math.min(this.#left, stepsOfExpressionMax);
    this.#budget = new CelBudget(allowed);
    try {
      const value = program.evaluateWith((name) => this.#lookUp(name), this.#budget);
      this.#left -= allowed - this.#budget.left;
      return { value };
    } catch (error) {
      if (error instanceof CelPending) return error;
      this.#left -= allowed - Math.max(0, this.#budget.left);
      if (error instanceof CelBudgetError) {
        if (this.#left <= 0) throw new PolicyBudgetError();
        return failed(expression, "operation cancelled: actual cost limit exceeded");
      }
      if (error instanceof CelRuntimeError) return failed(expression, error.message);
      throw error;
    }
  }

  #lookUp(name: string): CelValue {
    if (name === "params") return this.#params;
    if (name !== "variables") return this.#variableOf(name);
    this.#variablesValue ??= CelMap.computed(this.#variables, (asked) => this.#namedVariable(asked));
    return this.#variablesValue;
  }

  /** Evaluated once, when the first expression reads it. */
  #namedVariable(name: string): CelValue {
    let known = this.#known.get(name);
    if (known === undefined) {
      known = this.#evaluateVariable(name);
      this.#known.set(name, known);
    }
    if (known.error !== undefined) throw new CelRuntimeError(known.error);
    return known.value;
  }

  #evaluateVariable(name: string): PolicyValue {
    const { program, problem = "" } = this.#variables.get(name) ?? { text: "" };
    if (program === undefined) {
      return { error: `composited variable "${name}" fails to compile: ${problem}` };
    }
    try {
      return { value: program.evaluateWith((asked) => this.#lookUp(asked), this.#budget) };
    } catch (error) {
      if (!(error instanceof CelRuntimeError)) throw error;
      return { error: `composited variable "${name}" fails to evaluate: ${error.message}` };
    }
  }
}

function failed({ text }: PolicyExpression, why: string): PolicyValue {
  return { error: `expression '${text}' resulted in error: ${why}` };
}
