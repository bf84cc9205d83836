import { Turns } from "../../event-loop/turns.js";
import { prefixEnd, type Revision } from "../kv.js";
import type { ListRequest, ListResult, StoredObject } from "../object-store.js";
import { covers, selects } from "../store/selection.js";
import type { CacheObserver } from "./cache-observer.js";
import type { SortedIndex } from "./sorted-index.js";

/** A state of the collection and the revision up to which it is valid. */
export interface View<T> {
  readonly index: SortedIndex<StoredObject<T>>;
  readonly revision: Revision;
}

/** Reading the clock costs as much as a selector with one requirement, so it is read once per sixteen objects. */
const clockEvery = 16;

/** The part of a view that a list shows. Long work takes turns of the event loop; the view does not change meanwhile. */
export async function listView<T>(
  view: View<T>,
  request: ListRequest,
  observer: CacheObserver | undefined,
): Promise<ListResult<T>> {
  const { index, revision } = view;
  const { limit } = request;
  if (request.key !== undefined) return listedKey(view, request, request.key, observer);
  const end = request.prefix === "" ? undefined : prefixEnd(request.prefix);
  if (request.matches === undefined && request.after === undefined && limit === 0) {
    const items = index.range(request.prefix, end);
    observer?.listed?.(items.length, items.length);
    return { items, revision, continueAfter: undefined, remaining: undefined };
  }
  const items: StoredObject<T>[] = [];
  let start = request.prefix;
  if (request.after !== undefined) {
    const next = `${request.after}\0`;
    if (index.rank(next) > index.rank(start)) start = next;
  }
  let lastExamined: StoredObject<T> | undefined;
  let cut = false;
  let examined = 0;
  const turns = new Turns();
  for (;;) {
    // Without a selector, objects are not read at all, because they are scattered in memory.
    const complete = index.scan(start, end, (object) => {
      if (limit > 0 && items.length === limit) {
        cut = true;
        return false;
      }
      if (request.matches !== undefined && ++examined % clockEvery === 0 && turns.isOver()) {
        start = object.key;
        return false;
      }
      lastExamined = object;
      if (selects(request, object)) items.push(object);
      return true;
    });
    if (complete || cut) break;
    await turns.next(request.signal);
  }
  observer?.listed?.(Math.max(examined, items.length), items.length);
  if (!cut || lastExamined === undefined) {
    return { items, revision, continueAfter: undefined, remaining: undefined };
  }
  const { key } = lastExamined;
  const last = end === undefined ? index.size : index.rank(end);
  const remaining = request.matches === undefined ? last - index.rank(`${key}\0`) : undefined;
  return { items, revision, continueAfter: key, remaining };
}

/** The object of a list that selects one key. */
function listedKey<T>(
  { index, revision }: View<T>,
  request: ListRequest,
  key: string,
  observer: CacheObserver | undefined,
): ListResult<T> {
  const object = index.get(key);
  const isAfter = request.after === undefined || index.rank(key) >= index.rank(`${request.after}\0`);
  const isListed = object !== undefined && isAfter && covers(request, key) && selects(request, object);
  const items = isListed ? [object] : [];
  observer?.listed?.(object === undefined ? 0 : 1, items.length);
  return { items, revision, continueAfter: undefined, remaining: undefined };
}
