import { join } from "node:path";
import { makeDirectory } from "../../files/make-directory.js";
import {
  type EmbeddedStore,
  type EmbeddedStoreOptions,
  openEmbeddedStore,
} from "../../storage/embedded/embedded-store.js";
import { dataFileName } from "../../storage/embedded/lmdb-tables.js";
import type { KeyRange, KeyValueStore, Revision } from "../../storage/kv.js";

/** Objects per read of a store that has no file to copy. */
const pageKeys = 500;

/**
 * A new store in `directory` with the state of `store`. The copy of an embedded store keeps history and revisions; of any other, `range`
 * is read at `revision`, and revisions start over.
 */
export async function copyStore(
  store: KeyValueStore,
  {
    directory,
    range,
    revision,
    ...options
  }: EmbeddedStoreOptions & { readonly range: KeyRange; readonly revision: Revision },
): Promise<EmbeddedStore> {
  makeDirectory(directory, 0o700);
  if (isEmbedded(store)) {
    await store.copyTo(join(directory, dataFileName));
    return await openEmbeddedStore({ directory, ...options, isFresh: true });
  }
  const copy = await openEmbeddedStore({ directory, ...options });
  for (let start = range.start; ; ) {
    const { kvs, more } = await store.range({ ...range, start, revision, limit: pageKeys });
    await Promise.all(kvs.map(({ key, value }) => put(copy, key, value)));
    const last = kvs.at(-1);
    if (!more || last === undefined) return copy;
    start = `${last.key}\0`;
  }
}

/** Whether the copy has the store's revisions and history. */
export function hasHistory(store: KeyValueStore): boolean {
  return isEmbedded(store);
}

function isEmbedded(store: KeyValueStore): store is EmbeddedStore {
  return "copyTo" in store;
}

async function put(store: KeyValueStore, key: string, value: Uint8Array): Promise<void> {
  await store.transact({ compare: [], success: [{ kind: "put", key, value }], failure: [] });
}
