import { messageOf } from "../errors/message-of.js";
import { badRequest, StatusError } from "../errors/status.js";
import { isJsonObject, type JsonObject } from "../json/json-value.js";
import { ownField } from "../json/json-values.js";
import type { ConversionScope } from "../objects/conversion-scope.js";
import { type MaybePromise, whenDone } from "../objects/maybe-promise.js";
import type { ManagedFieldsEntry } from "../objects/meta.js";
import type { MergeType } from "../schema/merge-type.js";
import { timestamp } from "../values/time.js";
import { checkConfiguration, configurationName } from "./applied-configuration.js";
import { capUpdateManagers } from "./cap-managers.js";
import { checkTyped } from "./check-typed.js";
import { changedSet, isSame } from "./compare-typed.js";
import { applyConflict, type Conflict } from "./conflicts.js";
import { CreatedSets } from "./created-sets.js";
import { extractSet } from "./extract-set.js";
import {
  difference,
  emptySet,
  type FieldSet,
  fieldSetOf,
  hasPath,
  isEmptySet,
  recursiveDifference,
  setsEqual,
  union,
} from "./field-set.js";
import { clientSideApplier, lastAppliedSet, withLastApplied } from "./last-applied.js";
import {
  asksToForget,
  differInTimes,
  managedFieldsOf,
  rawManagedFields,
  sameEntries,
  withoutManagedFields,
} from "./managed-fields-entries.js";
import {
  decodeManagers,
  encodeManagers,
  identityOf,
  Manager,
  type ManagerIdentity,
  type Managers,
  sameFields,
  sameManagers,
} from "./managers.js";
import { mergeTyped } from "./merge-typed.js";
import { type ObjectVersions, type VersionedContext, VersionedObject } from "./object-versions.js";
import { conflictsOf, type ResetFields, takeOwnership, VersionedComparison } from "./ownership.js";
import { prune } from "./prune.js";
import { reconcileSet } from "./remove-items.js";
import { TypedValueError } from "./typed-error.js";
import type { Repeats } from "./whole-tree.js";

/** The object's identity and fields that the server maintains are never owned. */
const neverOwned = fieldSetOf(
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
);

const managerBeforeFirstApply = "before-first-apply";

export interface TrackedWrite {
  /** See `fieldManagerName`. */
  readonly manager: string;
  /** The version of the request and of the objects passed in. */
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly now: Date;
  readonly scope: ConversionScope;
  /** Fields that this resource's strategy resets, so that no manager may own them here. */
  readonly resetFields?: ResetFields | undefined;
}

export interface Apply extends TrackedWrite {
  readonly force: boolean;
}

export interface Applied {
  /** The live object with the configuration merged in, not defaulted; without managed fields. */
  readonly object: JsonObject;
  readonly managedFields: readonly ManagedFieldsEntry[];
  /** Whether anything but managed fields differs from the live object. */
  readonly changed: boolean;
}

/** What an apply makes of the live object, before it is known which fields others lose. */
interface Merge {
  /** Without managed fields. */
  readonly live: JsonObject;
  readonly liveEntries: readonly ManagedFieldsEntry[];
  /** The configuration merged in; nothing is removed yet. */
  readonly merged: JsonObject;
  readonly before: Managers;
  /** With the new set of the manager. A copy that may be changed. */
  readonly managers: Managers;
  readonly identity: ManagerIdentity;
  /** Key of the manager that applies. */
  readonly key: string;
  readonly last: Manager | undefined;
  readonly set: FieldSet;
}

export interface FieldManagerOptions {
  /** The annotation in which client-side apply keeps its configuration. */
  readonly lastAppliedAnnotation: string;
  /** Whether a write that only replaces times of entries changes nothing, as at levels from 1.24 on. */
  readonly ignoresTimes?: boolean | undefined;
  /** As at levels from 1.29 on: "whole". Default: a list that repeats an item leaves the object without managed fields. */
  readonly repeats?: Repeats | undefined;
}

