import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { inTurns, Turns } from "../../event-loop/turns.js";
import { type KeyValueStore, prefixEnd } from "../kv.js";
import type { ListRequest, ListResult, StoredObject } from "../object-store.js";
import type { ListObserver } from "./list-observer.js";
import type { ObjectReader } from "./object-reader.js";
import { selects } from "./selection.js";
import { UnreadableOfList } from "./unreadable-of-list.js";
import type { VersionedReads } from "./versioned-reads.js";

export interface StoreListerParts<T> {
  readonly kv: Pick<KeyValueStore, "range" | "currentRevision">;
  readonly prefix: string;
  readonly reader: ObjectReader<T>;
  readonly reads: VersionedReads;
  readonly observer: ListObserver | undefined;
  /** See `ObjectStoreOptions`. */
  readonly namesUnreadable: boolean;
}

const pageKeys = 2000;
const pageKeysMax = 10_000;

/** Lists the objects of a store, which it reads in pages at one revision. */
export class StoreLister<T> {
  readonly #parts: StoreListerParts<T>;

  constructor(parts: StoreListerParts<T>) {
    this.#parts = parts;
  }

  async list(request: ListRequest): Promise<ListResult<T>> {
    const { kv: store, prefix, reader, reads, observer, namesUnreadable } = this.#parts;
    const { at, limit, after } = request;
    const range = this.#rangeOf(request);
    const items: StoredObject<T>[] = [];
    const unselected = request.matches === undefined;
    let start = range.start;
    let pageSize = limit > 0 ? Math.min(limit, pageKeysMax) : pageKeys;
    let revision = at.kind === "exact" ? at.revision : undefined;
    let count: number | undefined;
    let fetched = 0;
    const turns = new Turns();
    const unreadable = namesUnreadable ? new UnreadableOfList() : undefined;
    if (after !== undefined && range.end === undefined && compareUtf8(prefix + after, range.start) >= 0) {
      // The selected key is already read.
      const newest = revision ?? (await store.currentRevision());
      return { items, revision: newest, continueAfter: undefined, remaining: undefined };
    }
    for (;;) {
      const withoutCount = limit === 0 || !unselected || count !== undefined;
      const pageRange = { start, end: range.end, revision, limit: pageSize, withoutCount };
      const page = await (at.kind === "exact" || revision === undefined
        ? reads.atLeast(at, () => store.range(pageRange))
        : store.range(pageRange));
      // Pages after the first use the same revision.
      revision ??= page.revision;
      count ??= page.count;
      if (fetched === 0 && page.kvs.length > 0) await inTurns(reader.preparation() ?? []);
      fetched += page.kvs.length;
      let examined = 0;
      for (const kv of page.kvs) {
        if (limit > 0 && items.length === limit) break;
        const read = unreadable === undefined ? reader.read(kv) : unreadable.unless(reader, kv);
        const object = read instanceof Promise ? await read : read;
        if (object !== undefined && selects(request, object)) items.push(object);
        examined++;
        if (turns.isOver()) await turns.next(request.signal);
      }
      const isFull = limit > 0 && items.length === limit;
      const hasMore = page.more || examined < page.kvs.length;
      if (isFull || !hasMore) unreadable?.check();
      const last = page.kvs[examined - 1]?.key;
      if (isFull || !hasMore || last === undefined) {
        observer?.listed?.(fetched, items.length);
        if (!hasMore || last === undefined) {
          return { items, revision, continueAfter: undefined, remaining: undefined };
        }
        const remaining = unselected ? count - items.length : undefined;
        return { items, revision, continueAfter: last.slice(prefix.length), remaining };
      }
      start = `${last}\0`;
      // A selector that matches few objects must not cost a request per few keys.
      if (!unselected && limit > 0) pageSize = Math.min(pageSize * 2, pageKeysMax);
    }
  }

  #rangeOf({ key, prefix, after }: ListRequest): { start: string; end: string | undefined } {
    const { prefix: root } = this.#parts;
    if (key !== undefined) {
      return { start: root + key, end: undefined };
    }
    const start = root + prefix;
    const end = prefixEnd(start);
    if (after === undefined) return { start, end };
    const next = `${root}${after}\0`;
    return { start: compareUtf8(next, start) > 0 ? next : start, end };
  }
}
