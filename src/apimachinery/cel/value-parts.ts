import { CelRuntimeError } from "./cel-error.js";
import { keyOf } from "./cel-functions.js";
import { CelList, CelMap, CelObject, CelOptional, CelUint, type CelValue, typeOfValue } from "./cel-value.js";

/** Undefined if the value has no such field; null, strings and numbers have none. Throws for a list. */
export function memberOf(value: CelValue, field: string): CelValue | undefined {
  if (value instanceof CelObject || value instanceof CelMap) return value.get(field);
  if (value instanceof CelList) throw noIndex(field);
  return undefined;
}

export function elementOf(value: CelValue, place: CelValue): CelValue {
  const found = elementAt(value, place);
  if (found !== undefined) return found;
  const shown = String(place instanceof CelUint ? place.value : place);
  throw new CelRuntimeError(
    value instanceof CelList ? `index out of bounds: ${shown}` : `no such key: ${shown}`,
  );
}

/** Undefined if there is no such element. Throws if the value is a list and `place` cannot be an index. */
export function elementAt(value: CelValue, place: CelValue): CelValue | undefined {
  if (value instanceof CelMap) return value.get(keyOf(place));
  if (!(value instanceof CelList)) return undefined;
  const index = place instanceof CelUint ? Number(place.value) : place;
  if (typeof index !== "bigint" && typeof index !== "number") throw noIndex(place);
  if (typeof index === "number" && !Number.isInteger(index)) {
    throw new CelRuntimeError(`unsupported index value ${index} in list`);
  }
  return index < 0 || index >= value.size ? undefined : value.at(Number(index));
}

function noIndex(place: CelValue): CelRuntimeError {
  return new CelRuntimeError(`unsupported index type '${typeOfValue(place)}' in list`);
}

/** A part of a value, or of the value that an optional holds. */
export function within(value: CelValue, part: (of: CelValue) => CelValue | undefined): CelOptional {
  const of = value instanceof CelOptional ? value.value : value;
  return new CelOptional(of === undefined ? undefined : part(of));
}

export function optionalValue(value: CelValue): CelOptional {
  if (value instanceof CelOptional) return value;
  throw new CelRuntimeError("no such overload");
}

export function* entriesOf(value: CelValue): Iterable<readonly [CelValue, CelValue]> {
  if (value instanceof CelMap) {
    for (const key of value.keys()) yield [key, value.get(key) ?? null];
    return;
  }
  let index = 0n;
  for (const one of elementsOf(value)) yield [index++, one];
}

export function elementsOf(value: CelValue): Iterable<CelValue> {
  if (value instanceof CelList) return value.values();
  if (value instanceof CelMap) return value.keys();
  throw new CelRuntimeError("no such overload");
}
