import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import {
  isDeeperThan,
  isJsonArray,
  jsonDepthMax,
  membersOf,
  objectOf,
  ownField,
} from "../json/json-values.js";
import { PatchError } from "./patch-error.js";

/**
 * RFC 7386: null deletes, objects merge, everything else replaces. As in Kubernetes, nulls are also dropped
 * from objects that stand in lists. Returns a new object that may share parts with the old one. Throws
 * `PatchError` of kind "malformed".
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch) && !isJsonArray(patch)) throw new PatchError("malformed", "Invalid JSON Patch");
  if (isDeeperThan(patch, jsonDepthMax)) {
    throw new PatchError("malformed", `the patch is nested more than ${jsonDepthMax} levels deep`);
  }
  return isJsonArray(patch) ? withoutNulls(patch) : merge(document, patch);
}

function merge(target: JsonObject, patch: JsonObject): JsonObject {
  const result = membersOf(target);
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) {
      result.delete(key);
      continue;
    }
    const current = ownField(target, key);
    if (typeof value !== "object") result.set(key, value);
    else if (isJsonObject(current) && isJsonObject(value)) result.set(key, merge(current, value));
    else result.set(key, withoutNulls(value));
  }
  return objectOf(result);
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return merge({}, value);
  if (!isJsonArray(value)) return value;
  const kept: JsonValue[] = [];
  for (const item of value) {
    kept.push(typeof item === "object" ? withoutNulls(item) : item);
  }
  return kept;
}
