import { setImmediate } from "node:timers/promises";
import { asError } from "../../apimachinery/errors/as-error.js";
import type { Clock } from "../../time/clock.js";
import {
  type KeyRange,
  type KeyValue,
  type KeyValueStore,
  type KvEvent,
  noRevision,
  prefixEnd,
  type Revision,
  type WatchBatch,
} from "../kv.js";
import type {
  ObjectCodec,
  StoredObject,
  WatchEvent,
  WatchHandle,
  WatchRequest,
  WatchSink,
} from "../object-store.js";
import { isStorageError, StorageError } from "../storage-error.js";
import { UnreadableDeletion, UnreadableObject } from "../unreadable-object.js";
import { nextBookmarkAt } from "./bookmark-timing.js";
import { followRange } from "./follow-range.js";
import type { ObjectReader } from "./object-reader.js";
import { portions } from "./portions.js";
import { RestampedObject } from "./restamped-object.js";
import { eventTypeFor } from "./selection.js";

export interface StoreWatchOptions<T> {
  readonly kv: KeyValueStore;
  readonly clock: Clock;
  readonly random: () => number;
  readonly codec: ObjectCodec<T>;
  readonly reader: ObjectReader<T>;
  /** Absolute prefix of the resource. */
  readonly prefix: string;
  readonly request: WatchRequest;
  readonly sink: WatchSink<T>;
  /** Ends the watch, without an error. */
  readonly stopping?: AbortSignal | undefined;
  /** Whether the watch ends with an `UnreadableDeletion` when an object is deleted that cannot be read. */
  readonly namesUnreadable: boolean;
  /** Called once everything up to `revision` was delivered to the sink. */
  readonly passed?: ((revision: Revision) => void) | undefined;
}

/** One watch served by the store itself, with its own watch of the engine. */
export class StoreWatch<T> implements WatchHandle {
  readonly #options: StoreWatchOptions<T>;
  readonly #controller = new AbortController();
  #lastSent: Revision;
  #bookmarkDue = false;
  #cancelBookmark: () => void = () => undefined;

  /** `state` holds the synthetic events of a watch that starts with the state at revision `after`. */
  constructor(options: StoreWatchOptions<T>, after: Revision, state: readonly StoredObject<T>[] | undefined) {
    this.#options = options;
    // A watch that begins with the state knows its revision only after that.
    this.#lastSent = state === undefined ? after : noRevision;
    options.stopping?.addEventListener("abort", this.#onStopping);
    void this.#run(after, state);
  }

  stop(): void {
    this.#controller.abort();
    this.#cancelBookmark();
    this.#options.stopping?.removeEventListener("abort", this.#onStopping);
  }

  readonly #onStopping = (): void => {
    this.stop();
    this.#options.sink.end(undefined);
  };

  async #run(after: Revision, state: readonly StoredObject<T>[] | undefined): Promise<void> {
    const { kv, clock, random, request, sink } = this.#options;
    const { signal } = this.#controller;
    try {
      // The caller must have its handle before the first event comes.
      await setImmediate();
      if (this.#options.stopping?.aborted === true && !signal.aborted) {
        this.#onStopping();
        return;
      }
      if (state !== undefined) await this.#sendState(state, after);
      if (request.bookmarks) this.#scheduleBookmark();
      await followRange(
        { kv, clock, random, range: this.#range(), after, batch: (batch) => this.#batch(batch) },
        signal,
      );
    } catch (error) {
      if (signal.aborted) return;
      this.stop();
      sink.end(isStorageError(error, "Compacted") ? tooOldForWatch(after, error) : asError(error));
    }
  }

  #range(): KeyRange {
    const { prefix, request } = this.#options;
    if (request.key !== undefined) return { start: prefix + request.key };
    return { start: prefix + request.prefix, end: prefixEnd(prefix + request.prefix) };
  }

  async #sendState(state: readonly StoredObject<T>[], revision: Revision): Promise<void> {
    for (const objects of portions(state, ({ body }) => body.length)) {
      await this.#send(objects.map((object) => ({ type: "ADDED", object, revision: object.revision })));
    }
    if (this.#options.request.bookmarkAfterState === true) {
      await this.#send([{ type: "BOOKMARK", revision, initialEventsEnd: true }]);
      this.#lastSent = revision;
    }
  }

  async #batch(batch: WatchBatch): Promise<void> {
    if (batch.kind === "events") {
      const selected: WatchEvent<T>[] = [];
      for (const event of batch.events) {
        const shown = await this.#show(event);
        if (shown !== undefined) selected.push(shown);
      }
      if (selected.length > 0) {
        await this.#send(selected);
        this.#lastSent = batch.revision;
      }
    } else if (this.#bookmarkDue && batch.revision > this.#lastSent) {
      await this.#send([{ type: "BOOKMARK", revision: batch.revision, initialEventsEnd: false }]);
      this.#lastSent = batch.revision;
      this.#scheduleBookmark();
    }
    if (!this.#controller.signal.aborted) this.#options.passed?.(batch.revision);
  }

  async #show({ type, kv, previous }: KvEvent): Promise<WatchEvent<T> | undefined> {
    const { reader, request, codec } = this.#options;
    if (previous === undefined && (type === "delete" || kv.version > 1)) {
      throw new StorageError("Compacted", "the state before the change has been compacted", {
        key: kv.key,
        revision: kv.modRevision,
      });
    }
    const before = previous === undefined ? undefined : await this.#before(previous, type);
    const after = type === "delete" ? undefined : await reader.read(kv);
    const shown = eventTypeFor(request, before, after);
    if (shown === undefined) return undefined;
    const object =
      shown === "DELETED" && before !== undefined
        ? new RestampedObject(codec, before, kv.modRevision)
        : after;
    if (object === undefined) return undefined;
    return {
      type: shown,
      object,
      ...(shown === "MODIFIED" && { previous: before }),
      revision: kv.modRevision,
    };
  }

  async #before(previous: KeyValue, type: KvEvent["type"]): Promise<StoredObject<T>> {
    const { reader, namesUnreadable } = this.#options;
    try {
      return await reader.read(previous);
    } catch (error) {
      const isNamed = namesUnreadable && type === "delete" && error instanceof UnreadableObject;
      throw isNamed ? new UnreadableDeletion(error) : error;
    }
  }

  async #send(events: readonly WatchEvent<T>[]): Promise<void> {
    const { sink } = this.#options;
    await sink.ready?.();
    if (!this.#controller.signal.aborted) sink.events(events);
  }

  #scheduleBookmark(): void {
    const { clock, random, request, kv } = this.#options;
    this.#bookmarkDue = false;
    this.#cancelBookmark();
    const now = clock.now();
    this.#cancelBookmark = clock.schedule(nextBookmarkAt(now, request.deadline, random) - now, () => {
      this.#bookmarkDue = true;
      kv.requestProgress().catch(() => undefined); // the next progress will do
    });
  }
}

export function tooOldForWatch(after: Revision, cause?: unknown): StorageError {
  const message = "The resourceVersion for the provided watch is too old.";
  return new StorageError("Compacted", message, { revision: after, cause });
}