/** Tracks which manager owns which fields of the objects of one kind. */
export class FieldManager {
  readonly #versions: ObjectVersions;
  readonly #lastAppliedAnnotation: string;
  readonly #ignoresTimes: boolean;
  readonly #repeats: Repeats;
  readonly #createdSets = new CreatedSets();

  constructor(versions: ObjectVersions, options: FieldManagerOptions) {
    this.#versions = versions;
    this.#lastAppliedAnnotation = options.lastAppliedAnnotation;
    this.#ignoresTimes = options.ignoresTimes ?? false;
    this.#repeats = options.repeats ?? "refused";
  }

  /**
   * The managed fields of `updated` after a create (`live` undefined), an update or a patch other than apply. Objects are in
   * canonical form and are not changed. A promise only where another server converts.
   */
  update(
    live: JsonObject | undefined,
    updated: JsonObject,
    write: TrackedWrite,
  ): MaybePromise<readonly ManagedFieldsEntry[]> {
    const liveEntries = live === undefined ? [] : managedFieldsOf(live);
    const isReset = write.subresource === "" && asksToForget(rawManagedFields(updated));
    if (isReset && live !== undefined && hasUid(live)) return [];
    const updatedEntries = write.subresource === "" && !isReset ? managedFieldsOf(updated) : [];
    // A client that does not know managed fields must not erase them.
    const replaces =
      updatedEntries.length > 0 && !sameEntries(rawManagedFields(live), rawManagedFields(updated));
    // An untracked object stays untracked until the first apply.
    if (!replaces && liveEntries.length === 0 && live !== undefined && hasUid(live)) return [];
    const before = replaces ? replacedManagers(liveEntries, updatedEntries) : managersOf(liveEntries);
    const managers = new Map(before);
    // An object that does not fit its type is no longer tracked; the write still succeeds.
    const untracked = (error: unknown): readonly ManagedFieldsEntry[] => {
      if (error instanceof TypedValueError) return [];
      throw error;
    };
    try {
      if (live === undefined && !replaces) {
        addUpdater(managers, this.#createdSet(updated, write), updaterOf(write), write.now);
        return encodeManagers(managers);
      }
      const comparison = this.#compare(live ?? {}, updated, write, this.#repeats);
      const compared = comparison.at(write.apiVersion);
      if (compared === undefined || isSame(compared)) {
        const isKept = !replaces || (this.#ignoresTimes && differInTimes(live, updated));
        return isKept ? liveEntries : encodeManagers(before);
      }
      this.#reconcile(managers);
      const former = managers.get(identityOf(updaterOf(write)));
      const take = (): readonly ManagedFieldsEntry[] => {
        takeOwnership(managers, comparison, undefined);
        const owned = difference(changedSet(compared), neverOwned);
        addUpdater(managers, owned, updaterOf(write), write.now, former);
        return encodeManagers(managers);
      };
      const converting = comparison.convertFor(managers, undefined);
      return converting === undefined ? take() : converting.then(take).catch(untracked);
    } catch (error) {
      return untracked(error);
    }
  }

  /**
   * Merges a configuration into the live object (undefined: there is none yet). Throws `StatusError`: 409
   * with the conflicts, 400 for a configuration of another version or one that does not fit the type. A promise only where another server
   * converts.
   */
  apply(live: JsonObject | undefined, config: JsonObject, write: Apply): MaybePromise<Applied> {
    const merge = this.#merge(live, config, write);
    const { merged, managers, last, key } = merge;
    return whenDone(prune(merged, write.apiVersion, managers, last, this.#contextOf(write)), (updated) => {
      const comparison = this.#compare(merge.live, updated, write, "whole");
      return whenDone(comparison.convertFor(managers, key), () => {
        const applied = this.#claim(merge, comparison, updated, write);
        return this.#withLastApplied(applied, config, write);
      });
    });
  }

  #merge(live: JsonObject | undefined, config: JsonObject, write: Apply): Merge {
    const { apiVersion } = write;
    const type = this.#versions.typeAt(apiVersion);
    if (type === undefined) throw badRequest(`no such version: ${apiVersion}`);
    const applied = checkConfiguration(config, apiVersion);
    const liveObject = withoutManagedFields(live ?? {});
    const what = configurationName(config);
    const misfit = typeMisfit(applied, type);
    // Kubernetes answers 500 here, although the client is at fault.
    if (misfit !== undefined) {
      throw badRequest(`failed to create typed patch object (${what}): ${misfit.message}`, misfit);
    }
    // Updates may store duplicate list items. kube-apiserver 1.23 refuses to apply to such objects; later versions allow it.
    const liveMisfit = typeMisfit(liveObject, type, true);
    if (liveMisfit !== undefined) {
      throw badRequest(`failed to create typed live object (${what}): ${liveMisfit.message}`, liveMisfit);
    }

    const liveEntries = live === undefined ? [] : managedFieldsOf(live);
    const managers = decodeLiveManagers(liveEntries);
    if (managers.size === 0 && live !== undefined) this.#addFirstOwner(managers, live, write);
    this.#reconcile(managers);
    const before = new Map(managers);
    const identity = { ...updaterOf(write), operation: "Apply" as const };
    const key = identityOf(identity);
    const last = managers.get(key);
    const reset = write.resetFields?.(apiVersion) ?? emptySet;
    const set = recursiveDifference(extractSet(applied, type), reset);
    managers.set(key, new Manager(identity, set, last?.time));
    const merged = mergeTyped(liveObject, applied, type);
    return { live: liveObject, liveEntries, merged, before, managers, identity, key, last, set };
  }

  /** Makes the manager the owner of what it applied. */
  #claim(merge: Merge, comparison: VersionedComparison, updated: JsonObject, write: Apply): Applied {
    const { live, liveEntries, before, managers, identity, key, last, set } = merge;
    if (!write.force) {
      const conflicts = conflictsOf(managers, comparison, key);
      const remaining = conflicts.length === 0 ? [] : this.#beyondLastApplied(live, conflicts, write);
      if (remaining.length > 0) throw applyConflict(remaining);
    }
    takeOwnership(managers, comparison, key);
    const compared = comparison.at(write.apiVersion);
    const changed = compared !== undefined && !isSame(compared);
    const owned = difference(set, neverOwned);
    if (isEmptySet(owned)) {
      managers.delete(key);
    } else {
      managers.set(key, new Manager(identity, owned, timestamp(write.now)));
      // An apply that changes neither the object nor its owners causes no event.
      if (last !== undefined && !changed && sameFields(before, managers)) managers.set(key, last);
    }
    capUpdateManagers(managers);
    const same = liveEntries.length === before.size && sameManagers(before, managers);
    const managedFields = same ? liveEntries : encodeManagers(managers);
    return { object: changed ? updated : live, managedFields, changed };
  }

