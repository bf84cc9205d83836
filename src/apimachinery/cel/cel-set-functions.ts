import { isEqual } from "./cel-equality.js";
import type { CelBudget } from "./cel-error.js";
import { define, type FunctionRules } from "./cel-function.js";
import type { CelList } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";

/** Each comparison of two elements is charged when it is made. */
const pairwise: FunctionRules = { estimate: callEstimates.pairs };
const pairwiseTwice: FunctionRules = { estimate: callEstimates.pairsTwice };

function contains(list: CelList, other: CelList, budget: CelBudget): boolean {
  return every(other, (wanted) => some(list, (value) => isEqual(value, wanted, budget)));
}

/** Source: cel-go, extension "sets": lists as sets. */
export const setFunctions = [
  define(
    "sets::contains(list(A), list(A)): bool",
    ([list, other], budget) => contains(list, other, budget),
    pairwise,
  ),
  define(
    "sets::intersects(list(A), list(A)): bool",
    ([list, other], budget) => some(list, (a) => some(other, (b) => isEqual(a, b, budget))),
    pairwise,
  ),
  define(
    "sets::equivalent(list(A), list(A)): bool",
    ([list, other], budget) => contains(list, other, budget) && contains(other, list, budget),
    pairwiseTwice,
  ),
];

type Test = (value: ReturnType<CelList["at"]>) => boolean;

function some(list: CelList, test: Test): boolean {
  for (const value of list.values()) if (test(value)) return true;
  return false;
}

function every(list: CelList, test: Test): boolean {
  return !some(list, (value) => !test(value));
}
