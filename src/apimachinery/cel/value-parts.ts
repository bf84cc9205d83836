import { CelRuntimeError } from "./cel-error.js";
import { keyOf } from "./cel-functions.js";
import { CelList, CelMap, CelObject, CelOptional, type CelValue, typeOfValue } from "./cel-value.js";

export function memberOf(value: CelValue, field: string): CelValue | undefined {
  if (value instanceof CelObject || value instanceof CelMap) return value.get(field);
  throw new CelRuntimeError(`no such overload: ${typeOfValue(value)}.${field}`);
}

export function elementOf(value: CelValue, place: CelValue): CelValue {
  if (value instanceof CelList) {
    const index = typeof place === "bigint" ? Number(place) : Number.NaN;
    if (Number.isNaN(index))
      throw new CelRuntimeError(`unsupported index type '${typeOfValue(place)}' in list`);
    if (index < 0 || index >= value.size) throw new CelRuntimeError(`index out of bounds: ${place}`);
    return value.at(index);
  }
  if (value instanceof CelMap) {
    const found = value.get(keyOf(place));
    if (found === undefined) throw new CelRuntimeError(`no such key: ${String(place)}`);
    return found;
  }
  throw new CelRuntimeError("no such overload");
}

/** Undefined where there is no such element. */
export function elementAt(value: CelValue, place: CelValue): CelValue | undefined {
  if (value instanceof CelMap) return value.get(keyOf(place));
  if (value instanceof CelList && typeof place === "bigint" && (place < 0 || place >= value.size)) {
    return undefined;
  }
  return elementOf(value, place);
}

/** A part of a value, or of what an optional value holds. */
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
