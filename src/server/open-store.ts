import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiObject } from "../apimachinery/meta.js";
import type { ResourceDefinition } from "../apis/definition/resource-definition.js";
import { systemClock } from "../storage/clock.js";
import type { KeyValueStore } from "../storage/kv.js";
import type { ObjectCodec, ObjectStore } from "../storage/object-store.js";
import { LeaseReuse } from "../storage/store/lease-reuse.js";
import { createObjectStore } from "../storage/store/object-store.js";
import type { CacheFeed } from "../storage/watchcache/cache-feed.js";
import { type Cacher, createCacheFeed, createCacher } from "../storage/watchcache/cacher.js";
import { FanOut } from "../storage/watchcache/fan-out.js";
import type { Options } from "./options/options.js";

/** Errors that no request can be told of. */
export type BackgroundFailure = (reason: unknown) => void;

/** The backing stores of a server, and the object stores on them. */
export class Stores {
  readonly #options: Options;
  readonly #main: Backend;
  /** By the servers that `--store-servers-overrides` names. */
  readonly #overrides: ReadonlyMap<string, Backend>;
  readonly #cachers: Cacher<ApiObject>[] = [];
  readonly #fanOut = new FanOut();

  private constructor(options: Options, main: Backend, overrides: ReadonlyMap<string, Backend>) {
    this.#options = options;
    this.#main = main;
    this.#overrides = overrides;
  }

  /** Rejects with an `Error` that says which store could not be opened, and why. */
  static async open(options: Options, onFailure: BackgroundFailure): Promise<Stores> {
    const main = backend(options, await openMain(options, onFailure), onFailure);
    const overrides = new Map<string, Backend>();
    for (const { servers } of options.storeServersOverrides) {
      const key = servers.join(";");
      if (overrides.has(key)) continue;
      overrides.set(key, backend(options, await openEtcd(options, servers, onFailure), onFailure));
    }
    return new Stores(options, main, overrides);
  }

  get kv(): KeyValueStore {
    return this.#main.kv;
  }

  /** Absolute key of a path below `--store-prefix`: `/registry/pods`. */
  path(suffix: string): string {
    return `/${this.#options.storePrefix.replace(/^\/|\/$/g, "")}${suffix}`;
  }

  openObjects(definition: ResourceDefinition, codec: ObjectCodec<ApiObject>): ObjectStore<ApiObject> {
    if (definition.storage === undefined) throw new Error(`${definition.resource} is virtual`);
    const { kv, leases, feed } = this.#backendOf(definition);
    const parts = { kv, prefix: `${this.path(definition.storage.prefix)}/`, codec, leases };
    const windowEvents = this.#windowEvents(definition);
    if (windowEvents === 0) return createObjectStore(parts);
    const cacher = createCacher({ ...parts, feed, windowEvents, fanOut: this.#fanOut });
    this.#cachers.push(cacher);
    return cacher;
  }

  /** Resolves when every cache answers. */
  async ready(): Promise<void> {
    await Promise.all(this.#cachers.map((cacher) => cacher.ready()));
  }

  /** Rejects when a store does not answer in time. */
  async checkHealth(): Promise<void> {
    const timeoutMs = this.#options.storeHealthcheckTimeoutMs;
    await Promise.all(
      [this.#main, ...this.#overrides.values()].map(({ kv }) => withinTime(kv.currentRevision(), timeoutMs)),
    );
  }

  async close(): Promise<void> {
    for (const cacher of this.#cachers) cacher.stop();
    for (const { feed, kv } of [this.#main, ...this.#overrides.values()]) {
      feed.close();
      await kv.close();
    }
  }

  #backendOf({ group, resource }: ResourceDefinition): Backend {
    const override = this.#options.storeServersOverrides.find(
      (o) => o.group === group && o.resource === resource,
    );
    return (override && this.#overrides.get(override.servers.join(";"))) ?? this.#main;
  }

  /** 0 is no cache. */
  #windowEvents({ group, resource }: ResourceDefinition): number {
    const { watchCache, watchCacheSizes, defaultWatchCacheSize } = this.#options;
    if (!watchCache) return 0;
    const own = watchCacheSizes.find((size) => size.group === group && size.resource === resource);
    return own?.size ?? defaultWatchCacheSize;
  }
}

interface Backend {
  readonly kv: KeyValueStore;
  readonly leases: LeaseReuse;
  readonly feed: CacheFeed;
}

function backend(options: Options, kv: KeyValueStore, onFailure: BackgroundFailure): Backend {
  return {
    kv,
    leases: new LeaseReuse({
      kv,
      clock: systemClock,
      reuseDurationSeconds: options.leaseReuseDurationSeconds,
    }),
    feed: createCacheFeed({ kv, interrupted: (_prefix, error) => onFailure(error) }),
  };
}

async function openMain(options: Options, onFailure: BackgroundFailure): Promise<KeyValueStore> {
  if (options.storeServers.length > 0) return await openEtcd(options, options.storeServers, onFailure);
  const { openEmbeddedStore } = await import("../storage/embedded/embedded-store.js");
  return await openEmbeddedStore({
    directory: join(options.dataDir, "store"),
    compactionIntervalMs: options.storeCompactionIntervalMs,
    onBackgroundFailure: onFailure,
  });
}

async function openEtcd(
  options: Options,
  endpoints: readonly string[],
  onFailure: BackgroundFailure,
): Promise<KeyValueStore> {
  const { openStore3 } = await import("../storage/store3/store3.js");
  const { storeCafile, storeCertfile, storeKeyfile } = options;
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file, "utf8"));
  return await openStore3({
    endpoints,
    tls: { ca: read(storeCafile), cert: read(storeCertfile), key: read(storeKeyfile) },
    compactionIntervalMs: options.storeCompactionIntervalMs,
    onBackgroundFailure: onFailure,
  });
}

async function withinTime(answer: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
