import type { GroupResource } from "../../apis/builtin-objects.js";
import type { Options } from "../options/options.js";

/** How many events the watch cache of a resource keeps; 0 for none, and no cache. */
export function watchCacheEvents(
  { watchCache, watchCacheSizes, defaultWatchCacheSize }: Options,
  { group, resource }: GroupResource,
): number {
  if (!watchCache) return 0;
  const own = watchCacheSizes.findLast((size) => size.group === group && size.resource === resource);
  if (own !== undefined) return own.size;
  return isBusy(group, resource)
    ? Math.max(busyWatchCacheSize, defaultWatchCacheSize)
    : defaultWatchCacheSize;
}

/** Resources with fixed cache sizes, which `--default-watch-cache-size=0` does not disable. */
function isBusy(group: string, resource: string): boolean {
  if (resource === "apiservices") return group.startsWith("apiregistration.");
  return group === "" && busyResources.has(resource);
}

const busyResources: ReadonlySet<string> = new Set([
  "replicationcontrollers",
  "endpoints",
  "nodes",
  "pods",
  "services",
]);
const busyWatchCacheSize = 1000;
