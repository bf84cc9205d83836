import { setMaxListeners } from "node:events";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import { hasRemoteCaches, type KeyValueStore } from "../../storage/kv.js";
import type { ObjectStore } from "../../storage/object-store.js";
import { AnnouncedWrites } from "../../storage/store/announced-writes.js";
import { createObjectStore, type ObjectStoreOptions } from "../../storage/store/object-store.js";
import type { CacheFeed } from "../../storage/watchcache/cache-feed.js";
import type { CacheObserver } from "../../storage/watchcache/cache-observer.js";
import { type Cacher, createCacher } from "../../storage/watchcache/cacher.js";
import type { FanOut } from "../../storage/watchcache/fan-out.js";
import type { InheritedCollections } from "../../storage/watchcache/inherited-collections.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { cacheFailures } from "./cache-failures.js";
import type { BackgroundFailure } from "./store-backends.js";

/** The objects of one resource, in the store or in a watch cache on it. */
export interface ResourceStore {
  readonly store: ObjectStore<ApiObject>;
  /** Undefined without a cache. */
  readonly expect: Cacher<ApiObject>["expect"] | undefined;
  readonly collection: Cacher<ApiObject>["collection"] | undefined;
  /** Ends all watches, also later ones. */
  stop(): void;
  /** Fills the cache, if there is one; resolves when it is full. */
  ready(): Promise<void>;
}

export interface CacheParts {
  readonly feed: CacheFeed;
  /** Events that the cache keeps for watches. */
  readonly windowEvents: number;
  readonly fanOut: FanOut;
  readonly inheritedCollections: InheritedCollections<ApiObject> | undefined;
  readonly observer: Omit<CacheObserver, "failed">;
  readonly onFailure: BackgroundFailure;
  readonly gates: FeatureGates;
}

/** `backing`: the store that `options.kv` observes. */
export function uncachedStore(options: ObjectStoreOptions<ApiObject>, backing: KeyValueStore): ResourceStore {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // every watch is one
  const ownWrites = hasRemoteCaches(backing) ? new AnnouncedWrites<ApiObject>(backing) : undefined;
  return {
    store: createObjectStore({ ...options, ownWrites, stopping: stopping.signal }),
    stop: () => stopping.abort(),
    expect: undefined,
    collection: undefined,
    ready: () => Promise.resolve(),
  };
}

export function cachedStore(
  options: ObjectStoreOptions<ApiObject>,
  { storage, resource }: ResourceDefinition,
  { feed, windowEvents, fanOut, inheritedCollections, observer, onFailure, gates }: CacheParts,
): ResourceStore {
  const failures = cacheFailures(resource, onFailure, () => performance.now());
  const cacher = createCacher({
    ...options,
    feed,
    windowEvents,
    fanOut,
    observer: {
      ...observer,
      initialized(objects, durationMs) {
        observer.initialized?.(objects, durationMs);
        failures.initialized(objects, durationMs);
      },
      failed: failures.failed,
    },
    inheritedCollections,
    awaitOwnWrites: storage?.decidesAccess,
    bookmarkProgress: gates.isEnabled("EfficientWatchResumption"),
    // Since 1.31, a server with this gate off answers lists of the newest state from the store. Before, that makes no visible difference.
    listsFromStore: isAtLeast(gates.level, "1.31") && !gates.isEnabled("ConsistentListFromCache"),
    watchesFromStore: gates.isEnabled("WatchFromStorageWithoutResourceVersion"),
    isCompared: gates.isEnabled("DetectCacheInconsistency"),
  });
  return {
    store: cacher,
    stop: () => cacher.stop(),
    expect: cacher.expect.bind(cacher),
    collection: cacher.collection.bind(cacher),
    ready: () => cacher.ready(),
  };
}
