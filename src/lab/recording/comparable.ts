import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";

/** Generated fields, whose values differ between servers. */
const leftOut = new Set(["uid", "resourceVersion", "continue", "creationTimestamp", "deletionTimestamp"]);
/** The values that were allocated differ, but not whether there is one. */
const allocated = new Set(["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort"]);

const uids = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const times = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const ages = /^(?:\d+[smhdy])+$/;

/** An answer without uids, times, versions and allocated values: equal for equal states of two servers. */
export function comparable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return typeof value === "string" ? comparableText(value) : value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (leftOut.has(name)) return [];
      if (allocated.has(name)) return [[name, withoutAllocated(field)]];
      return [[name, name === "cells" ? cellsOf(field) : comparable(field)]];
    }),
  );
}

function comparableText(text: string): string {
  return text.replace(uids, "(uid)").replace(times, "(time)");
}

/** A row of a table shows ages. */
function cellsOf(cells: JsonValue): JsonValue {
  if (!Array.isArray(cells)) return comparable(cells);
  return cells.map((cell) => (typeof cell === "string" && ages.test(cell) ? "(age)" : comparable(cell)));
}

function withoutAllocated(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutAllocated);
  if (typeof value === "number") return value === 0 ? 0 : "(allocated)";
  return value === "" || value === "None" ? value : "(allocated)";
}
