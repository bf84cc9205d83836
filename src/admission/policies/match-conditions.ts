import type { PolicyExpression, PolicyRun } from "./policy-run.js";

export interface NamedCondition extends PolicyExpression {
  readonly name: string;
}

export type ConditionsOutcome =
  | { readonly kind: "met" }
  | { readonly kind: "notMet"; readonly condition: string }
  /** No condition was false, and some could not be evaluated. */
  | { readonly kind: "failed"; readonly error: string };

/** Whether all conditions are true. Rejects with `PolicyBudgetError`. */
export async function checkConditions(
  conditions: readonly NamedCondition[],
  run: PolicyRun,
): Promise<ConditionsOutcome> {
  const errors: string[] = [];
  for (const condition of conditions) {
    const { value, error } = await run.evaluate(condition);
    if (error !== undefined) errors.push(error);
    else if (value === false) return { kind: "notMet", condition: condition.name };
  }
  const [first] = errors;
  if (first === undefined) return { kind: "met" };
  return { kind: "failed", error: errors.length === 1 ? first : `[${errors.join(", ")}]` };
}
