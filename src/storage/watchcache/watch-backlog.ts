import { prefixEnd } from "../kv.js";
import type { Selection, StoredObject, WatchEvent, WatchRequest } from "../object-store.js";
import { portions } from "../store/portions.js";
import { covers, selects } from "../store/selection.js";
import type { CacheEvent } from "./cache-event.js";
import type { View } from "./list-view.js";
import type { SortedIndex } from "./sorted-index.js";

/** The server's own informers read each object, which takes up to 0.3 ms for a large definition. */
const viewPortion = 10;

/** The selected state as synthetic events, with the mark at their end if requested. */
export function* stateOf<T>(view: View<T>, request: WatchRequest): Generator<readonly WatchEvent<T>[], void> {
  const values = selectedValues(view.index, request);
  const most = request.immediate === true ? viewPortion : undefined;
  for (const objects of portions(values, ({ body }) => body.length, most)) {
    const portion: WatchEvent<T>[] = [];
    for (const object of objects) {
      if (selects(request, object)) portion.push({ type: "ADDED", object, revision: object.revision });
    }
    yield portion;
  }
  if (request.bookmarkAfterState === true) {
    yield [{ type: "BOOKMARK", revision: view.revision, initialEventsEnd: true }];
  }
}

/** Recent events as this watch sees them. */
export function* historyOf<T>(
  events: readonly CacheEvent<T>[],
  request: WatchRequest,
): Generator<readonly WatchEvent<T>[], void> {
  for (const some of portions(events, ({ bytes }) => bytes)) {
    const portion: WatchEvent<T>[] = [];
    for (const event of some) {
      const shown = covers(request, event.key) ? event.shownTo(request) : undefined;
      if (shown !== undefined) portion.push(shown);
    }
    yield portion;
  }
}

function* selectedValues<T>(
  index: SortedIndex<StoredObject<T>>,
  { key, prefix }: Selection,
): Generator<StoredObject<T>, void> {
  if (key !== undefined) {
    const object = index.get(key);
    if (object !== undefined && key.startsWith(prefix)) yield object;
    return;
  }
  yield* index.values(prefix, prefix === "" ? undefined : prefixEnd(prefix));
}
