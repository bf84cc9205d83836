import type { CreateOptions, ObjectStore, StoredObject } from "../object-store.js";
import { keyNotFound } from "../storage-error.js";
import { unlessOutdated, untilWritten } from "./attempts.js";

export interface ObjectChange<T> extends CreateOptions {
  readonly object: T;
}

/**
 * Calls `change` with the newest object until its result is written; it throws to give up. Rejects with `KeyNotFound` for a missing
 * object, unless it may be created: `change` is then called without one.
 */
export function changeObject<T>(
  store: ObjectStore<T>,
  key: string,
  change: (current: StoredObject<T> | undefined) => ObjectChange<T> | Promise<ObjectChange<T>>,
  { createIfMissing = false }: { readonly createIfMissing?: boolean } = {},
): Promise<StoredObject<T>> {
  return untilWritten(store, { key }, async (state) => {
    if (state.object === undefined && !createIfMissing) throw keyNotFound(key);
    let changed: ObjectChange<T>;
    try {
      changed = await change(state.object);
    } catch (refusal) {
      return await unlessOutdated(store, state, refusal);
    }
    return await store.replace(state, changed.object, changed);
  });
}

/** Removes an object and resolves with its last state. `check` throws to keep it. */
export function removeObject<T>(
  store: ObjectStore<T>,
  key: string,
  check: (current: StoredObject<T>) => void | Promise<void> = () => {},
): Promise<StoredObject<T>> {
  return untilWritten(store, { key }, async (state) => {
    if (state.object === undefined) throw keyNotFound(key);
    try {
      await check(state.object);
    } catch (refusal) {
      return await unlessOutdated(store, state, refusal);
    }
    return await store.remove(state);
  });
}
