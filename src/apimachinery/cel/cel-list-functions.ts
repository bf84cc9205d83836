import { identity } from "./cel-equality.js";
import { CelRuntimeError } from "./cel-error.js";
import { define, type FunctionRules } from "./cel-function.js";
import { compareValues } from "./cel-order.js";
import { CelList, type CelValue } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";

const each: FunctionRules = { cost: ([size = 0]) => 1 + size * 2, estimate: callEstimates.copyList };
const slicing: FunctionRules = { ...each, estimate: callEstimates.slice };
const flattening: FunctionRules = { ...each, estimate: callEstimates.flatten };
/** No list in a request has more items. */
const rangeMax = 1_000_000n;
const sortable = ["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"];

/** Source: cel-go, extension "lists", version 3. `sortBy` is a macro of the compiler. */
export const listFunctions = [
  define("list(A).slice(int, int): list(A)", ([list, from, to]) => slice(list, from, to), slicing),
  define("list(A).reverse(): list(A)", ([list]) => CelList.of([...list.values()].reverse()), each),
  define(
    "list(A).distinct(): list(A)",
    ([list], budget) => {
      const seen = new Map<string, CelValue>();
      for (const value of list.values()) {
        const key = identity(value, {}, budget);
        budget.spend(key.length);
        if (!seen.has(key)) seen.set(key, value);
      }
      return CelList.of([...seen.values()]);
    },
    { ...each, estimate: callEstimates.distinct },
  ),
  ...sortable.map((type) =>
    define(
      `list(${type}).sort(): list(${type})`,
      ([list], budget) => {
        budget.spend(list.size * Math.ceil(Math.log2(list.size + 1)));
        return CelList.of([...list.values()].sort(compareValues));
      },
      { ...each, estimate: callEstimates.sort },
    ),
  ),
  define(
    "list(list(A)).flatten(): list(A)",
    ([list], budget) => CelList.of(flattened(list, 1n, (steps) => budget.spend(steps))),
    flattening,
  ),
  define(
    "list(A).flatten(int): list(dyn)",
    ([list, depth], budget) => {
      if (depth < 0n) throw new CelRuntimeError("level must be non-negative");
      return CelList.of(flattened(list, depth, (steps) => budget.spend(steps)));
    },
    flattening,
  ),
  define(
    "lists::range(int): list(int)",
    ([count], budget) => {
      if (count > rangeMax) throw new CelRuntimeError("lists.range: the list would be too long");
      budget.spend(Number(count > 0n ? count : 0n));
      return CelList.of(Array.from({ length: Number(count > 0n ? count : 0n) }, (_, index) => BigInt(index)));
    },
    { estimate: callEstimates.range },
  ),
];

function slice(list: CelList, from: bigint, to: bigint): CelList {
  if (from < 0n || to < 0n) {
    throw new CelRuntimeError(`cannot slice(${from}, ${to}), negative indexes not supported`);
  }
  if (from > to) {
    throw new CelRuntimeError(
      `cannot slice(${from}, ${to}), start index must be less than or equal to end index`,
    );
  }
  if (to > BigInt(list.size)) {
    throw new CelRuntimeError(`cannot slice(${from}, ${to}), list is length ${list.size}`);
  }
  return CelList.of([...list.values()].slice(Number(from), Number(to)));
}

function flattened(list: CelList, depth: bigint, spend: (steps: number) => void): CelValue[] {
  const made: CelValue[] = [];
  for (const value of list.values()) {
    spend(1);
    if (value instanceof CelList && depth > 0n) {
      for (const inner of flattened(value, depth - 1n, spend)) made.push(inner);
    } else made.push(value);
  }
  return made;
}
