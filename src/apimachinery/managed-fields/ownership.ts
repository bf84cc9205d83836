import { compareText } from "../collections/compare-text.js";
import { type Comparison, changedSet, compareTyped, filterFields } from "./compare-typed.js";
import type { Conflict } from "./conflicts.js";
import type { FieldFilter } from "./field-filter.js";
import { difference, intersection, isEmptySet } from "./field-set.js";
import type { Managers } from "./managers.js";
import type { ObjectVersions, VersionedObject } from "./object-versions.js";
import type { Repeats } from "./whole-tree.js";
import { pathsOf } from "./written-order.js";

/** The fields that a write can own, per version. */
export type OwnableFields = (apiVersion: string) => FieldFilter | undefined;

/** Compares two states of an object, once per version that managers use. */
export class VersionedComparison {
  readonly #live: VersionedObject;
  readonly #updated: VersionedObject;
  readonly #versions: ObjectVersions;
  readonly #filter: OwnableFields;
  readonly #repeats: Repeats;
  readonly #comparisons = new Map<string, Comparison>();

  constructor(
    { live, updated }: { readonly live: VersionedObject; readonly updated: VersionedObject },
    versions: ObjectVersions,
    filter: OwnableFields,
    repeats: Repeats,
  ) {
    this.#live = live;
    this.#updated = updated;
    this.#repeats = repeats;
    this.#versions = versions;
    this.#filter = filter;
  }

  /** Converts both states to the versions of all managers except `except`. A promise only where a webhook converts. */
  convertFor(managers: Managers, except: string | undefined): Promise<void> | undefined {
    const used = new Set<string>();
    for (const [identity, { apiVersion }] of managers) if (identity !== except) used.add(apiVersion);
    const converting = [this.#live.convertTo(used), this.#updated.convertTo(used)].filter(
      (each) => each !== undefined,
    );
    return converting.length === 0 ? undefined : Promise.all(converting).then(() => undefined);
  }

  /**
   * Undefined for a version that is no longer served. Needs the states in that version: their own, or one of `convertFor`. Throws
   * `TypedValueError`.
   */
  at(apiVersion: string): Comparison | undefined {
    const known = this.#comparisons.get(apiVersion);
    if (known !== undefined) return known;
    const type = this.#versions.typeAt(apiVersion);
    if (type === undefined) return undefined;
    const compared = compareTyped(
      this.#live.at(apiVersion),
      this.#updated.at(apiVersion),
      type,
      this.#repeats,
    );
    const comparison = filterFields(compared, this.#filter(apiVersion));
    this.#comparisons.set(apiVersion, comparison);
    return comparison;
  }
}

/** The added or modified fields that managers other than `except` own: the conflicts of an apply without force. */
export function conflictsOf(managers: Managers, comparison: VersionedComparison, except: string): Conflict[] {
  const conflicts: Conflict[] = [];
  for (const [identity, manager] of [...managers].sort(([a], [b]) => compareText(a, b))) {
    const compared = identity === except ? undefined : comparison.at(manager.apiVersion);
    if (compared === undefined) continue;
    const taken = intersection(manager.set, changedSet(compared));
    for (const path of pathsOf(taken)) conflicts.push({ manager, path });
  }
  return conflicts;
}

/**
 * Takes the added, modified and removed fields from all managers but `except`. Removes managers whose set becomes empty or whose
 * version is no longer served. Changes `managers`.
 */
export function takeOwnership(
  managers: Managers,
  comparison: VersionedComparison,
  except: string | undefined,
): void {
  for (const [identity, manager] of [...managers]) {
    let { set } = manager;
    if (identity !== except) {
      const compared = comparison.at(manager.apiVersion);
      if (compared === undefined) {
        managers.delete(identity);
        continue;
      }
      set = difference(difference(set, changedSet(compared)), compared.removed);
    }
    if (isEmptySet(set)) managers.delete(identity);
    else if (set !== manager.set) managers.set(identity, manager.withSet(set));
  }
}
