import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { ObjectCodec, ObjectStore, StoredObject, UpdateFunction } from "../../storage/object-store.js";
import { isStorageError } from "../../storage/storage-error.js";
import { createStoredObject } from "../../storage/stored-object.js";
import { type DeletionPlan, planDeletion } from "./before-delete.js";
import type { DeleteOptions } from "./delete-options.js";
import type { RegistryContext } from "./registry-context.js";
import { isStatus, withStatus } from "./storage-status.js";

export interface Deleted<T> {
  readonly stored: StoredObject<T>;
  /** False when something still holds the object: finalizers or its grace period. */
  readonly removed: boolean;
}

export interface ObjectDeleterParts<T extends ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly store: ObjectStore<T>;
  readonly codec: ObjectCodec<T>;
  /** Whether a garbage collector acts on the propagation policies of deletes. */
  readonly garbageCollection: boolean;
  /** Called with the last state of a removed object, which is decoded for it alone. */
  readonly afterDelete: ((object: T) => Promise<void>) | undefined;
}

/** One delete of one object. */
export interface Deletion<T extends ApiObject> {
  readonly context: RegistryContext;
  readonly key: string;
  readonly name: string;
  /** Validating admission, again on every retry. */
  readonly validate: (object: T) => Promise<void>;
}

/**
 * Deletes objects as `planDeletion` says: what is held is marked, what nothing holds is removed. Both compare and set, so a finalizer that
 * appears in between is seen.
 */
export class ObjectDeleter<T extends ApiObject> {
  readonly #parts: ObjectDeleterParts<T>;

  constructor(parts: ObjectDeleterParts<T>) {
    this.#parts = parts;
  }

  /** Throws 404, and 409 for preconditions. */
  async delete(deletion: Deletion<T>, options: DeleteOptions): Promise<Deleted<T>> {
    let wanted = options;
    let plan = await this.#planFor(deletion, options);
    for (;;) {
      let marked: StoredObject<T> | undefined;
      if (plan === "pending" || plan === "mark") {
        const outcome = await this.#mark(deletion, wanted);
        marked = outcome.stored;
        if (outcome.plan !== "remove") return { stored: marked, removed: false };
        if (deletion.context.dryRun) return { stored: marked, removed: true };
        wanted = atVersionOf(marked, wanted);
      }
      try {
        const removed = await this.#remove(deletion, wanted);
        if (removed !== undefined) return { stored: removed, removed: true };
      } catch (error) {
        // Another caller waiting for the mark has removed it.
        if (marked !== undefined && isStatus(error, "NotFound")) return { stored: marked, removed: true };
        throw error;
      }
      // It was held again between planning and removal.
      plan = await this.#planFor(deletion, wanted);
    }
  }

  /**
   * For an update that removes the last finalizer of a terminating object: the object is removed instead, and watchers see a deletion, not a
   * change. False when it has changed since `from`.
   */
  async removeUnchanged(key: string, from: StoredObject<T>): Promise<boolean> {
    try {
      const last = await this.#parts.store.delete(key, (current) => {
        if (current.revision !== from.revision) throw new StillHeld();
      });
      await this.#parts.afterDelete?.(last.decode());
      return true;
    } catch (error) {
      if (isStorageError(error, "KeyNotFound")) return true;
      if (error instanceof StillHeld) return false;
      throw error;
    }
  }

  async #planFor({ context, key, name }: Deletion<T>, options: DeleteOptions): Promise<DeletionPlan["kind"]> {
    const { definition, store } = this.#parts;
    return await withStatus(definition, name, async () => {
      const current = await store.get(key, { kind: "mostRecent" });
      return this.#plan(current.decode(), options, context).kind;
    });
  }

  #plan(object: T, options: DeleteOptions, { now, version }: RegistryContext): DeletionPlan {
    const { definition, garbageCollection: recordsPropagation } = this.#parts;
    return planDeletion(definition, definition.strategy, object, options, {
      now,
      version,
      recordsPropagation,
    });
  }

  async #mark(
    { context, key, name, validate }: Deletion<T>,
    options: DeleteOptions,
  ): Promise<{ stored: StoredObject<T>; plan: DeletionPlan["kind"] }> {
    const { definition, store, codec } = this.#parts;
    let outcome: DeletionPlan["kind"] = "mark";
    const change = async (current: StoredObject<T>): Promise<T> => {
      const object = current.decode();
      await validate(object);
      const turn = context.takeTurn?.();
      if (turn !== undefined) await turn;
      const plan = this.#plan(object, options, context);
      outcome = plan.kind === "mark" && plan.thenRemove ? "remove" : plan.kind;
      return plan.kind === "mark" ? object : current.decode();
    };
    return await withStatus(definition, name, async () => {
      if (context.dryRun) {
        const current = await store.get(key, { kind: "mostRecent" });
        const object = await change(current);
        const stored = createStoredObject(codec, key, object, current.revision);
        return { stored, plan: outcome };
      }
      const marked: UpdateFunction<T> = async (current) => {
        if (current === undefined) throw new Error("update without createIfMissing got no object");
        return { object: await change(current) };
      };
      const stored = await store.update(key, marked);
      return { stored, plan: outcome };
    });
  }

  /** Undefined when the object turned out to be held. */
  async #remove(
    { context, key, name, validate }: Deletion<T>,
    options: DeleteOptions,
  ): Promise<StoredObject<T> | undefined> {
    const { definition, store, afterDelete } = this.#parts;
    let seen: StoredObject<T> | undefined;
    const check = async (current: StoredObject<T>): Promise<void> => {
      seen = current;
      const object = current.decode();
      await validate(object);
      const plan = this.#plan(object, options, context);
      if (plan.kind === "pending" || (plan.kind === "mark" && !plan.thenRemove)) throw new StillHeld();
    };
    return await withStatus(definition, name, async () => {
      try {
        if (context.dryRun) {
          const current = await store.get(key, { kind: "mostRecent" });
          await check(current);
          return current;
        }
        const last = await store.delete(key, check);
        await afterDelete?.(last.decode());
        // The answer shows the object's last state, not that of its deletion.
        return seen ?? last;
      } catch (error) {
        if (error instanceof StillHeld) return undefined;
        throw error;
      }
    });
  }
}

class StillHeld extends Error {}

/** Updates a version precondition in `options` to the version that was stored on the way. */
function atVersionOf(stored: StoredObject<ApiObject>, options: DeleteOptions): DeleteOptions {
  if (options.preconditions?.resourceVersion === undefined) return options;
  return {
    ...options,
    preconditions: { ...options.preconditions, resourceVersion: String(stored.revision) },
  };
}
