import {
  type KeyValueStore,
  type KvEvent,
  type LocalCommits,
  noRevision,
  type Revision,
  toRevision,
} from "../kv.js";
import type { CacheFeed, FeedSubscription, FeedTarget, WriteWait } from "./cache-feed.js";
import { type FirstWriteListener, FirstWrites, isEmptyBelow } from "./first-writes.js";

const now = Promise.resolve();

/** Feeds caches from the commits of an engine in this process, before writers are told that their writes succeeded. */
export class LocalCommitFeed implements CacheFeed {
  readonly #subscriptions = new Map<string, Set<LocalSubscription>>();
  readonly #awaited = new Set<LocalSubscription>();
  readonly #firstWrites = new FirstWrites();
  readonly #store: Pick<KeyValueStore, "range">;
  readonly #unsubscribe: () => void;
  #revision = noRevision;

  constructor(store: LocalCommits & Pick<KeyValueStore, "range">) {
    this.#store = store;
    this.#unsubscribe = store.onCommit((events, revision) => this.#dispatch(events, revision));
  }

  subscribe(prefix: string, target: FeedTarget): FeedSubscription {
    const siblings = this.#subscriptions.get(prefix) ?? new Set<LocalSubscription>();
    this.#subscriptions.set(prefix, siblings);
    const subscription = new LocalSubscription(target, {
      revision: () => this.#revision,
      remove: () => {
        siblings.delete(subscription);
        this.#awaited.delete(subscription);
        if (siblings.size === 0 && this.#subscriptions.get(prefix) === siblings)
          this.#subscriptions.delete(prefix);
      },
      setAwaited: (awaited) => {
        if (awaited) this.#awaited.add(subscription);
        else this.#awaited.delete(subscription);
      },
    });
    siblings.add(subscription);
    return subscription;
  }

  awaitWrite(prefix: string, listener: FirstWriteListener): WriteWait {
    return { started: now, stop: this.#firstWrites.add(prefix, listener) };
  }

  isEmpty(prefix: string): Promise<boolean> {
    return isEmptyBelow(this.#store, prefix);
  }

  newestRevision(): Revision {
    return this.#revision;
  }

  requestProgress(): void {
    // A local feed is always up to date.
  }

  close(): void {
    this.#unsubscribe();
    this.#subscriptions.clear();
    this.#awaited.clear();
  }

  #dispatch(events: readonly KvEvent[], revision: Revision): void {
    let index = 0;
    while (index < events.length) {
      // Consecutive changes of one collection, nearly always the whole transaction, are delivered together.
      const directory = directoryOf(events[index]);
      let end = index + 1;
      while (end < events.length && directoryOf(events[end]) === directory) end++;
      const run = end - index === events.length ? events : events.slice(index, end);
      this.#deliver(directory, run, revision);
      index = end;
    }
    this.#revision = revision;
    this.#firstWrites.tell(events);
    for (const subscription of this.#awaited) subscription.target.progressed();
  }

  /** A key has only a few prefixes that end with a slash, so looking them up does not depend on the number of caches. */
  #deliver(directory: string, events: readonly KvEvent[], revision: Revision): void {
    for (let slash = directory.indexOf("/"); slash >= 0; slash = directory.indexOf("/", slash + 1)) {
      const subscriptions = this.#subscriptions.get(directory.slice(0, slash + 1));
      if (subscriptions === undefined) continue;
      for (const subscription of subscriptions) subscription.deliver(events, revision);
    }
  }
}

interface LocalSubscriptionHost {
  revision(): Revision;
  remove(): void;
  setAwaited(awaited: boolean): void;
}

class LocalSubscription implements FeedSubscription {
  readonly target: FeedTarget;
  readonly #host: LocalSubscriptionHost;
  #startRevision = noRevision;
  #held: { readonly events: readonly KvEvent[]; readonly revision: Revision }[] | undefined = [];

  constructor(target: FeedTarget, host: LocalSubscriptionHost) {
    this.target = target;
    this.#host = host;
  }

  start(revision: Revision): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#startRevision = revision;
    for (const batch of held) {
      if (batch.revision > revision) this.target.apply(batch.events, batch.revision);
    }
  }

  stop(): void {
    this.#host.remove();
  }

  reached(): Revision {
    return toRevision(Math.max(this.#host.revision(), this.#startRevision));
  }

  setAwaited(awaited: boolean): void {
    this.#host.setAwaited(awaited);
  }

  deliver(events: readonly KvEvent[], revision: Revision): void {
    if (this.#held !== undefined) this.#held.push({ events, revision });
    else if (revision > this.#startRevision) this.target.apply(events, revision);
  }
}

function directoryOf(event: KvEvent | undefined): string {
  const key = event?.kv.key ?? "";
  return key.slice(0, key.lastIndexOf("/") + 1);
}
