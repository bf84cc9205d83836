import { Quantity } from "../../apimachinery/values/quantity.js";
import type { Amounts } from "../../apis/core/resource-quota/amounts.js";
import type { Measure } from "../../apis/core/resource-quota/evaluator.js";
import type { ScopedResourceSelectorRequirement } from "../../apis/gen/core-v1.js";

interface Scoped {
  readonly scopes: readonly ScopedResourceSelectorRequirement[];
}

/** What a write adds to quotas of type Q. */
export interface Charge<Q> {
  readonly quotas: readonly Q[];
  readonly delta: Amounts;
}

interface Measured {
  readonly measure: Measure;
  /** Undefined for an object that is new. */
  readonly before: Measure | undefined;
  /** Whether an object that an update brings into the scopes of a quota counts as new there. */
  readonly followsScopes: boolean;
}

export function chargesFor<Q extends Scoped>(
  quotas: readonly Q[],
  { measure, before, followsScopes }: Measured,
): readonly Charge<Q>[] {
  const isNew = ({ scopes }: Q): boolean =>
    followsScopes && before !== undefined && !scopes.every((scope) => before.matchesScope(scope));
  return [
    { quotas: quotas.filter(isNew), delta: increaseOf(measure, undefined) },
    { quotas: quotas.filter((quota) => !isNew(quota)), delta: increaseOf(measure, before) },
  ].filter((charge) => charge.quotas.length > 0 && charge.delta.size > 0);
}

/** Whether the write takes more or less of anything. `before` is undefined for an object that is new. */
export function differs({ usage }: Measure, before: Measure | undefined): boolean {
  const old = before?.usage ?? new Map<string, Quantity>();
  const isSame = (name: string, amount: Quantity): boolean =>
    amount.compare(old.get(name) ?? Quantity.zero) === 0;
  return (
    [...usage].some(([name, amount]) => !isSame(name, amount)) ||
    [...old].some(([name, amount]) => !usage.has(name) && amount.sign() !== 0)
  );
}

/**
 * What the write takes in addition. An update that uses less does not lower the usage here, because it may still fail after others were
 * admitted instead. The controller lowers it.
 */
function increaseOf({ usage }: Measure, before: Measure | undefined): Amounts {
  const result = new Map<string, Quantity>();
  for (const [name, amount] of usage) {
    const old = before?.usage.get(name);
    const more = old === undefined ? amount : amount.sub(old);
    if (more.sign() > 0) result.set(name, more);
  }
  return result;
}
