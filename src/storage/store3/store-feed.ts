import type { KvEvent, Revision, WatchRequest } from "../kv.js";
import { toRevision } from "../kv.js";
import { StorageError } from "../storage-error.js";
import type { EtcdWatch, EtcdWatchOptions } from "./etcd-watch.js";
import { Subscription } from "./subscription.js";

/** How many recent events are kept, for watches that start slightly in the past. */
const recentEventsMax = 5000;
const recentBytesMax = 16 * 1024 * 1024;

export type OpenWatch = (options: Omit<EtcdWatchOptions, "pool" | "clock">) => EtcdWatch;

interface Recent {
  readonly events: readonly KvEvent[];
  readonly revision: Revision;
  readonly bytes: number;
}

export interface StoreFeedOptions {
  readonly openWatch: OpenWatch;
  readonly after: Revision;
  /** The store's newest revision, from which to restart if no watch needs the gap. */
  readonly currentRevision: () => Promise<Revision>;
}

/**
 * One watch of everything in the store, shared by all watches of this process. Every revision of etcd belongs to some event, so a watcher
 * of all events always knows its position without requesting progress, which etcd before 3.4.25 and 3.5.8 reports too early, ahead of
 * events (etcd-io/etcd issue 15220).
 */
export class StoreFeed {
  readonly #options: StoreFeedOptions;
  readonly #subscriptions = new Set<Subscription>();
  /** Separate watches for subscriptions that have to catch up. */
  readonly #catchingUp = new Map<Subscription, EtcdWatch>();
  #recent: Recent[] = [];
  #recentEvents = 0;
  #recentBytes = 0;
  /** `#recent` has everything after this revision. */
  #recentAfter: Revision;
  #position: Revision;
  #progressWanted: Revision | undefined;
  #watch: EtcdWatch;
  #closed: StorageError | undefined;

  constructor(options: StoreFeedOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#recentAfter = options.after;
    this.#watch = this.#open(options.after);
  }

