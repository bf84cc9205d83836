import type { KvEvent, Revision } from "../kv.js";

/** Who keeps a copy of the keys under a prefix. */
export interface FeedTarget {
  /** All changes of one or more revisions up to `revision`, in order, without gap or repetition. */
  apply(events: readonly KvEvent[], revision: Revision): void;
  /** Everything up to `FeedSubscription.reached` was applied. Called when `reached` has grown and it is `awaited`. */
  progressed(): void;
  /** History was lost: the copy must be made anew. The last call. */
  lost(error: unknown): void;
}

export interface FeedSubscription {
  /** Begins with the changes after `revision`. Called once. */
  start(revision: Revision): void;
  /** No call reaches the target afterwards. */
  stop(): void;
  /** Every change up to this revision has been handed to `apply`. */
  reached(): Revision;
  /** While true the target is told of progress, and the feed takes care that there is some. */
  setAwaited(awaited: boolean): void;
}

/** Where the caches of one store get its changes from. */
export interface CacheFeed {
  /** From now on changes are kept for the target until it starts. */
  subscribe(prefix: string, target: FeedTarget): FeedSubscription;
  /** The revision that a read must reflect to be the most recent, as of now or later. */
  newestRevision(): Revision | Promise<Revision>;
  /** Asks the store to report progress to the subscriptions soon. */
  requestProgress(): void;
  close(): void;
}
