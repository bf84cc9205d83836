import { join } from "node:path";
import type { ApiObject } from "../apimachinery/meta.js";
import type { ResourceDefinition } from "../apis/definition/resource-definition.js";
import type { KeyValueStore } from "../storage/kv.js";
import { createObjectStore } from "../storage/store/object-store.js";
import type { Options } from "./options/options.js";
import type { OpenStore } from "./resource-set.js";

/** The store that the options name: etcd with `--store-servers`, otherwise the embedded one in the data directory. */
export async function openKeyValueStore(
  options: Options,
  onFailure: (reason: unknown) => void,
): Promise<KeyValueStore> {
  const { openEmbeddedStore } = await import("../storage/embedded/embedded-store.js");
  return await openEmbeddedStore({
    directory: join(options.dataDir, "store"),
    compactionIntervalMs: options.storeCompactionIntervalMs,
    onBackgroundFailure: onFailure,
  });
}

export function storeOpener(kv: KeyValueStore, options: Options): OpenStore {
  return (definition: ResourceDefinition, codec) => {
    const storage = definition.storage;
    if (storage === undefined) throw new Error(`${definition.resource} is virtual`);
    return createObjectStore<ApiObject>({
      kv,
      prefix: `${options.storePrefix.replace(/\/$/, "")}${storage.prefix}/`,
      codec,
    });
  };
}
