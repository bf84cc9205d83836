import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { qualifiedResource } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { OpenedStore } from "../../endpoints/catalog/resource-handle.js";
import type { Naming } from "../../naming/naming.js";
import type { Dial } from "../../remote/remote-client.js";
import { type AnnouncedWrite, type KeyValueStore, prefixEnd } from "../../storage/kv.js";
import type { ObjectCodec, ObjectStore } from "../../storage/object-store.js";
import { createObjectStore, type ObjectStoreOptions } from "../../storage/store/object-store.js";
import { observeStore } from "../../storage/store/observed-store.js";
import type { KmsHealthCheck } from "../../storage/transform/encryption.js";
import { FanOut } from "../../storage/watchcache/fan-out.js";
import type {
  Collection,
  Collections,
  InheritedCollections,
} from "../../storage/watchcache/inherited-collections.js";
import { inTime } from "../../time/in-time.js";
import type { StorageMetrics } from "../metrics/storage-metrics.js";
import { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";
import type { EncryptionInUse, StoreEncryption } from "./open-encryption.js";
import { cachedStore, type ResourceStore, uncachedStore } from "./resource-store.js";
import {
  type Backend,
  type BackendObservers,
  type Backends,
  type BackgroundFailure,
  backendOn,
  closeAll,
  configuredEngines,
  type Engines,
  openBackends,
} from "./store-backends.js";
import { storeRoot } from "./store-root.js";
import { watchCacheEvents } from "./watch-cache-sizes.js";

const cachesAtOnce = 4;

export interface StoreObservers extends BackendObservers {
  readonly metrics: StorageMetrics;
  /** Objects of the main store that another server in this process has cached. */
  readonly inheritedCollections?: InheritedCollections<ApiObject> | undefined;
}

/** The backing stores of a server, and the object stores on them. */
export class Stores {
  readonly #options: Options;
  readonly #gates: FeatureGates;
  readonly #metrics: StorageMetrics;
  readonly #onFailure: BackgroundFailure;
  readonly #inheritedCollections: StoreObservers["inheritedCollections"];
  readonly #encryption: StoreEncryption | undefined;
  readonly #main: Backend;
  /** By the servers that `--store-servers-overrides` names. */
  readonly #overrides: ReadonlyMap<string, Backend>;
  readonly #fanOut = new FanOut();
  readonly #stopping = new AbortController();
  readonly #open = new Set<OpenResource>();

  private constructor(
    options: Options,
    { metrics, onFailure, inheritedCollections }: StoreObservers,
    { main, overrides, encryption }: Backends,
  ) {
    this.#options = options;
    this.#gates = new FeatureGates(options.featureGates, options.apiLevel);
    this.#metrics = metrics;
    this.#onFailure = onFailure;
    this.#inheritedCollections = inheritedCollections;
    this.#encryption = encryption;
    this.#main = main;
    this.#overrides = overrides;
    setMaxListeners(0, this.#stopping.signal); // every watch without a cache is one
  }

  /** Rejects with an `Error` that says which store, or which file, could not be opened, and why. */
  static async open(
    options: Options,
    naming: Naming,
    observers: StoreObservers,
    dial?: Dial | undefined,
  ): Promise<Stores> {
    return await Stores.openWith(
      options,
      naming,
      observers,
      configuredEngines(options, naming, observers, dial),
    );
  }

  /** Like `open`, with other engines than the options name. */
  static async openWith(
    options: Options,
    naming: Naming,
    observers: StoreObservers,
    engines: Engines,
  ): Promise<Stores> {
    return new Stores(options, observers, await openBackends(options, naming, observers, engines));
  }

  /** Uses a store that is already open; `close` closes it. Ignores the encryption and store options. */
  static on(kv: KeyValueStore, options: Options, observers: StoreObservers): Stores {
    const main = backendOn(options, kv, true, observers);
    return new Stores(options, observers, { main, overrides: new Map(), encryption: undefined });
  }

  /** The engines of `--store-servers-overrides`, by their servers joined by semicolons. */
  get overrides(): ReadonlyMap<string, KeyValueStore> {
    return new Map([...this.#overrides].map(([servers, { kv }]) => [servers, kv]));
  }

  /** How the events of watches are sent: see `FanOut.sendBy`. */
  sendEventsBy(flush: () => boolean): void {
    this.#fanOut.sendBy(flush);
  }

  get kv(): KeyValueStore {
    return this.#main.kv;
  }

  /** Whether other servers may write to the main store. The embedded engine locks its directory. */
  get isShared(): boolean {
    return this.#main.isShared;
  }

  /** Absolute key of a path below `--store-prefix`: `/registry/pods`. */
  path(suffix: string): string {
    return `${storeRoot(this.#options)}${suffix}`;
  }

  /** The store of a resource. It reads nothing and has no timer before its first use. */
  openObjects(definition: ResourceDefinition, codec: ObjectCodec<ApiObject>): OpenedStore {
    if (definition.storage === undefined) throw new Error(`${definition.resource} is virtual`);
    const { kv, leases, feed } = this.#backendOf(definition);
    const { group, resource } = definition;
    const metrics = this.#metrics.of(definition);
    const parts: ObjectStoreOptions<ApiObject> = {
      kv: observeStore(kv, metrics.operations()),
      prefix: `${this.path(definition.storage.prefix)}/`,
      codec,
      leases,
      transformer: this.#encryption?.transformerFor(group, resource),
      listObserver: metrics.storeLists(),
      namesUnreadable: this.#gates.isEnabled("AllowUnsafeMalformedObjectDeletion"),
    };
    const windowEvents = watchCacheEvents(this.#options, definition);
    const { store, ...rest } =
      windowEvents === 0
        ? uncachedStore(parts, kv)
        : cachedStore(parts, definition, {
            feed,
            windowEvents,
            fanOut: this.#fanOut,
            inheritedCollections: this.#inheritedCollections,
            observer: metrics.cache(),
            onFailure: this.#onFailure,
            gates: this.#gates,
          });
    const { prefix } = parts;
    const opened = {
      name: qualifiedResource(definition),
      prefix,
      count: () => store.count(),
      get bytes() {
        return store.knownBytes;
      },
      ...rest,
    };
    this.#open.add(opened);
    return {
      store,
      close: () => {
        this.#open.delete(opened);
        rest.stop();
        metrics.drop();
      },
    };
  }

  /** Objects below a path of the main store that is not an API resource: neither cached nor encrypted. */
  openPlain<T>(path: string, codec: ObjectCodec<T>): ObjectStore<T> {
    const { kv, leases } = this.#main;
    return createObjectStore({
      kv,
      leases,
      codec,
      prefix: `${this.path(path)}/`,
      stopping: this.#stopping.signal,
    });
  }

  /**
   * Another thread is about to store `value`: the resource's cache will use the object as encoded here. Call the returned function if it
   * was not stored.
   */
  expect(write: AnnouncedWrite, value: Uint8Array): () => void {
    let nearest: OpenResource | undefined;
    for (const opened of this.#open) {
      if (!write.key.startsWith(opened.prefix)) continue;
      if (nearest === undefined || opened.prefix.length > nearest.prefix.length) nearest = opened;
    }
    return nearest?.expect?.(write, value) ?? (() => undefined);
  }

  /** For other threads. */
  get encryption(): EncryptionInUse | undefined {
    return this.#encryption?.inUse;
  }

  /** Returns a function that returns the contents of the caches of all resources that are open now. */
  collections(): () => Promise<Collections<ApiObject>> {
    const opened = [...this.#open];
    return async () => {
      const revision = await this.kv.currentRevision();
      const indexes = new Map<string, Collection<ApiObject>["index"]>();
      for (const { prefix, collection } of opened) {
        const held = collection?.();
        if (held !== undefined && held.revision >= revision) indexes.set(prefix, held.index);
      }
      return { indexes, revision };
    };
  }

  /** Fills all caches, a few at a time. Resolves when they are full, or after the time limit. */
  async fillCaches(timeoutMs: number): Promise<"filled" | "late"> {
    const queue = [...this.#open].values();
    const fill = async (): Promise<void> => {
      for (const { ready } of queue) await ready();
    };
    const filled = Promise.all(Array.from({ length: cachesAtOnce }, fill));
    return (await inTime(filled, timeoutMs).catch(() => false)) ? "filled" : "late";
  }

  /** One for each key service, named `kms-provider-0` and so on, or one for all of them. */
  get keyServiceChecks(): readonly KmsHealthCheck[] {
    return this.#encryption?.healthChecks ?? [];
  }

  /** How many objects of a resource are stored, whether it is served or not. */
  async countOf(definition: ResourceDefinition): Promise<number> {
    if (definition.storage === undefined) return 0;
    const { kv } = this.#backendOf(definition);
    const start = `${this.path(definition.storage.prefix)}/`;
    return (await kv.range({ start, end: prefixEnd(start), countOnly: true })).count;
  }

  /** Every open resource with objects of its own. */
  get stored(): Iterable<StoredResource> {
    return this.#open;
  }

  /** Bytes that each backing store occupies, by its servers; rejects when one does not answer. */
  async sizes(): Promise<readonly StoreSize[]> {
    const { storeServers, dataDir } = this.#options;
    const main = storeServers.length > 0 ? storeServers.join(",") : join(dataDir, "store");
    const all: [string, Backend][] = [[main, this.#main], ...this.#overrides];
    return await Promise.all(
      all.map(async ([endpoint, { kv }]) => ({ endpoint, bytes: (await kv.status()).dbBytes })),
    );
  }

  /** Rejects when a store does not answer in time. */
  checkHealth(): Promise<void> {
    return this.#answersWithin(this.#options.storeHealthcheckTimeoutMs);
  }

  /** As `checkHealth`, with its own time limit. */
  checkReadiness(): Promise<void> {
    return this.#answersWithin(this.#options.storeReadycheckTimeoutMs);
  }

  async #answersWithin(timeoutMs: number): Promise<void> {
    const backends = [this.#main, ...this.#overrides.values()];
    const answers = Promise.all(backends.map(({ kv }) => kv.currentRevision()));
    if (!(await inTime(answers, timeoutMs))) throw new Error(`no answer within ${timeoutMs} ms`);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    for (const { stop } of this.#open) stop();
    await closeAll([this.#main, ...this.#overrides.values()]);
    await this.#encryption?.close();
  }

  #backendOf({ group, resource }: ResourceDefinition): Backend {
    const override = this.#options.storeServersOverrides.find(
      (o) => o.group === group && o.resource === resource,
    );
    return (override && this.#overrides.get(override.servers.join(";"))) ?? this.#main;
  }
}

/** A resource in a backing store. */
export interface StoredResource {
  /** `deployments.apps` */
  readonly name: string;
  count(): Promise<number>;
  /** Bytes of all its objects, if they are in memory. */
  readonly bytes: number | undefined;
}

export interface StoreSize {
  /** The servers, or the directory, of the store. */
  readonly endpoint: string;
  readonly bytes: number;
}

/** A resource that is open. */
interface OpenResource extends StoredResource, Omit<ResourceStore, "store"> {
  /** Prefix of the keys of its objects; ends with a slash. */
  readonly prefix: string;
}
