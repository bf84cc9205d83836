import { join } from "node:path";
import type { Naming } from "../../naming/naming.js";
import type { Dial } from "../../remote/remote-client.js";
import type { GrpcObserver } from "../../storage/grpc/grpc-metrics.js";
import type { HeldRevisions } from "../../storage/held-revisions.js";
import type { KeyValueStore } from "../../storage/kv.js";
import { LeaseReuse } from "../../storage/store/lease-reuse.js";
import type { Store3Tls } from "../../storage/store3/connection.js";
import type { Store3Options } from "../../storage/store3/store3.js";
import type { TransformationObserver } from "../../storage/transform/transformation-observer.js";
import type { CacheFeed } from "../../storage/watchcache/cache-feed.js";
import { createCacheFeed } from "../../storage/watchcache/create-cache-feed.js";
import type { Logger } from "../../telemetry/logger.js";
import { type Clock, systemClock } from "../../time/clock.js";
import { forOption, readFileOfOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import type { EncryptionReloads } from "./encryption-reloads.js";
import { type EncryptionInUse, StoreEncryption } from "./open-encryption.js";
import { storeRoot } from "./store-root.js";

/** Reports errors that belong to no request. */
export type BackgroundFailure = (reason: unknown) => void;

/** The backing stores of a server. */
export interface Backends {
  readonly main: Backend;
  /** By the servers that `--store-servers-overrides` names. */
  readonly overrides: ReadonlyMap<string, Backend>;
  readonly encryption: StoreEncryption | undefined;
}

/** Opens the engines behind the backends. */
export interface Engines {
  /** The embedded one, or that of `--store-servers`. */
  openMain(): Promise<KeyValueStore>;
  /** The backend of one set of servers in `--store-servers-overrides`. */
  openOverride(servers: readonly string[]): Promise<KeyValueStore>;
  /** Replaces the file of `--encryption-provider-config`. */
  readonly encryption?: EncryptionInUse | undefined;
}

/** Receive what the backends do. */
export interface BackendObservers {
  /** Clock of leases in the embedded store; other stores have their own. */
  readonly clock: Clock;
  /** Revisions that compaction spares. */
  readonly held?: HeldRevisions | undefined;
  /** Receives calls to etcd; undefined: they are not counted. */
  readonly calls?: GrpcObserver | undefined;
  readonly onFailure: BackgroundFailure;
  readonly transformations: TransformationObserver;
  readonly log: Pick<Logger, "info" | "error">;
  /** Receives what happens to the file of the encryption; undefined when it is not followed. */
  readonly reloads?: EncryptionReloads | undefined;
  /** Receives the number of objects of each lease that another one replaces. */
  readonly leaseReplaced: (objects: number) => void;
}

/** Rejects with an `Error` that says which store, or which file, could not be opened, and why. */
export async function openBackends(
  options: Options,
  naming: Naming,
  { transformations, log, reloads, onFailure, leaseReplaced, clock }: BackendObservers,
  engines: Engines,
): Promise<Backends> {
  const encryption = await forOption("encryption-provider-config", naming, () =>
    StoreEncryption.open({
      options,
      naming,
      observer: transformations,
      log,
      reloads,
      inUse: engines.encryption,
    }),
  );
  const backends: Backend[] = [];
  const opened = (kv: KeyValueStore, isShared: boolean): Backend => {
    const made = backendOn(options, kv, isShared, { onFailure, leaseReplaced, clock });
    backends.push(made);
    return made;
  };
  try {
    const main = opened(await engines.openMain(), options.storeServers.length > 0);
    const overrides = new Map<string, Backend>();
    for (const { servers } of options.storeServersOverrides) {
      const key = servers.join(";");
      if (!overrides.has(key)) overrides.set(key, opened(await engines.openOverride(servers), true));
    }
    return { main, overrides, encryption };
  } catch (error) {
    await closeAll(backends);
    await encryption?.close();
    throw error;
  }
}

/** The engines that the options name. */
export function configuredEngines(
  options: Options,
  naming: Naming,
  { calls: observer, onFailure, clock, held }: BackendObservers,
  dial: Dial | undefined,
): Engines {
  const etcd = async (option: "store-servers" | "store-servers-overrides", servers: readonly string[]) => {
    const tls = await readStoreTls(options, naming);
    return await forOption(option, naming, () =>
      openEtcd(options, servers, { tls, dial, observer, held }, onFailure),
    );
  };
  const { storeServers } = options;
  return {
    openMain: () =>
      storeServers.length === 0
        ? forOption("data-dir", naming, () => openEmbedded(options, { clock, held, onFailure }))
        : etcd("store-servers", storeServers),
    openOverride: (servers) => etcd("store-servers-overrides", servers),
  };
}

export async function closeAll(backends: readonly Backend[]): Promise<void> {
  for (const { feed, kv } of backends) {
    feed.close();
    await kv.close();
  }
}

/** An open backing store, and what all resources in it share. */
export interface Backend {
  readonly kv: KeyValueStore;
  /** Whether other servers may write to it. */
  readonly isShared: boolean;
  readonly leases: LeaseReuse;
  readonly feed: CacheFeed;
}

export function backendOn(
  options: Options,
  kv: KeyValueStore,
  isShared: boolean,
  { onFailure, leaseReplaced, clock }: Pick<BackendObservers, "onFailure" | "leaseReplaced" | "clock">,
): Backend {
  return {
    kv,
    isShared,
    leases: new LeaseReuse({
      kv,
      clock: isShared ? systemClock : clock,
      reuseDurationSeconds: options.leaseReuseDurationSeconds,
      replaced: leaseReplaced,
    }),
    feed: createCacheFeed({
      kv,
      root: `${storeRoot(options)}/`,
      interrupted: (_prefix, error) => onFailure(error),
    }),
  };
}

async function openEmbedded(
  options: Options,
  { clock, held, onFailure }: Pick<BackendObservers, "clock" | "held" | "onFailure">,
): Promise<KeyValueStore> {
  const { openEmbeddedStore } = await import("../../storage/embedded/embedded-store.js");
  return await openEmbeddedStore({
    directory: join(options.dataDir, "store"),
    leaseClock: clock,
    held,
    compactionIntervalMs: options.storeCompactionIntervalMs,
    onBackgroundFailure: onFailure,
  });
}

async function readStoreTls(options: Options, naming: Naming): Promise<Store3Tls> {
  return {
    ca: await readFileOfOption("store-cafile", options.storeCafile, naming),
    cert: await readFileOfOption("store-certfile", options.storeCertfile, naming),
    key: await readFileOfOption("store-keyfile", options.storeKeyfile, naming),
  };
}

async function openEtcd(
  options: Options,
  endpoints: readonly string[],
  connecting: Pick<Store3Options, "tls" | "dial" | "observer" | "held">,
  onFailure: BackgroundFailure,
): Promise<KeyValueStore> {
  const { openStore3 } = await import("../../storage/store3/store3.js");
  return await openStore3({
    endpoints,
    ...connecting,
    compactionIntervalMs: options.storeCompactionIntervalMs,
    onBackgroundFailure: onFailure,
  });
}
