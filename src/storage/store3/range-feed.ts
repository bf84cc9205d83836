import type { Revision, WatchRequest } from "../kv.js";
import { toRevision } from "../kv.js";
import type { StorageError } from "../storage-error.js";
import type { EtcdWatch } from "./etcd-watch.js";
import type { OpenWatch, WatchFeed } from "./store-feed.js";
import { Subscription } from "./subscription.js";

/**
 * One etcd watch per watch here: for a store of which the user may read only a part, or whose other tenants write far more. Progress must
 * be requested, so etcd must be a version that answers correctly.
 */
export class RangeFeed implements WatchFeed {
  readonly #openWatch: OpenWatch;
  readonly #watches = new Map<Subscription, EtcdWatch>();
  #closed: StorageError | undefined;

  constructor(openWatch: OpenWatch) {
    this.#openWatch = openWatch;
  }

  subscribe(request: WatchRequest, startRevision: Revision): Subscription {
    const subscription = new Subscription(request, toRevision(startRevision - 1));
    if (this.#closed !== undefined) {
      subscription.end(this.#closed);
      return subscription;
    }
    const watch = this.#openWatch({
      range: request,
      after: subscription.position,
      onEvents: (events, revision) => {
        subscription.offer(events, revision);
        if (subscription.isFull) watch.pause();
      },
      onProgress: (revision) => subscription.progress(revision),
      onEnd: (reason) => {
        this.#watches.delete(subscription);
        subscription.end(reason);
      },
    });
    subscription.onRoom = () => watch.resume();
    subscription.onClosed = () => {
      this.#watches.delete(subscription);
      watch.close();
    };
    this.#watches.set(subscription, watch);
    return subscription;
  }

  requestProgress(): void {
    for (const watch of this.#watches.values()) watch.requestProgress();
  }

  /** Every watch asks etcd, which knows. */
  compacted(): void {}

  close(reason: StorageError): void {
    this.#closed = reason;
    for (const [subscription, watch] of this.#watches) {
      watch.close();
      subscription.end(reason);
    }
    this.#watches.clear();
  }
}

/** Whether the answer to a progress request comes after all events up to it: etcd-io/etcd issue 15220. */
export function answersProgressHonestly(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 25;
  if (minor === 5) return patch >= 8;
  return minor > 5;
}
