import type { JsonObject } from "../json/json-value.js";
import { type MaybePromise, whenDone } from "../objects/maybe-promise.js";
import type { MergeType } from "../schema/merge-type.js";
import { extractSet } from "./extract-set.js";
import { difference, emptySet, type FieldSet, intersection, isEmptySet, union } from "./field-set.js";
import type { Manager, Managers } from "./managers.js";
import { type ObjectVersions, type VersionedContext, VersionedObject } from "./object-versions.js";
import { removeItems, withDeclaredParents } from "./remove-items.js";
import { refusingMisfits } from "./typed-error.js";

/**
 * Removes from `merged` the fields that `last`, the applier's previous set, owned and that no manager owns any more. `managers`
 * already contains the applier's new set. Fields that never had an owner (defaults) stay, unless their parent is removed.
 */
export function prune(
  merged: JsonObject,
  apiVersion: string,
  managers: Managers,
  last: Manager | undefined,
  context: VersionedContext,
): MaybePromise<JsonObject> {
  if (last === undefined || isEmptySet(last.set)) return merged;
  const { versions } = context;
  const lastType = versions.typeAt(last.apiVersion);
  if (lastType === undefined) return merged;
  const ownedAt = new Map<string, FieldSet>();
  for (const manager of managers.values()) {
    ownedAt.set(manager.apiVersion, union(ownedAt.get(manager.apiVersion) ?? emptySet, manager.set));
  }
  const whole = new VersionedObject(merged, apiVersion, context);
  if (versions.areAlike === true) checkFitsOwners(whole, last.apiVersion, ownedAt.keys(), versions);
  // The usual case: the applier gave up no field.
  if (isEmptySet(difference(last.set, ownedAt.get(last.apiVersion) ?? emptySet))) return merged;

  return whenDone(whole.convertTo([last.apiVersion, ...ownedAt.keys()]), () => {
    const wholeAtLast = whole.at(last.apiVersion);
    const lastSet = withDeclaredParents(last.set, lastType);
    const without = removeItems(wholeAtLast, lastSet, lastType);
    let pruned: MaybePromise<VersionedObject> = new VersionedObject(without, last.apiVersion, context);
    for (const [version, owned] of ownedAt) {
      const type = versions.typeAt(version);
      if (type === undefined) continue;
      pruned = whenDone(pruned, (left) => withOwned(left, whole, { version, owned, type }, context));
    }
    return whenDone(pruned, (left) =>
      whenDone(left.convertTo([last.apiVersion]), () => {
        const gone = difference(fullSet(wholeAtLast, lastType), fullSet(left.at(last.apiVersion), lastType));
        const given = intersection(gone, lastSet);
        if (isEmptySet(given)) return merged;
        const result = removeItems(wholeAtLast, given, lastType);
        const sent = new VersionedObject(result, last.apiVersion, context);
        return whenDone(sent.convertTo([apiVersion]), () => sent.at(apiVersion));
      }),
    );
  });
}

/** Throws 400 for an object that has fields which the version of an owner does not declare. */
function checkFitsOwners(
  whole: VersionedObject,
  lastVersion: string,
  owned: Iterable<string>,
  versions: ObjectVersions,
): void {
  const failed = "failed to prune fields: ";
  refusingMisfits(
    () => whole.at(lastVersion),
    `${failed}failed to convert merged object to last applied version`,
  );
  for (const version of owned) {
    if (versions.typeAt(version) === undefined) continue;
    const what = `failed add back owned items: failed to convert merged object at version ${version}`;
    refusingMisfits(() => whole.at(version), failed + what);
  }
}

/** Adds back to `left`, the pruned object, the fields of `whole` that managers own in one version. */
function withOwned(
  left: VersionedObject,
  whole: VersionedObject,
  { version, owned, type }: { readonly version: string; readonly owned: FieldSet; readonly type: MergeType },
  context: VersionedContext,
): MaybePromise<VersionedObject> {
  return whenDone(left.convertTo([version]), () => {
    const kept = union(fullSet(left.at(version), type), withDeclaredParents(owned, type));
    const gone = difference(fullSet(whole.at(version), type), kept);
    return new VersionedObject(removeItems(whole.at(version), gone, type), version, context);
  });
}

function fullSet(object: JsonObject, type: MergeType): FieldSet {
  return withDeclaredParents(extractSet(object, type), type);
}
