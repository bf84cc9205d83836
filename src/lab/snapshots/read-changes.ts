import {
  type KeyRange,
  type KeyValueStore,
  type KvEvent,
  type Revision,
  toRevision,
} from "../../storage/kv.js";

export interface ChangedKey {
  readonly key: string;
  /** The key before its first change; undefined when it did not exist. */
  readonly before: KvEvent["kv"] | undefined;
  /** Undefined when the last change deleted it. */
  after: KvEvent["kv"] | undefined;
}

/**
 * The keys in `range` that changed after revision `after`, up to at least revision `until`, in the order of their first changes. Reads only
 * the history in between. Throws `Compacted` when a part of it is gone.
 */
export async function readChanges(
  store: KeyValueStore,
  range: KeyRange,
  { after, until }: { readonly after: Revision; readonly until: Revision },
): Promise<ReadonlyMap<string, ChangedKey>> {
  const changes = new Map<string, ChangedKey>();
  if (until <= after) return changes;
  const enough = new AbortController();
  const watch = store.watch({ ...range, startRevision: toRevision(after + 1) }, enough.signal);
  await store.requestProgress();
  try {
    for await (const batch of watch) {
      if (batch.kind === "events") for (const event of batch.events) note(changes, event);
      if (batch.revision >= until) break;
    }
  } finally {
    enough.abort();
  }
  return changes;
}

function note(changes: Map<string, ChangedKey>, { type, kv, previous }: KvEvent): void {
  const after = type === "put" ? kv : undefined;
  const known = changes.get(kv.key);
  if (known === undefined) changes.set(kv.key, { key: kv.key, before: previous, after });
  else known.after = after;
}
