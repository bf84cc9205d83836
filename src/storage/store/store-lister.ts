import { compareUtf8 } from "../../apimachinery/collections/compare-text.js";
import { inTurns, Turns } from "../../event-loop/turns.js";
import { type KeyValue, type KeyValueStore, prefixEnd, type RangeResult } from "../kv.js";
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
    const { kv, prefix, observer, namesUnreadable } = this.#parts;
    const { at, limit, matches } = request;
    const items: StoredObject<T>[] = [];
    const unreadable = namesUnreadable ? new UnreadableOfList() : undefined;
    let fetched = 0;
    for await (const { kvs, more, revision, count } of this.#pages(request)) {
      fetched += kvs.length;
      const examined = await this.#select(kvs, { request, items, unreadable });
      const last = kvs[examined - 1]?.key;
      const isFull = limit > 0 && items.length === limit;
      const isAtEnd = last === undefined || (!more && examined === kvs.length);
      if (!isFull && !isAtEnd) continue;
      unreadable?.check();
      observer?.listed?.(fetched, items.length);
      if (isAtEnd) return { items, revision, continueAfter: undefined, remaining: undefined };
      const remaining = matches === undefined ? count - items.length : undefined;
      return { items, revision, continueAfter: last.slice(prefix.length), remaining };
    }
    const revision = at.kind === "exact" ? at.revision : await kv.currentRevision();
    return { items, revision, continueAfter: undefined, remaining: undefined };
  }

  /**
   * The pages of the range at one revision, each with the count of the first. There is none when the list is of one key and continues after
   * it. The caller stops at an empty page.
   */
  async *#pages(request: ListRequest): AsyncGenerator<RangeResult, void, void> {
    const { kv, prefix, reads } = this.#parts;
    const { at, limit, after } = request;
    const selectsAll = request.matches === undefined;
    const range = this.#rangeOf(request);
    let { start } = range;
    if (after !== undefined && range.end === undefined && compareUtf8(prefix + after, start) >= 0) return;
    let pageSize = limit > 0 ? Math.min(limit, pageKeysMax) : pageKeys;
    let first: RangeResult | undefined;
    for (;;) {
      const revision = at.kind === "exact" ? at.revision : first?.revision;
      const withoutCount = limit === 0 || !selectsAll || first !== undefined;
      const pageRange = { start, end: range.end, revision, limit: pageSize, withoutCount };
      const page = await (at.kind === "exact" || first === undefined
        ? reads.atLeast(at, () => kv.range(pageRange))
        : kv.range(pageRange));
      first ??= page;
      yield { ...page, revision: revision ?? page.revision, count: first.count };
      start = `${page.kvs.at(-1)?.key}\0`;
      // A selector that matches few objects must not cost a request per few keys.
      if (!selectsAll && limit > 0) pageSize = Math.min(pageSize * 2, pageKeysMax);
    }
  }

  /** Adds the selected objects to `items`, up to the limit. Returns how many of the keys it read. */
  async #select(
    kvs: readonly KeyValue[],
    {
      request,
      items,
      unreadable,
    }: {
      readonly request: ListRequest;
      readonly items: StoredObject<T>[];
      readonly unreadable: UnreadableOfList | undefined;
    },
  ): Promise<number> {
    const { reader } = this.#parts;
    const { limit, signal } = request;
    const preparation = kvs.length > 0 ? reader.preparation() : undefined;
    if (preparation !== undefined) await inTurns(preparation);
    const turns = new Turns();
    for (const [index, kv] of kvs.entries()) {
      if (limit > 0 && items.length === limit) return index;
      const read = unreadable === undefined ? reader.read(kv) : unreadable.unless(reader, kv);
      const object = read instanceof Promise ? await read : read;
      if (object !== undefined && selects(request, object)) items.push(object);
      if (turns.isOver()) await turns.next(signal);
    }
    return kvs.length;
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
