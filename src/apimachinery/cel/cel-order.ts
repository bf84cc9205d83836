import { Buffer } from "node:buffer";
import { compareUtf8 } from "../collections/compare-text.js";
import { CelRuntimeError } from "./cel-error.js";
import { CelDuration, CelTimestamp } from "./cel-times.js";
import { type CelList, CelUint, type CelValue } from "./cel-value.js";

/** The order of two values of one type that has one. */
export function compareValues(a: CelValue, b: CelValue): number {
  if (a instanceof CelUint && b instanceof CelUint) return order(a.value, b.value);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return order(a.nanos, b.nanos);
  if (a instanceof CelDuration && b instanceof CelDuration) return order(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (typeof a === "string" && typeof b === "string") return compareUtf8(a, b);
  if (typeof a === "number" && typeof b === "number")
    return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
  if (typeof a === "bigint" && typeof b === "bigint") return order(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return order(a, b);
  throw new CelRuntimeError("list elements must have the same type");
}

function order<T extends bigint | boolean>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isSorted(list: CelList): boolean {
  for (let index = 1; index < list.size; index++)
    if (compareValues(list.at(index - 1), list.at(index)) > 0) return false;
  return true;
}

export function extreme(list: CelList, name: string, sign: number): CelValue {
  let found: CelValue | undefined;
  for (const value of list.values()) {
    if (found === undefined || compareValues(value, found) * sign > 0) found = value;
  }
  if (found === undefined) throw new CelRuntimeError(`${name} called on empty list`);
  return found;
}
