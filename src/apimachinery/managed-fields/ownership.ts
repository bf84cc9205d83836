import type { WaitingSteps } from "../steps.js";
import { type Comparison, changedSet, comparingSteps, excludeFields, type Repeats } from "./compare-typed.js";
import type { Conflict } from "./conflicts.js";
import { difference, type FieldSet, intersection, isEmptySet, pathsOf } from "./field-set.js";
import { compareText, type Managers } from "./managers.js";
import type { ObjectVersions, VersionedObject } from "./object-versions.js";

/** Fields that writes to a subresource leave alone, per version. */
export type ResetFields = (apiVersion: string) => FieldSet | undefined;

/** Compares two states of an object, once per version that managers use. */
export class VersionedComparison {
  readonly #live: VersionedObject;
  readonly #updated: VersionedObject;
  readonly #versions: ObjectVersions;
  readonly #reset: ResetFields;
  readonly #repeats: Repeats;
  readonly #comparisons = new Map<string, Comparison>();

  constructor(
    { live, updated }: { readonly live: VersionedObject; readonly updated: VersionedObject },
    versions: ObjectVersions,
    reset: ResetFields,
    repeats: Repeats,
  ) {
    this.#live = live;
    this.#updated = updated;
    this.#repeats = repeats;
    this.#versions = versions;
    this.#reset = reset;
  }

  /** Undefined for a version that is no longer served. Throws `TypedValueError`. */
  *steps(apiVersion: string): WaitingSteps<Comparison | undefined> {
    const known = this.#comparisons.get(apiVersion);
    if (known !== undefined) return known;
    const type = this.#versions.typeAt(apiVersion);
    if (type === undefined) return undefined;
    const live = yield* this.#live.at(apiVersion);
    const updated = yield* this.#updated.at(apiVersion);
    const compared = yield* comparingSteps(live, updated, type, this.#repeats);
    const comparison = excludeFields(compared, this.#reset(apiVersion));
    this.#comparisons.set(apiVersion, comparison);
    return comparison;
  }
}

/** The added or modified fields that managers other than `except` own: the conflicts of an apply without force. */
export function* conflictsOf(
  managers: Managers,
  comparison: VersionedComparison,
  except: string,
): WaitingSteps<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const [identity, manager] of [...managers].sort(([a], [b]) => compareText(a, b))) {
    const compared = identity === except ? undefined : yield* comparison.steps(manager.apiVersion);
    if (compared === undefined) continue;
    yield;
    const changed = changedSet(compared);
    yield;
    const taken = intersection(manager.set, changed);
    yield;
    for (const path of pathsOf(taken)) conflicts.push({ manager, path });
    yield;
  }
  return conflicts;
}

/**
 * Takes the added, modified and removed fields from all managers but `except`. Removes managers whose set becomes empty or whose
 * version is no longer served. Changes `managers`.
 */
export function* takeOwnership(
  managers: Managers,
  comparison: VersionedComparison,
  except: string | undefined,
): WaitingSteps<void> {
  for (const [identity, manager] of [...managers]) {
    let { set } = manager;
    if (identity !== except) {
      const compared = yield* comparison.steps(manager.apiVersion);
      if (compared === undefined) {
        managers.delete(identity);
        continue;
      }
      yield;
      const changed = changedSet(compared);
      yield;
      set = difference(set, changed);
      yield;
      set = difference(set, compared.removed);
    }
    if (isEmptySet(set)) managers.delete(identity);
    else if (set !== manager.set) managers.set(identity, manager.withSet(set));
    yield;
  }
}
