import { Buffer } from "node:buffer";
import type { CelBudget } from "./cel-error.js";
import { CelDuration, CelTimestamp } from "./cel-times.js";
import { type ObjectType, scalarTypes } from "./cel-type.js";
import {
  CelList,
  CelMap,
  CelObject,
  CelOpaque,
  CelOptional,
  CelTypeValue,
  CelUint,
  CelUrl,
  type CelValue,
  fromJson,
  type ListRelation,
} from "./cel-value.js";

/** Also of lists and maps; linear in the shorter one. */
export function isEqual(a: CelValue, b: CelValue, budget: CelBudget): boolean {
  budget.spend(1);
  if (a === b) return true;
  if (typeof a === "string" && typeof b === "string") {
    budget.spend(Math.min(a.length, b.length) * 0.1);
    return false;
  }
  if (a instanceof CelUint) a = a.value;
  if (b instanceof CelUint) b = b.value;
  // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number by its value
  if (isNumeric(a) && isNumeric(b)) return a == b;
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    budget.spend(Math.min(a.length, b.length) * 0.1);
    return Buffer.compare(a, b) === 0;
  }
  if (a instanceof CelList && b instanceof CelList) return isEqualList(a, b, budget);
  if (a instanceof CelMap && b instanceof CelMap) return isEqualMap(a, b, budget);
  if (a instanceof CelObject && b instanceof CelObject) return isEqualObject(a, b, budget);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return a.nanos === b.nanos;
  if (a instanceof CelDuration && b instanceof CelDuration) return a.nanos === b.nanos;
  if (a instanceof CelTypeValue && b instanceof CelTypeValue) return a.text === b.text;
  if (a instanceof CelOpaque && b instanceof CelOpaque) {
    budget.spend(Math.min(a.key.length, b.key.length) * 0.1);
    return a.typeName === b.typeName && a.key === b.key;
  }
  if (a instanceof CelOptional && b instanceof CelOptional) {
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return isEqual(a.value, b.value, budget);
  }
  return a instanceof CelUrl && b instanceof CelUrl && a.uri.key === b.uri.key;
}

function isNumeric(value: CelValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isEqualList(a: CelList, b: CelList, budget: CelBudget): boolean {
  if (a.size !== b.size) return false;
  if (a.by.relation === undefined) {
    for (let index = 0; index < a.size; index++) if (!isEqual(a.at(index), b.at(index), budget)) return false;
    return true;
  }
  const others = new Map<string, CelValue>();
  for (const value of b.values()) others.set(identity(value, a.by, budget), value);
  for (const value of a.values()) {
    const other = others.get(identity(value, a.by, budget));
    if (other === undefined || !isEqual(value, other, budget)) return false;
  }
  return true;
}

/** The identity of an element of a set or an associative list. */
export function identity(value: CelValue, by: ListRelation, budget: CelBudget): string {
  const part =
    by.relation === "map" && value instanceof CelObject
      ? (by.keys ?? []).map((key) => value.json[key] ?? null)
      : plain(value, budget);
  const text = JSON.stringify(part);
  budget.spend(1 + text.length * 0.1);
  return `${typeof value} ${text}`;
}

/** Charged before each part of a value is printed, so that a value of many parts is not printed whole before the budget runs out. */
const plainSteps = 2;

/** As a JSON value. */
function plain(value: CelValue, budget: CelBudget): unknown {
  budget.spend(plainSteps);
  if (typeof value === "bigint") return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp || value instanceof CelDuration) return String(value.nanos);
  if (value instanceof CelOpaque) return value.key;
  if (value instanceof CelOptional) return value.value === undefined ? [] : [plain(value.value, budget)];
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof CelList) return [...value.values()].map((item) => plain(item, budget));
  if (value instanceof CelMap)
    return [...value.keys()].sort().map((key) => [String(key), plain(value.get(key) ?? null, budget)]);
  if (value instanceof CelObject)
    return [...value.type.fields.keys()].map((name) => plain(value.get(name) ?? null, budget));
  return value;
}

function isEqualMap(a: CelMap, b: CelMap, budget: CelBudget): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const [mine, other] = [a.get(key), b.get(key)];
    if (mine === undefined || other === undefined || !isEqual(mine, other, budget)) return false;
  }
  return true;
}

function isEqualObject(a: CelObject, b: CelObject, budget: CelBudget): boolean {
  for (const name of a.type.fields.keys()) {
    const [mine, other] = [a.get(name), b.get(name)];
    if (mine === undefined || other === undefined) {
      if (mine !== other) return false;
    } else if (!isEqual(mine, other, budget)) return false;
  }
  return haveEqualRest(a, b, budget);
}

/** Compares the members that expressions cannot refer to, such as those that a schema preserves without declaring them. */
function haveEqualRest(a: CelObject, b: CelObject, budget: CelBudget): boolean {
  const declared = declaredNames(a.type);
  const rest = (object: CelObject, name: string): CelValue =>
    fromJson((Object.hasOwn(object.json, name) ? object.json[name] : null) ?? null, scalarTypes.dyn);
  for (const name of new Set([...Object.keys(a.json), ...Object.keys(b.json)])) {
    budget.spend(nameSteps);
    if (!declared.has(name) && !isEqual(rest(a, name), rest(b, name), budget)) return false;
  }
  return true;
}

const nameSteps = 0.1;

const keptNames = new WeakMap<ObjectType, ReadonlySet<string>>();

function declaredNames(type: ObjectType): ReadonlySet<string> {
  const names = keptNames.get(type) ?? new Set(Array.from(type.fields.values(), ({ name }) => name));
  keptNames.set(type, names);
  return names;
}
