import { type ObjectStore, WriteConflict, type WriteState } from "../object-store.js";

/** Attempts a write, and retries from the new state while other writes come first. */
export async function untilWritten<T, R>(
  store: ObjectStore<T>,
  { key, newest = false }: { readonly key: string; readonly newest?: boolean },
  attempt: (state: WriteState<T>) => Promise<R | WriteConflict<T>>,
): Promise<R> {
  const beginning = store.begin(key, newest);
  let state = beginning instanceof Promise ? await beginning : beginning;
  for (;;) {
    const outcome = await attempt(state);
    if (!(outcome instanceof WriteConflict)) return outcome;
    state = outcome.newest;
  }
}

/**
 * For a write that was refused from a state which may be an outdated copy: retries from the newest state, or rejects with the refusal if
 * the state was not outdated.
 */
export async function unlessOutdated<T>(
  store: ObjectStore<T>,
  state: WriteState<T>,
  refusal: unknown,
): Promise<WriteConflict<T>> {
  const newest = await store.newerThan(state);
  if (newest === undefined) throw refusal;
  return new WriteConflict(newest);
}
