import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { allSteps, type Steps } from "../steps.js";
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
    result.set(
      key,
      isJsonObject(current) && isJsonObject(value) ? merge(current, value) : withoutNulls(value),
    );
  }
  return objectOf(result);
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  return isJsonObject(value) ? merge({}, value) : value;
}