  /** Updates the last-applied annotation that kubectl's client-side apply left. */
  #withLastApplied(applied: Applied, config: JsonObject, write: Apply): Applied {
    if (write.manager !== clientSideApplier) return applied;
    const object = withLastApplied(applied.object, config, this.#lastAppliedAnnotation);
    return object === applied.object ? applied : { ...applied, object, changed: true };
  }

  /** The conflicts left after kubectl takes over the fields of its own client-side applies. */
  #beyondLastApplied(live: JsonObject, conflicts: readonly Conflict[], write: Apply): readonly Conflict[] {
    const type = this.#versions.typeAt(write.apiVersion);
    if (write.manager !== clientSideApplier || type === undefined) return conflicts;
    const allowed = lastAppliedSet(live, this.#lastAppliedAnnotation, write.apiVersion, type);
    return allowed === undefined ? conflicts : conflicts.filter(({ path }) => !hasPath(allowed, path));
  }

  /** Assigns the existing fields to a manager that stands for all writes before tracking began. */
  #addFirstOwner(managers: Managers, live: JsonObject, write: Apply): void {
    const comparison = this.#compare({}, live, write, "whole");
    const compared = comparison.at(write.apiVersion);
    if (compared === undefined) return;
    const identity = updaterOf({ ...write, manager: managerBeforeFirstApply });
    addUpdater(managers, difference(changedSet(compared), neverOwned), identity, write.now);
  }

  /** The fields owned after creating `object`. */
  #createdSet(object: JsonObject, write: TrackedWrite): FieldSet {
    const { apiVersion, resetFields: reset } = write;
    const type = this.#versions.typeAt(apiVersion);
    if (type?.kind !== "struct") return emptySet;
    const created = withoutManagedFields(object);
    return this.#createdSets.of(created, type, reset?.(apiVersion), () => {
      const compared = this.#compare({}, created, write, this.#repeats).at(apiVersion);
      return compared === undefined ? emptySet : difference(changedSet(compared), neverOwned);
    });
  }

  #compare(
    live: JsonObject,
    updated: JsonObject,
    write: TrackedWrite,
    repeats: Repeats,
  ): VersionedComparison {
    const { apiVersion, resetFields = () => undefined } = write;
    const context = this.#contextOf(write);
    return new VersionedComparison(
      {
        live: new VersionedObject(withoutManagedFields(live), apiVersion, context),
        updated: new VersionedObject(withoutManagedFields(updated), apiVersion, context),
      },
      this.#versions,
      resetFields,
      repeats,
    );
  }

  #contextOf({ scope }: TrackedWrite): VersionedContext {
    return { versions: this.#versions, scope };
  }

  /** The type of a custom resource may have changed since the sets were made. */
  #reconcile(managers: Managers): void {
    for (const [identity, manager] of managers) {
      const type = this.#versions.typeAt(manager.apiVersion);
      if (type === undefined) continue;
      const set = reconcileSet(manager.set, type);
      if (set !== manager.set) managers.set(identity, manager.withSet(set));
    }
  }
}

