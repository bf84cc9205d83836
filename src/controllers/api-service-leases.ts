import type { Endpoints } from "../apis/gen/core-v1.js";
import type { ObjectStore } from "../storage/object-store.js";
import { isStorageError } from "../storage/storage-error.js";
import { changeObject, removeObject } from "../storage/store/change-object.js";
import type { ServerAddresses } from "./api-service-reconcilers.js";

/** An entry that is not renewed expires after this time. It is renewed every ten seconds. */
const ttlSeconds = 15;

/**
 * Keeps an Endpoints object with a single address under each server's address, on a lease of the backing store. Source: `storageLeases` of
 * `pkg/controlplane/reconcilers/lease.go`.
 */
export function createServerAddresses(store: ObjectStore<Endpoints>): ServerAddresses {
  return {
    async renew(address) {
      await changeObject(
        store,
        address,
        (current) => {
          const { metadata = {} } = current?.decode() ?? {};
          // Writing an unchanged object is skipped, which would not renew its lease.
          const generation = Number(metadata.generation ?? 0) + 1;
          const object = {
            metadata: { ...metadata, generation },
            subsets: [{ addresses: [{ ip: address }] }],
          };
          return { object, ttlSeconds };
        },
        { createIfMissing: true },
      );
    },
    async list() {
      const { items } = await store.list({ prefix: "", at: { kind: "mostRecent" }, limit: 0 });
      return items.flatMap((stored) => stored.decode().subsets?.[0]?.addresses?.[0]?.ip ?? []);
    },
    async remove(address) {
      try {
        await removeObject(store, address);
      } catch (error) {
        if (!isStorageError(error, "KeyNotFound")) throw error;
      }
    },
  };
}
