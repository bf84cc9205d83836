import type { Revision } from "../kv.js";
import type { ObjectCodec, Selection, StoredObject, WatchEvent } from "../object-store.js";
import { RestampedObject } from "../store/restamped-object.js";
import { eventTypeFor } from "../store/selection.js";

/** One change of one object, as the cache keeps it and shows it to watchers. */
export class CacheEvent<T> {
  readonly key: string;
  readonly revision: Revision;
  /** Undefined for a deletion. */
  readonly current: StoredObject<T> | undefined;
  /** Undefined for a creation. */
  readonly previous: StoredObject<T> | undefined;
  /** Milliseconds of the clock. */
  readonly recordedAt: number;
  /** The same by `performance.now`; 0 when nobody watched then. */
  readonly receivedAt: number;
  readonly #codec: ObjectCodec<T>;
  #added: WatchEvent<T> | undefined;
  #modified: WatchEvent<T> | undefined;
  #deleted: WatchEvent<T> | undefined;

  constructor(
    codec: ObjectCodec<T>,
    change: Pick<CacheEvent<T>, "key" | "revision" | "current" | "previous" | "recordedAt" | "receivedAt">,
  ) {
    this.#codec = codec;
    this.key = change.key;
    this.revision = change.revision;
    this.current = change.current;
    this.previous = change.previous;
    this.recordedAt = change.recordedAt;
    this.receivedAt = change.receivedAt;
  }

  /** Bytes of the object. */
  get bytes(): number {
    return (this.current ?? this.previous)?.body.length ?? 0;
  }

  /** What a watcher of `selection`, which covers the key, sees of the change; watchers that see the same share one object. */
  shownTo(selection: Pick<Selection, "matches">): WatchEvent<T> | undefined {
    const { current, previous, revision, receivedAt } = this;
    switch (eventTypeFor(selection, previous, current)) {
      case "ADDED":
        if (current !== undefined) this.#added ??= { type: "ADDED", object: current, revision, receivedAt };
        return this.#added;
      case "MODIFIED":
        if (current !== undefined)
          this.#modified ??= { type: "MODIFIED", object: current, previous, revision, receivedAt };
        return this.#modified;
      case "DELETED":
        if (previous !== undefined) {
          this.#deleted ??= {
            type: "DELETED",
            object: new RestampedObject(this.#codec, previous, revision),
            revision,
            receivedAt,
          };
        }
        return this.#deleted;
      default:
        return undefined;
    }
  }
}
