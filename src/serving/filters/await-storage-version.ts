import { qualifiedResource, serviceUnavailable } from "../../apimachinery/errors/status.js";
import type { Filter } from "./filter.js";

export interface StorageVersionWait {
  /** Why writes of the resource must wait; undefined if they need not. */
  pending(group: string, resource: string): string | undefined;
  /** API group of storage versions. */
  readonly group: string;
  /** API group of leases. */
  readonly leaseGroup: string;
  readonly systemNamespace: string;
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/**
 * Refuses writes with 503 until this server has registered the version in which it stores the resource: before that, a migration must not
 * assume that all servers agree. Source: kube-apiserver 1.23, `WithStorageVersionPrecondition`.
 */
export function awaitStorageVersion(wait: StorageVersionWait): Filter {
  return (context, next) => {
    const { info } = context;
    if (!info.isResourceRequest || reads.has(info.verb)) return next(context);
    const { apiGroup: group, resource, namespace } = info;
    if (group === wait.group && resource === "storageversions") return next(context);
    if (group === wait.leaseGroup && resource === "leases" && namespace === wait.systemNamespace)
      return next(context);
    const reason = wait.pending(group, resource);
    if (reason === undefined) return next(context);
    const what = `wait for storage version registration to complete for resource: ${qualifiedResource({ group, resource })}`;
    return Promise.reject(
      serviceUnavailable(`${what}, last seen error: ${reason === "" ? "<nil>" : reason}`),
    );
  };
}
