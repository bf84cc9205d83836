import { StatusError } from "../errors/status.js";
import { isJsonObject, type JsonObject } from "../json/json-value.js";
import { ownField } from "../json/json-values.js";
import type { MaybePromise } from "../objects/maybe-promise.js";
import type { ManagedFieldsEntry } from "../objects/meta.js";
import { DecodeError } from "../schema/codec.js";
import { capUpdateManagers } from "./cap-managers.js";
import { checkTyped } from "./check-typed.js";
import { changedSet, isSame } from "./compare-typed.js";
import { CreatedSets } from "./created-sets.js";
import { type Applied, type ApplierOptions, type Apply, FieldApplier } from "./field-applier.js";
import { difference, emptySet, type FieldSet } from "./field-set.js";
import {
  differInTimes,
  managedFieldsOf,
  rawManagedFields,
  resetsManagedFields,
  sameEntries,
  withoutManagedFields,
} from "./managed-fields-entries.js";
import { decodeManagers, encodeManagers, identityOf, type Managers } from "./managers.js";
import type { ObjectVersions } from "./object-versions.js";
import { takeOwnership } from "./ownership.js";
import { neverOwned, TrackedKind } from "./tracked-kind.js";
import { addUpdater, type TrackedWrite, updaterOf } from "./tracked-write.js";
import { TypedValueError } from "./typed-error.js";
import type { Repeats } from "./whole-tree.js";

export interface FieldManagerOptions extends ApplierOptions {
  /** Whether a write that only replaces times of entries changes nothing, as at levels from 1.24 on. */
  readonly ignoresTimes?: boolean | undefined;
  /** As at levels from 1.29 on: "whole". Default: a list that repeats an item leaves the object without managed fields. */
  readonly repeats?: Repeats | undefined;
}

/** Tracks which manager owns which fields of the objects of one kind. */
export class FieldManager {
  readonly #kind: TrackedKind;
  readonly #applier: FieldApplier;
  readonly #ignoresTimes: boolean;
  readonly #datesValues: boolean;
  readonly #repeats: Repeats;
  readonly #createdSets = new CreatedSets();

  constructor(versions: ObjectVersions, options: FieldManagerOptions) {
    this.#kind = new TrackedKind(versions);
    this.#applier = new FieldApplier(this.#kind, options);
    this.#ignoresTimes = options.ignoresTimes ?? false;
    this.#datesValues = options.datesValues ?? false;
    this.#repeats = options.repeats ?? "refused";
  }

  /** See `FieldApplier`. */
  apply(live: JsonObject | undefined, config: JsonObject, write: Apply): MaybePromise<Applied> {
    return this.#applier.apply(live, config, write);
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
    const isReset = write.subresource === "" && resetsManagedFields(rawManagedFields(updated));
    if (isReset && live !== undefined && hasUid(live)) return [];
    const updatedEntries = write.subresource === "" && !isReset ? managedFieldsOf(updated) : [];
    // A client that does not know managed fields must not erase them.
    const replaces =
      updatedEntries.length > 0 && !sameEntries(rawManagedFields(live), rawManagedFields(updated));
    // An untracked object stays untracked until the first apply.
    if (!replaces && liveEntries.length === 0 && live !== undefined && hasUid(live)) return [];
    const before = replaces ? replacedManagers(liveEntries, updatedEntries) : managersOf(liveEntries);
    // Kubernetes then leaves the object without managed fields, also when the write changes nothing else.
    if (this.#kind.refusalOf(before) !== undefined) return [];
    const managers = new Map(before);
    // The write succeeds even if the object does not fit its type or has too many fields to track: then it is no longer tracked.
    const untracked = (error: unknown): readonly ManagedFieldsEntry[] => {
      const isTooLarge = error instanceof StatusError && error.code === 413;
      if (error instanceof TypedValueError || isTooLarge) return [];
      throw error;
    };
    try {
      if (live !== undefined) this.#kind.checkFitsManagers(live, before);
      this.#checkDiscarded(updated, write);
      if (live === undefined && !replaces) {
        addUpdater(managers, this.#createdSet(updated, write), updaterOf(write), write.now);
        return encodeManagers(managers);
      }
      const comparison = this.#kind.compare(live ?? {}, updated, write, this.#repeats);
      const compared = comparison.at(write.apiVersion);
      if (compared === undefined || isSame(compared)) {
        const isKept = !replaces || (this.#ignoresTimes && differInTimes(live, updated));
        if (isKept) return liveEntries;
        this.#kind.dropUnknown(managers);
        capUpdateManagers(managers);
        return encodeManagers(managers);
      }
      this.#kind.reconcile(managers);
      const former = this.#datesValues ? undefined : managers.get(identityOf(updaterOf(write)));
      const take = (): readonly ManagedFieldsEntry[] => {
        takeOwnership(managers, comparison, undefined);
        const owned = difference(changedSet(compared), neverOwned);
        addUpdater(managers, owned, updaterOf(write), write.now, former);
        return encodeManagers(managers);
      };
      const converting = comparison.convertFor(managers, undefined);
      if (converting === undefined) return take();
      // Nor does a webhook that does not convert for the other managers keep the object from being written.
      const unconverted = (error: unknown): readonly ManagedFieldsEntry[] => {
        const isRefusal = error instanceof StatusError || error instanceof DecodeError;
        if (isRefusal && !write.scope.signal.aborted) return [];
        throw error;
      };
      return converting.then(take, unconverted).catch(untracked);
    } catch (error) {
      return untracked(error);
    }
  }

  /** Throws `TypedValueError`. Validation refuses other values that do not fit. */
  #checkDiscarded(object: JsonObject, { apiVersion, discards }: TrackedWrite): void {
    const type = discards && this.#kind.versions.typeAt(apiVersion);
    if (discards === undefined || type === undefined) return;
    const sent = Object.entries(object).filter(([name, value]) => value !== undefined && discards(name));
    if (sent.length > 0) checkTyped(Object.fromEntries(sent), type, this.#repeats === "whole");
  }

  /** The fields owned after creating `object`. */
  #createdSet(object: JsonObject, write: TrackedWrite): FieldSet {
    const { apiVersion, ownable } = write;
    const type = this.#kind.versions.typeAt(apiVersion);
    if (type?.kind !== "struct") return emptySet;
    const created = withoutManagedFields(object);
    return this.#createdSets.of(created, type, ownable?.(apiVersion), () => {
      const compared = this.#kind.compare({}, created, write, this.#repeats).at(apiVersion);
      return compared === undefined ? emptySet : difference(changedSet(compared), neverOwned);
    });
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

function hasUid(object: JsonObject): boolean {
  const metadata = ownField(object, "metadata");
  return isJsonObject(metadata) && (ownField(metadata, "uid") ?? "") !== "";
}
