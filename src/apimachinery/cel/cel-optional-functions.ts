import { CelRuntimeError } from "./cel-error.js";
import { define, type FunctionRules } from "./cel-function.js";
import { CelDuration, CelTimestamp, timestampOf } from "./cel-times.js";
import { CelList, CelMap, CelObject, CelOptional, CelUint, type CelValue } from "./cel-value.js";
import { callEstimates } from "./estimated-cost.js";
import { optionalValue } from "./value-parts.js";

/** Source: cel-spec, "Optional values". `or` and `orValue` are part of the compiler, because they do not need their argument. */
export const optionalFunctions = [
  define("optional::none(): optional(A)", () => new CelOptional()),
  define("optional::of(A): optional(A)", ([value]) => new CelOptional(value)),
  define("optional::ofNonZeroValue(A): optional(A)", ([value]) =>
    isZero(value) ? new CelOptional() : new CelOptional(value),
  ),
  define("optional(A).hasValue(): bool", ([{ value }]) => value !== undefined),
  define("optional(A).value(): A", ([{ value }]) => {
    if (value === undefined) throw new CelRuntimeError("optional.none() dereference");
    return value;
  }),
];

const unwrapping: FunctionRules = {
  cost: ([size = 0]) => 1 + size,
  estimate: callEstimates.copyList,
};

/** Of lists of optional values, and optional elements of lists. */
export const optionalListFunctions = [
  define("optional::unwrap(list(optional(A))): list(A)", ([list]) => unwrapped(list), unwrapping),
  define("list(optional(A)).unwrapOpt(): list(A)", ([list]) => unwrapped(list), unwrapping),
  define("list(A).first(): optional(A)", ([list]) => new CelOptional(list.size > 0 ? list.at(0) : undefined)),
  define(
    "list(A).last(): optional(A)",
    ([list]) => new CelOptional(list.size > 0 ? list.at(list.size - 1) : undefined),
  ),
];

function unwrapped(list: CelList): CelValue {
  const held: CelValue[] = [];
  for (const one of list.values()) {
    const { value } = optionalValue(one);
    if (value !== undefined) held.push(value);
  }
  return CelList.of(held);
}

const zeroTime = timestampOf("0001-01-01T00:00:00Z");

function isZero(value: CelValue): boolean {
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof CelTimestamp) return value.nanos === zeroTime.nanos;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelObject) {
    return [...value.type.fields.keys()].every((name) => value.get(name) === undefined);
  }
  return value === null || value === "" || value === 0 || value === 0n || value === false;
}
