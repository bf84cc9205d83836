import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { Clock } from "../../time/clock.js";
import type { Revision } from "../kv.js";
import type { ReadVersion } from "../object-store.js";
import { futureRevision } from "../storage-error.js";
import type { CacheFeed } from "./cache-feed.js";
import type { View } from "./list-view.js";
import type { Reflector } from "./reflector.js";
import { RevisionWaiters } from "./revision-waiters.js";
import type { WatchCache } from "./watch-cache.js";

export interface FreshViewsParts<T> {
  readonly reflector: Pick<Reflector<T>, "state" | "isLive" | "ready" | "progress" | "setAwaited">;
  readonly cache: Pick<WatchCache<T>, "index" | "recent">;
  readonly feed: Pick<CacheFeed, "newestRevision">;
  readonly clock: Clock;
  /** How long a read waits for the revision that it must reflect. */
  readonly waitMs: number;
}

/**
 * Chooses the view of a cache that a read at a version may see. A read waits while the cache is not recent enough; undefined sends it to
 * the store: the cache has not read the collection, lost track, or does not reach back that far. Source: apiserver
 * `waitUntilFreshAndBlock`.
 */
export class FreshViews<T> {
  readonly #parts: FreshViewsParts<T>;
  readonly #waiters: RevisionWaiters;

  constructor(parts: FreshViewsParts<T>) {
    this.#parts = parts;
    this.#waiters = new RevisionWaiters(parts.clock);
  }

  newest(): View<T> {
    return { index: this.#parts.cache.index, revision: this.#parts.reflector.progress() };
  }

  /** Rejects with `FutureRevision` when the cache does not become as recent as `notOlderThan` in time. */
  at(at: Exclude<ReadVersion, { readonly kind: "exact" }>): MaybePromise<View<T> | undefined> {
    const { reflector, feed } = this.#parts;
    if (!reflector.isLive) {
      if (reflector.state === "idle") void reflector.ready();
      return undefined;
    }
    if (at.kind === "any") return this.newest();
    if (at.kind === "notOlderThan") {
      if (at.revision <= reflector.progress()) return this.newest();
      return this.#whenReached(at.revision, "fail");
    }
    const required = feed.newestRevision();
    if (required instanceof Promise) {
      return required.then((revision) => this.#whenReached(revision, "store"));
    }
    if (required <= reflector.progress()) return this.newest();
    return this.#whenReached(required, "store");
  }

  /** The state at exactly `revision`. Rejects with `FutureRevision` when the cache does not reach it in time. */
  exactly(revision: Revision): MaybePromise<View<T> | undefined> {
    const { reflector, cache } = this.#parts;
    if (!reflector.isLive) return this.at({ kind: "any" });
    if (!cache.recent.covers(revision)) return undefined;
    if (revision <= reflector.progress()) return this.#snapshot(revision);
    return this.#reach(revision).then((reached) => {
      if (!this.#parts.reflector.isLive || (reached && !cache.recent.covers(revision))) return undefined;
      if (!reached) throw futureRevision(revision, reflector.progress());
      return this.#snapshot(revision);
    });
  }

  /** The progress of the reflector has grown. */
  progressed(): void {
    if (this.#waiters.size > 0) this.#waiters.advance(this.#parts.reflector.progress());
  }

  /** Sends all waiting reads to the store. */
  giveUp(): void {
    this.#waiters.giveUp();
  }

  #snapshot(revision: Revision): View<T> {
    return { index: this.#parts.cache.recent.snapshotAt(revision), revision };
  }

  async #whenReached(revision: Revision, otherwise: "fail" | "store"): Promise<View<T> | undefined> {
    if (await this.#reach(revision)) return this.newest();
    if (!this.#parts.reflector.isLive || otherwise === "store") return undefined;
    throw futureRevision(revision, this.#parts.reflector.progress());
  }

  /** Returns false when the revision did not come in time or the cache lost track. */
  async #reach(revision: Revision): Promise<boolean> {
    const { reflector, waitMs } = this.#parts;
    if (!this.#parts.reflector.isLive) return false;
    if (revision <= reflector.progress()) return true;
    const reached = this.#waiters.wait(revision, waitMs);
    reflector.setAwaited(true);
    try {
      return (await reached) && this.#parts.reflector.isLive;
    } finally {
      if (this.#waiters.size === 0) reflector.setAwaited(false);
    }
  }
}
