import { inTurns, Turns } from "../../event-loop/turns.js";
import { type KeyValue, type KeyValueStore, prefixEnd, type Revision } from "../kv.js";
import type { StoredObject } from "../object-store.js";
import type { ObjectReader } from "../store/object-reader.js";

/** In key order. */
export interface LoadedCollection<T> {
  readonly keys: readonly string[];
  readonly values: readonly StoredObject<T>[];
  readonly revision: Revision;
}

/** An embedded store reads a page at once. Two of them, one being decoded, take some milliseconds. */
const pageBytes = 2 * 1024 * 1024;
const firstPageKeys = 50;
const pageKeysMax = 1000;

/** Reads all objects below `prefix` at one revision, in slices of the event loop. */
export async function readCollection<T>(
  kv: Pick<KeyValueStore, "range">,
  prefix: string,
  reader: ObjectReader<T>,
): Promise<LoadedCollection<T>> {
  const keys: string[] = [];
  const values: StoredObject<T>[] = [];
  const range = { end: prefixEnd(prefix), withoutCount: true };
  let page = await kv.range({ ...range, start: prefix, limit: firstPageKeys });
  const { revision } = page;
  if (page.kvs.length > 0) await inTurns(reader.preparation() ?? []);
  const turns = new Turns();
  for (;;) {
    const last = page.kvs[page.kvs.length - 1]?.key;
    // Requested before this page is decoded, so that the store works meanwhile.
    const next =
      page.more && last !== undefined
        ? kv.range({ ...range, start: `${last}\0`, revision, limit: keysLike(page.kvs) })
        : undefined;
    next?.catch(() => undefined); // awaited below
    for (const kvPair of page.kvs) {
      const read = reader.read(kvPair);
      const object = read instanceof Promise ? await read : read;
      keys.push(object.key);
      values.push(object);
      if (turns.isOver()) await turns.next();
    }
    if (next === undefined) break;
    page = await next;
  }
  return { keys, values, revision };
}

/** How many keys with values this large make up a page. */
function keysLike(kvs: readonly KeyValue[]): number {
  const bytes = kvs.reduce((sum, { value }) => sum + value.length, 0);
  return Math.max(1, Math.min(pageKeysMax, Math.floor((pageBytes * kvs.length) / (bytes + 1))));
}
