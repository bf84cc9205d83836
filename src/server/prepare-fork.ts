import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { badRequest } from "../apimachinery/errors/status.js";
import type { Lab } from "../lab/lab.js";
import type { KeyValueStore } from "../storage/kv.js";
import { InheritedCollections } from "../storage/watchcache/inherited-collections.js";
import type { Inheritance, Inherited } from "./composition/inheritance.js";
import type { OptionName, Options } from "./options/options.js";
import type { ApiServerSettings } from "./settings/api-server-parts.js";

/** What a fork is made from. */
export interface MadeBefore {
  /** Replaces the store that the options name. The server closes it. */
  readonly store: KeyValueStore;
  readonly inherited: Inherited;
  /** The time at which the clock of its lab starts. */
  readonly startMs: number;
  readonly isFrozen: boolean;
  /** Removes its data, after the store was closed. */
  readonly remove: () => Promise<void>;
}

export interface PreparedFork {
  readonly settings: ApiServerSettings;
  readonly made: MadeBefore;
}

/**
 * A copy of the store, with the state of a snapshot or of now, and the settings of a server on it, which uses the authorities of the first
 * server, copied to `certDir`. Rejects with a `StatusError` when there is no such snapshot.
 */
export async function prepareFork(
  settings: ApiServerSettings,
  {
    certDir,
    lab,
    inheritance: { collections, ...shared },
    snapshot,
  }: {
    readonly certDir: string;
    readonly lab: Lab;
    readonly inheritance: Inheritance;
    readonly snapshot?: string | undefined;
  },
): Promise<PreparedFork> {
  if (settings.options.storeServersOverrides.length > 0) {
    throw badRequest("a server with several stores (--store-servers-overrides) has no forks");
  }
  const dataDir = await mkdtemp(join(tmpdir(), "fork-"));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const directory = join(dataDir, "store");
    const before = await collections();
    const { store, changesSince } = await lab.snapshots.copy({ directory, isDurable: false }, snapshot);
    const inheritedCollections =
      changesSince &&
      (await InheritedCollections.of(store, before, (until) => changesSince(before.revision, until)));
    const { clock } = lab;
    return {
      settings: {
        ...settings,
        options: optionsOf(settings.options, { dataDir, certDir }),
        given: new Set<OptionName>([...settings.given, "cert-dir"]),
        port: 0,
      },
      made: {
        store,
        inherited: { ...shared, inheritedCollections },
        startMs: clock.now().getTime(),
        isFrozen: clock.isFrozen,
        remove,
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A fork has its own files, and does not announce itself to others as the first server does. */
function optionsOf(
  options: Options,
  { dataDir, certDir }: { readonly dataDir: string; readonly certDir: string },
): Options {
  return {
    ...options,
    dataDir,
    certDir,
    storeServers: [],
    storeCompactionIntervalMs: 0,
    writeKubeconfig: undefined,
    auditLogPath: undefined,
    auditWebhookConfigFile: undefined,
  };
}
