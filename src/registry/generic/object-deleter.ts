import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { invalidObject } from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import { isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import {
  type ObjectCodec,
  type ObjectStore,
  type StoredObject,
  WriteConflict,
  type WriteState,
} from "../../storage/object-store.js";
import { isStorageError, keyNotFound } from "../../storage/storage-error.js";
import { unlessOutdated, untilWritten } from "../../storage/store/attempts.js";
import { createStoredObject } from "../../storage/stored-object.js";
import { checkPreconditions, type DeletionPlan, isUnderWay, planDeletion } from "./before-delete.js";
import type { DeleteOptions } from "./delete-options.js";
import type { RegistryContext } from "./registry-context.js";
import { keyOf } from "./resource-key.js";
import { statusOfStorageError, withStatus } from "./storage-status.js";

export interface Deleted<T> {
  readonly stored: StoredObject<T>;
  /** False when finalizers or a grace period still hold the object. */
  readonly removed: boolean;
}

export interface ObjectDeleterParts<T extends ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly store: ObjectStore<T>;
  readonly codec: ObjectCodec<T>;
  /** Whether a garbage collector acts on the propagation policies of deletes. */
  readonly garbageCollection: boolean;
  /** Called with the last state of a removed object, which is decoded only for this. */
  readonly afterDelete: ((object: T) => Promise<void>) | undefined;
}

export interface Deletion<T extends ApiObject> {
  readonly name: string;
  readonly options: DeleteOptions;
  /** Admission; called in every attempt that would change something. */
  readonly admit: (object: T) => MaybePromise<void>;
}

/**
 * Deletes objects by their `DeletionPlan`: marks those that a finalizer or grace period holds, and removes the others. Both are
 * compare-and-set, so that a finalizer added meanwhile is seen.
 */
export class ObjectDeleter<T extends ApiObject> {
  readonly #parts: ObjectDeleterParts<T>;

  constructor(parts: ObjectDeleterParts<T>) {
    this.#parts = parts;
  }

  /** Throws 404, and 409 for preconditions. */
  async delete(context: RegistryContext, deletion: Deletion<T>): Promise<Deleted<T>> {
    const { definition, store } = this.#parts;
    const { name } = deletion;
    const key = keyOf(definition, { namespace: context.namespace, name });
    let { options } = deletion;
    let marked: StoredObject<T> | undefined;
    return await withStatus(definition, name, () =>
      untilWritten(store, { key, newest: context.dryRun }, async (state) => {
        if (state.object !== undefined) {
          const outcome = await this.#attempt(context, state, state.object, { ...deletion, options });
          if (outcome instanceof WriteConflict || outcome.removed || !outcome.isReleased) return outcome;
          // Nothing holds the marked object any more, so the next attempt removes it.
          marked = outcome.stored;
          options = atVersionOf(marked, options);
          return new WriteConflict({ key, object: marked });
        }
        if (marked === undefined) throw keyNotFound(key);
        // Another delete, which waited for the mark, has removed it.
        return { stored: marked, removed: true };
      }),
    );
  }

  /** Source: apiserver `pkg/registry/generic/registry/corrupt_obj_deleter.go`. */
  async deleteUnreadable(namespace: string, name: string): Promise<void> {
    const { definition, store } = this.#parts;
    const key = keyOf(definition, { namespace, name });
    const isRemoved = await store.removeUnreadable(key).catch((error: unknown) => {
      if (isStorageError(error, "KeyNotFound")) return false;
      throw statusOfStorageError(error, definition, name);
    });
    if (isRemoved) return;
    const detail = "is exclusively used to delete corrupt object(s), try again by removing this option";
    const path = FieldPath.of("ignoreStoreReadErrorWithClusterBreakingPotential");
    const { group, resource } = definition;
    throw invalidObject({ group, kind: resource }, name, [invalid(path, true, detail)]);
  }

  /** Get the current object, admit, plan, commit. A delete in progress is not admitted again. */
  async #attempt(
    context: RegistryContext,
    state: WriteState<T>,
    stored: StoredObject<T>,
    { admit, options }: Deletion<T>,
  ): Promise<Attempted<T> | WriteConflict<T>> {
    const { definition, store, codec, afterDelete } = this.#parts;
    const { level = oldestLevel } = definition;
    const object = stored.decode();
    let plan: DeletionPlan;
    try {
      checkPreconditions(definition, object, options);
      if (isUnderWay(definition.strategy, object, options)) {
        plan = { kind: "pending" };
      } else {
        const admitting = admit(object);
        if (admitting !== undefined) await admitting;
        plan = this.#plan(context, object, options);
      }
    } catch (refusal) {
      return await unlessOutdated(store, state, refusal);
    }
    switch (plan.kind) {
      case "pending": {
        // Its copy was outdated: another object may have replaced it.
        const newest = await store.newerThan(state);
        return newest === undefined ? { stored, removed: false } : new WriteConflict(newest);
      }
      case "mark": {
        const isReleased = plan.thenRemove;
        if (context.dryRun)
          return {
            stored: createStoredObject(codec, state.key, object, stored.revision),
            removed: isReleased,
          };
        const marked = await store.replace(state, object);
        if (marked instanceof WriteConflict) return marked;
        context.stored?.(marked.revision);
        return { stored: marked, removed: false, isReleased };
      }
      case "remove": {
        if (context.dryRun) return { stored, removed: true };
        const last = await store.remove(state);
        if (last instanceof WriteConflict) return last;
        context.stored?.(last.revision);
        await afterDelete?.(last.decode());
        // Older levels return the version of the object's last change, which a client cannot use to start a watch after the deletion.
        return { stored: isAtLeast(level, "1.26") ? last : stored, removed: true };
      }
      default:
        return unreachable(plan);
    }
  }

  #plan({ now, version }: RegistryContext, object: T, options: DeleteOptions): DeletionPlan {
    const { definition, garbageCollection: recordsPropagation } = this.#parts;
    return planDeletion(definition, object, options, { now, version, recordsPropagation });
  }
}

interface Attempted<T> extends Deleted<T> {
  /** The object is marked and nothing holds it. */
  readonly isReleased?: boolean;
}

/** Replaces a version precondition in `options` by the version that this delete has stored. */
function atVersionOf(stored: StoredObject<ApiObject>, options: DeleteOptions): DeleteOptions {
  if (options.preconditions?.resourceVersion === undefined) return options;
  return {
    ...options,
    preconditions: { ...options.preconditions, resourceVersion: String(stored.revision) },
  };
}
