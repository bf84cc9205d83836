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
  /** While true, the target is told of progress, and the feed makes sure that there is some. */
  setAwaited(awaited: boolean): void;
}

export interface WriteWait {
  /** Resolves when every later write is noticed, or when the first attempt to do so has failed. Does not reject. */
  readonly started: Promise<void>;
  stop(): void;
}

/** The source of changes for the caches of one store. */
export interface CacheFeed {
  /** Keeps changes for the target from now until it starts. */
  subscribe(prefix: string, target: FeedTarget): FeedSubscription;
  /**
   * Calls `listener` at the first write below `prefix`, and keeps and reads nothing meanwhile. The caller checks what the collection holds
   * already, after `started`.
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
