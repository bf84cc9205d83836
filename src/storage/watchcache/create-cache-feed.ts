import { type Clock, systemClock } from "../../time/clock.js";
import { hasLocalCommits, type KeyValueStore } from "../kv.js";
import type { CacheFeed } from "./cache-feed.js";
import { KvWatchFeed } from "./kv-watch-feed.js";
import { LocalCommitFeed } from "./local-commit-feed.js";

export interface CacheFeedOptions {
  readonly kv: KeyValueStore;
  /** Prefix of the keys of all collections; ends with a slash. */
  readonly root: string;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly interrupted?: ((prefix: string, error: unknown) => void) | undefined;
}

/** The feed that fits a store: its own commits when it is in this process, watches otherwise. */
export function createCacheFeed(options: CacheFeedOptions): CacheFeed {
  const { kv, root, clock = systemClock, random = Math.random, interrupted } = options;
  return hasLocalCommits(kv)
    ? new LocalCommitFeed(kv)
    : new KvWatchFeed({ kv, root, clock, random, interrupted });
}
