import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { allSteps, Pace, type Steps } from "../steps.js";
import { isDeeperThan, isJsonArray, jsonDepthMax, membersOf, objectOf, ownField } from "./json-values.js";
import { PatchError } from "./patch-error.js";

/**
 * RFC 7386: null deletes, objects merge, everything else replaces. As in Kubernetes, nulls are also dropped
 * from objects that stand in lists. Returns a new object that may share parts with the old one. Throws
 * `PatchError` of kind "malformed".
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonValue {
  return allSteps(mergePatchSteps(document, patch));
}

/** As `applyMergePatch`. */
export function* mergePatchSteps(document: JsonObject, patch: JsonValue): Steps<JsonValue> {
  if (!isJsonObject(patch) && !isJsonArray(patch)) throw new PatchError("malformed", "Invalid JSON Patch");
  if (isDeeperThan(patch, jsonDepthMax)) {
    throw new PatchError("malformed", `the patch is nested more than ${jsonDepthMax} levels deep`);
  }
  yield;
  const pace = new Pace();
  return isJsonArray(patch) ? yield* withoutNulls(patch, pace) : yield* merge(document, patch, pace);
}

function* merge(target: JsonObject, patch: JsonObject, pace: Pace): Steps<JsonObject> {
  const result = membersOf(target);
  for (const key of Object.keys(patch)) {
    if (pace.isOver()) yield;
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) {
      result.delete(key);
      continue;
    }
    const current = ownField(target, key);
    if (typeof value !== "object") result.set(key, value);
    else if (isJsonObject(current) && isJsonObject(value))
      result.set(key, yield* merge(current, value, pace));
    else result.set(key, yield* withoutNulls(value, pace));
  }
  return objectOf(result);
}

function* withoutNulls(value: JsonValue, pace: Pace): Steps<JsonValue> {
  if (isJsonObject(value)) return yield* merge({}, value, pace);
  if (!isJsonArray(value)) return value;
  const kept: JsonValue[] = [];
  for (const item of value) {
    if (pace.isOver()) yield;
    kept.push(typeof item === "object" ? yield* withoutNulls(item, pace) : item);
  }
  return kept;
}
