import { Buffer } from "node:buffer";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import { secondsText, timeText } from "./cel-text-format.js";
import { CelDuration, CelTimestamp } from "./cel-times.js";
import { CelList, CelMap, CelObject, CelOptional, CelUint, type CelValue, typeOfValue } from "./cel-value.js";

/** A value as JSON; optional members without a value are left out. Throws `CelRuntimeError` for values that JSON cannot express. */
export function toJson(value: CelValue, budget: CelBudget): JsonValue {
  budget.spend(1);
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return integer(value);
  if (value instanceof CelUint) return integer(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof CelTimestamp) return timeText(new CelTimestamp(value.nanos));
  if (value instanceof CelDuration) return secondsText(value.nanos);
  if (value instanceof CelObject) return value.json;
  if (value instanceof CelList) return [...value.values()].map((item) => toJson(item, budget));
  if (value instanceof CelMap) return mapToJson(value, budget);
  if (value instanceof CelOptional && value.value !== undefined) return toJson(value.value, budget);
  throw new CelRuntimeError(`a value of type ${typeOfValue(value)} cannot be part of an object`);
}

function integer(value: bigint): JsonValue {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function mapToJson(map: CelMap, budget: CelBudget): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const key of map.keys()) {
    const value = map.get(key);
    if (value === undefined || (value instanceof CelOptional && value.value === undefined)) continue;
    members.push([String(key), toJson(value, budget)]);
  }
  return Object.fromEntries(members);
}