  /** Registers at once. */
  subscribe(request: WatchRequest, startRevision: Revision): Subscription {
    const subscription = new Subscription(request, toRevision(startRevision - 1));
    subscription.onClosed = () => this.#forget(subscription);
    if (this.#closed !== undefined) subscription.end(this.#closed);
    else if (subscription.position >= this.#recentAfter) this.#join(subscription);
    else this.#catchUp(subscription);
    return subscription;
  }

  /** Reports to every watch once it has reached `revision`. */
  requestProgress(revision: Revision): void {
    this.#progressWanted = toRevision(Math.max(revision, this.#progressWanted ?? revision));
    this.#tellProgress();
  }

  /** Watches that start below `revision` now fail as compacted. */
  compacted(revision: Revision): void {
    const kept = this.#recent.findIndex((each) => each.revision >= revision);
    this.#dropRecent(kept === -1 ? this.#recent.length : kept);
    this.#recentAfter = toRevision(Math.max(this.#recentAfter, revision - 1));
  }

  close(reason: StorageError): void {
    this.#closed = reason;
    this.#watch.close();
    for (const watch of this.#catchingUp.values()) watch.close();
    for (const subscription of [...this.#subscriptions, ...this.#catchingUp.keys()]) subscription.end(reason);
    this.#subscriptions.clear();
    this.#catchingUp.clear();
  }

  #open(after: Revision): EtcdWatch {
    return this.#options.openWatch({
      after,
      onEvents: (events, revision) => this.#onEvents(events, revision),
      onProgress: (revision) => {
        this.#position = revision;
        this.#tellProgress();
      },
      onEnd: (reason) => this.#beginAgain(reason),
    });
  }

  #onEvents(events: readonly KvEvent[], revision: Revision): void {
    this.#position = revision;
    this.#remember(events, revision);
    for (const subscription of this.#subscriptions) {
      subscription.offer(events, revision);
      if (subscription.isFull) {
        this.#subscriptions.delete(subscription);
        subscription.end(new StorageError("Unavailable", "the watch was not read for too long"));
      }
    }
    this.#tellProgress();
  }

  #tellProgress(): void {
    if (this.#progressWanted === undefined || this.#position < this.#progressWanted) return;
    this.#progressWanted = undefined;
    for (const subscription of this.#subscriptions) subscription.progress(this.#position);
  }

  #remember(events: readonly KvEvent[], revision: Revision): void {
    let bytes = 0;
    for (const { kv, previous } of events) bytes += kv.value.length + (previous?.value.length ?? 0);
    this.#recent.push({ events, revision, bytes });
    this.#recentEvents += events.length;
    this.#recentBytes += bytes;
    if (this.#recentEvents <= recentEventsMax && this.#recentBytes <= recentBytesMax) return;
    // Trim by halves, so that moving the rest costs little per event.
    let count = 0;
    let eventsLeft = this.#recentEvents;
    let bytesLeft = this.#recentBytes;
    for (const oldest of this.#recent) {
      if (eventsLeft <= recentEventsMax / 2 && bytesLeft <= recentBytesMax / 2) break;
      count += 1;
      eventsLeft -= oldest.events.length;
      bytesLeft -= oldest.bytes;
    }
    this.#dropRecent(count);
  }

  #dropRecent(count: number): void {
    for (const { events, revision, bytes } of this.#recent.slice(0, count)) {
      this.#recentEvents -= events.length;
      this.#recentBytes -= bytes;
      // A compaction may have been ahead of the feed.
      if (revision > this.#recentAfter) this.#recentAfter = revision;
    }
    this.#recent = this.#recent.slice(count);
  }

  #join(subscription: Subscription): void {
    for (const { events, revision } of this.#recent) subscription.offer(events, revision);
    this.#subscriptions.add(subscription);
  }

  /** Replays history until it meets the recent events. This watch covers all keys too, because only then does it know its position. */
  #catchUp(subscription: Subscription): void {
    const advance = (): void => {
      if (watch.position >= this.#recentAfter) {
        watch.close();
        this.#catchingUp.delete(subscription);
        subscription.onRoom = () => undefined;
        this.#join(subscription);
        // Callers that requested progress meanwhile requested it of this watch too.
        subscription.progress(this.#position);
      } else if (subscription.isFull) {
        watch.pause();
      }
    };
    const watch = this.#options.openWatch({
      after: subscription.position,
      onEvents: (events, revision) => {
        subscription.offer(events, revision);
        advance();
      },
      onProgress: advance,
      onEnd: (reason) => {
        this.#catchingUp.delete(subscription);
        subscription.end(reason);
      },
    });
    subscription.onRoom = () => watch.resume();
    this.#catchingUp.set(subscription, watch);
  }

  #forget(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    this.#catchingUp.get(subscription)?.close();
    this.#catchingUp.delete(subscription);
  }

  /**
   * After a compaction of events that the feed had not seen, only subscriptions without events in the gap continue; after etcd refused
   * the watch, none.
   */
  #beginAgain(reason: StorageError): void {
    const isCompaction = reason.code === "Compacted" && reason.revision !== undefined;
    const lost = isCompaction ? reason.revision - 1 : Number.POSITIVE_INFINITY;
    for (const subscription of this.#subscriptions) {
      if (subscription.position >= lost) continue;
      this.#subscriptions.delete(subscription);
      subscription.end(reason);
    }
    // With no subscriptions, it is not needed, so it is not read.
    if (this.#subscriptions.size === 0) void this.#goOnWithNewest();
    else this.#openAt(toRevision(lost));
  }

  async #goOnWithNewest(): Promise<void> {
    for (;;) {
      try {
        this.#position = await this.#options.currentRevision();
        break;
      } catch {
        // The feed may have been closed during the attempt. Other calls to the store report that it is unavailable.
        if (this.#closed !== undefined) return;
      }
    }
    if (this.#closed !== undefined) return;
    this.#openAt(this.#position);
    for (const subscription of this.#subscriptions) {
      // Subscribed meanwhile, from a revision that the feed has now skipped.
      if (subscription.position >= this.#position) continue;
      this.#subscriptions.delete(subscription);
      this.#catchUp(subscription);
    }
  }

  #openAt(after: Revision): void {
    this.#dropRecent(this.#recent.length);
    this.#position = after;
    this.#recentAfter = after;
    this.#watch = this.#open(after);
  }
}
