import { messageOf } from "../errors/message-of.js";
import { badRequest, StatusError } from "../errors/status.js";
import type { JsonObject } from "../json/json-value.js";
import { jsonEqual } from "../json/json-values.js";
import { type MaybePromise, whenDone } from "../objects/maybe-promise.js";
import type { ManagedFieldsEntry } from "../objects/meta.js";
import type { MergeType } from "../schema/merge-type.js";
import { timestamp } from "../values/time.js";
import { checkConfiguration, configurationName } from "./applied-configuration.js";
import { capUpdateManagers } from "./cap-managers.js";
import { checkTyped } from "./check-typed.js";
import { changedSet, isSame } from "./compare-typed.js";
import { applyConflict, type Conflict } from "./conflicts.js";
import { extractSet } from "./extract-set.js";
import { difference, type FieldSet, hasPath, isEmptySet } from "./field-set.js";
import { clientSideApplier, lastAppliedSet, withLastApplied } from "./last-applied.js";
import { managedFieldsOf, withoutManagedFields } from "./managed-fields-entries.js";
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
import { conflictsOf, takeOwnership, type VersionedComparison } from "./ownership.js";
import { prune } from "./prune.js";
import { neverOwned, type TrackedKind } from "./tracked-kind.js";
import { addUpdater, type TrackedWrite, updaterOf } from "./tracked-write.js";
import { refusingMisfits, TypedValueError } from "./typed-error.js";

const managerBeforeFirstApply = "before-first-apply";

export interface ApplierOptions {
  /** The annotation in which client-side apply keeps its configuration. */
  readonly lastAppliedAnnotation: string;
  /** Whether new values move the time of an entry, and nothing else does, as at levels from 1.25 on. */
  readonly datesValues?: boolean | undefined;
  /**
   * Whether an apply changes the object when anything is different: the order of items, what the strategy will reset, a null. As at levels
   * from 1.29 on; before, when a field that the write may own is.
   */
  readonly changesBySight?: boolean | undefined;
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

/** Applies configurations to objects of one kind. */
export class FieldApplier {
  readonly #kind: TrackedKind;
  readonly #options: ApplierOptions;

  constructor(kind: TrackedKind, options: ApplierOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  /**
   * Merges a configuration into the live object, which is undefined for a new one. Throws `StatusError`: 409 with the conflicts, 400 for a
   * configuration of another version or one that does not fit the type. Returns a promise only if another server converts.
   */
  apply(live: JsonObject | undefined, config: JsonObject, write: Apply): MaybePromise<Applied> {
    const merge = this.#merge(live, config, write);
    const { merged, managers, last, key } = merge;
    return whenDone(
      prune(merged, write.apiVersion, managers, last, this.#kind.contextOf(write)),
      (updated) => {
        const comparison = this.#kind.compare(merge.live, updated, write, "whole");
        return whenDone(comparison.convertFor(managers, key), () => {
          const applied = refusingMisfits(
            () => this.#claim(merge, comparison, updated, write),
            "failed to convert new object",
          );
          return this.#withLastApplied(applied, config, write);
        });
      },
    );
  }

  #merge(live: JsonObject | undefined, config: JsonObject, write: Apply): Merge {
    const { apiVersion } = write;
    const type = this.#kind.versions.typeAt(apiVersion);
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
    const refusal = this.#kind.refusalOf(managers);
    if (refusal !== undefined) throw refusal;
    refusingMisfits(() => this.#kind.checkFitsManagers(liveObject, managers, apiVersion));
    this.#kind.reconcile(managers);
    const before = new Map(managers);
    const identity = { ...updaterOf(write), operation: "Apply" as const };
    const key = identityOf(identity);
    const last = managers.get(key);
    const claimed = extractSet(applied, type);
    const set = write.ownable?.(apiVersion)?.(claimed) ?? claimed;
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
    const changed = this.#changes(live, updated, comparison, write.apiVersion);
    const owned = difference(set, neverOwned);
    if (isEmptySet(owned)) {
      managers.delete(key);
    } else {
      const isDated = changed || !(this.#options.datesValues ?? false);
      managers.set(key, new Manager(identity, owned, isDated ? timestamp(write.now) : last?.time));
      // An apply that changes neither the object nor its owners causes no event.
      if (last !== undefined && !changed && sameFields(before, managers)) managers.set(key, last);
    }
    capUpdateManagers(managers);
    const same = liveEntries.length === before.size && sameManagers(before, managers);
    const managedFields = same ? liveEntries : encodeManagers(managers);
    return { object: changed ? updated : live, managedFields, changed };
  }

  #changes(
    live: JsonObject,
    updated: JsonObject,
    comparison: VersionedComparison,
    apiVersion: string,
  ): boolean {
    if (this.#options.changesBySight ?? false) return !jsonEqual(live, updated);
    const compared = comparison.at(apiVersion);
    return compared !== undefined && live !== updated && !isSame(compared);
  }

  /** Updates the last-applied annotation that kubectl's client-side apply left. */
  #withLastApplied(applied: Applied, config: JsonObject, write: Apply): Applied {
    if (write.manager !== clientSideApplier) return applied;
    const object = withLastApplied(applied.object, config, this.#options.lastAppliedAnnotation);
    return object === applied.object ? applied : { ...applied, object, changed: true };
  }

  /** The conflicts left after kubectl takes over the fields of its own client-side applies. */
  #beyondLastApplied(live: JsonObject, conflicts: readonly Conflict[], write: Apply): readonly Conflict[] {
    const type = this.#kind.versions.typeAt(write.apiVersion);
    if (write.manager !== clientSideApplier || type === undefined) return conflicts;
    const allowed = lastAppliedSet(live, this.#options.lastAppliedAnnotation, write.apiVersion, type);
    return allowed === undefined ? conflicts : conflicts.filter(({ path }) => !hasPath(allowed, path));
  }

  /** Assigns the existing fields to a manager that stands for all writes before tracking began. */
  #addFirstOwner(managers: Managers, live: JsonObject, write: Apply): void {
    const comparison = this.#kind.compare({}, live, write, "whole");
    const compared = comparison.at(write.apiVersion);
    if (compared === undefined) return;
    const identity = updaterOf({ ...write, manager: managerBeforeFirstApply });
    addUpdater(managers, difference(changedSet(compared), neverOwned), identity, write.now);
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

function typeMisfit(object: JsonObject, type: MergeType, mayRepeat = false): TypedValueError | undefined {
  try {
    checkTyped(object, type, mayRepeat);
    return undefined;
  } catch (error) {
    if (error instanceof TypedValueError) return error;
    throw error;
  }
}
