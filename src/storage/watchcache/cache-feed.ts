import type { KvEvent, Revision } from "../kv.js";
import type { FirstWriteListener } from "./first-writes.js";

/** Keeps a copy of the keys under a prefix. */
export interface FeedTarget {
  /** All changes of one or more revisions up to `revision`, in order, without gap or repetition. */
  apply(events: readonly KvEvent[], revision: Revision): void;
  /** Everything up to `FeedSubscription.reached` was applied. Called when `reached` has grown and it is `awaited`. */
  progressed(): void;
  /** History was lost: the copy must be rebuilt. The last call. */
  lost(error: unknown): void;
}

export interface FeedSubscription {
  /** Delivers the changes after `revision`. Called once. */
  start(revision: Revision): void;
  /** No call reaches the target afterwards. */
  stop(): void;
  /** Every change up to this revision has been handed to `apply`. */
  reached(): Revision;
  /** While true, `progressed` is called, and the feed makes sure that there is progress. */
  setAwaited(awaited: boolean): void;
}

export interface WriteWait {
  /** Resolves when every later write will be noticed, or when the first attempt to get there has failed. Does not reject. */
  readonly started: Promise<void>;
  stop(): void;
}

/** The source of changes for the caches of one store. */
export interface CacheFeed {
  /** Buffers changes for the target until `start`. */
  subscribe(prefix: string, target: FeedTarget): FeedSubscription;
  /**
   * Calls `listener` at the first write below `prefix`, without buffering or reading anything. After `started`, the caller checks what
   * the collection already contains.
   */
  awaitWrite(prefix: string, listener: FirstWriteListener): WriteWait;
  /** Whether no key in the store begins with `prefix` now. */
  isEmpty(prefix: string): Promise<boolean>;
  /** The revision that a read must reflect to count as the most recent. */
  newestRevision(): Revision | Promise<Revision>;
  /** Asks the store to report progress to the subscriptions soon. */
  requestProgress(): void;
  close(): void;
}