/** Malformed entries are dropped. */
function managersOf(entries: readonly ManagedFieldsEntry[]): Managers {
  try {
    return decodeManagers(entries);
  } catch {
    return new Map();
  }
}

/** A request may replace the managed fields with other valid ones. */
function replacedManagers(
  live: readonly ManagedFieldsEntry[],
  updated: readonly ManagedFieldsEntry[],
): Managers {
  try {
    return decodeManagers(updated);
  } catch {
    return managersOf(live);
  }
}

function decodeLiveManagers(entries: readonly ManagedFieldsEntry[]): Managers {
  try {
    return decodeManagers(entries);
  } catch (error) {
    const why = messageOf(error);
    throw new StatusError({ message: `failed to decode managed fields: ${why}`, code: 500 }, error);
  }
}

/**
 * An entry's time tells when its manager gained its current fields; it stays that of `former` when only values changed.
 */
function addUpdater(
  managers: Managers,
  set: FieldSet,
  identity: ManagerIdentity,
  now: Date,
  former?: Manager,
): void {
  if (!isEmptySet(set)) {
    const key = identityOf(identity);
    const previous = managers.get(key);
    const owned = previous === undefined ? set : union(previous.set, set);
    const isFormer = former !== undefined && setsEqual(former.set, owned);
    managers.set(key, new Manager(identity, owned, isFormer ? former.time : timestamp(now)));
  }
  capUpdateManagers(managers);
}

function updaterOf(write: TrackedWrite): ManagerIdentity {
  return {
    name: write.manager === "" ? "unknown" : write.manager,
    operation: "Update",
    apiVersion: write.apiVersion,
    subresource: write.subresource,
  };
}

function typeMisfit(object: JsonObject, type: MergeType, mayRepeat = false): TypedValueError | undefined {
  try {
    checkTyped(object, type, mayRepeat);
    return undefined;
  } catch (error) {
    if (error instanceof TypedValueError) return error;
    throw error;
  }
}

function hasUid(object: JsonObject): boolean {
  const metadata = ownField(object, "metadata");
  return isJsonObject(metadata) && (ownField(metadata, "uid") ?? "") !== "";
}
