import type { JsonObject } from "../json-value.js";
import type { MergeType } from "../schema/merge-type.js";
import type { Steps, WaitingSteps } from "../steps.js";
import { extractingFullSteps } from "./extract-set.js";
import { difference, emptySet, type FieldSet, intersection, isEmptySet, union } from "./field-set.js";
import type { Manager, Managers } from "./managers.js";
import { type VersionedContext, VersionedObject } from "./object-versions.js";
import { removeItems, withDeclaredParents } from "./remove-items.js";

/**
 * Removes from `merged` the fields that `last`, the applier's previous set, owned and that no manager owns any more. `managers`
 * already contains the applier's new set. Fields that never had an owner (defaults) stay, unless their parent is removed.
 */
export function* prune(
  merged: JsonObject,
  apiVersion: string,
  managers: Managers,
  last: Manager | undefined,
  context: VersionedContext,
): WaitingSteps<JsonObject> {
  if (last === undefined || isEmptySet(last.set)) return merged;
  const { versions } = context;
  const lastType = versions.typeAt(last.apiVersion);
  if (lastType === undefined) return merged;
  const ownedAt = new Map<string, FieldSet>();
  for (const manager of managers.values()) {
    ownedAt.set(manager.apiVersion, union(ownedAt.get(manager.apiVersion) ?? emptySet, manager.set));
    yield;
  }
  // Nothing was given up: the usual case.
  if (isEmptySet(difference(last.set, ownedAt.get(last.apiVersion) ?? emptySet))) return merged;

  yield;
  const mergedObject = new VersionedObject(merged, apiVersion, context);
  const mergedAtLast = yield* mergedObject.at(last.apiVersion);
  const lastSet = withDeclaredParents(last.set, lastType);
  let pruned = new VersionedObject(removeItems(mergedAtLast, lastSet, lastType), last.apiVersion, context);
  for (const [version, owned] of ownedAt) {
    const type = versions.typeAt(version);
    if (type === undefined) continue;
    yield;
    const mergedAtVersion = yield* mergedObject.at(version);
    const left = yield* fullSet(yield* pruned.at(version), type);
    yield;
    const kept = union(left, withDeclaredParents(owned, type));
    const all = yield* fullSet(mergedAtVersion, type);
    yield;
    const gone = difference(all, kept);
    yield;
    pruned = new VersionedObject(removeItems(mergedAtVersion, gone, type), version, context);
  }
  yield;
  const all = yield* fullSet(mergedAtLast, lastType);
  const left = yield* fullSet(yield* pruned.at(last.apiVersion), lastType);
  yield;
  const gone = intersection(difference(all, left), lastSet);
  if (isEmptySet(gone)) return merged;
  yield;
  const result = removeItems(mergedAtLast, gone, lastType);
  return yield* new VersionedObject(result, last.apiVersion, context).at(apiVersion);
}

function* fullSet(object: JsonObject, type: MergeType): Steps<FieldSet> {
  const set = yield* extractingFullSteps(object, type);
  yield;
  return withDeclaredParents(set, type);
}
