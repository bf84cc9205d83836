import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import type { ConditionsOwner, PolicyObserver } from "./policy-observer.js";
import { PolicyBudgetError, type PolicyExpression, type PolicyRun } from "./policy-run.js";

export interface NamedCondition extends PolicyExpression {
  readonly name: string;
}

export type ConditionsOutcome =
  | { readonly kind: "met" }
  | { readonly kind: "notMet"; readonly condition: string }
  /** No condition was false, and some could not be evaluated. */
  | { readonly kind: "failed"; readonly error: string };

/** Whether all conditions are true. */
export async function checkConditions(
  conditions: readonly NamedCondition[],
  run: PolicyRun,
  { observer, owner }: { readonly observer: PolicyObserver; readonly owner: ConditionsOwner },
): Promise<ConditionsOutcome> {
  const startedAt = observer.now();
  const errors: string[] = [];
  const outcome = await evaluated(conditions, run, errors);
  if (outcome.kind !== "met") observer.conditionsNotMet(owner, observer.now() - startedAt, errors.length);
  return outcome;
}

async function evaluated(
  conditions: readonly NamedCondition[],
  run: PolicyRun,
  errors: string[],
): Promise<ConditionsOutcome> {
  try {
    for (const condition of conditions) {
      const { value, error } = await run.evaluate(condition);
      if (error !== undefined) errors.push(error);
      else if (value === false) return { kind: "notMet", condition: condition.name };
    }
  } catch (error) {
    if (error instanceof PolicyBudgetError) return { kind: "failed", error: error.message };
    throw error;
  }
  return errors.length === 0 ? { kind: "met" } : { kind: "failed", error: aggregateText(errors) };
}
