import { qualifiedResource, serviceUnavailable } from "../../apimachinery/status.js";
import type { Filter } from "./filter.js";

export interface StorageVersionWait {
  /** Why writes of the resource have to wait; undefined when they need not. */
  pending(group: string, resource: string): string | undefined;
  /** Of the storage versions themselves. */
  readonly group: string;
  /** Of leases; those of the servers are in the system namespace. */
  readonly leaseGroup: string;
  readonly systemNamespace: string;
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/**
 * Refuses writes with 503 until this server has told which version of the resource it writes: a migration must not believe that all
 * servers agree before. Source: kube-apiserver 1.23, `WithStorageVersionPrecondition`.
 */
export function awaitStorageVersion(wait: StorageVersionWait): Filter {
  return (context, next) => {
    const { info } = context;
    if (!info.isResourceRequest || reads.has(info.verb)) return next();
    const { apiGroup: group, resource, namespace } = info;
    if (group === wait.group && resource === "storageversions") return next();
    if (group === wait.leaseGroup && resource === "leases" && namespace === wait.systemNamespace)
      return next();
    const reason = wait.pending(group, resource);
    if (reason === undefined) return next();
    const what = `wait for storage version registration to complete for resource: ${qualifiedResource({ group, resource })}`;
    return Promise.reject(
      serviceUnavailable(`${what}, last seen error: ${reason === "" ? "<nil>" : reason}`),
    );
  };
}
