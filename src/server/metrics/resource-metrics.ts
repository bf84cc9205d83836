import { qualifiedResource } from "../../apimachinery/errors/status.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import { subresourcesOf } from "../../apis/definition/resource-definition.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import { RequestMetrics } from "../../serving/filters/request-metrics.js";
import { WatchMetrics } from "../../serving/responses/watch-metrics.js";
import type { Metrics } from "../../telemetry/metrics.js";

export interface ResourceMetrics {
  readonly requestMetrics: RequestMetrics;
  readonly watchMetrics: WatchMetrics;
}

/** Metrics with series per resource, which are dropped when the resource is no longer served. */
export function createResourceMetrics(
  metrics: Metrics,
  catalog: LiveCatalog,
  level: ApiLevel,
): ResourceMetrics {
  const watchMetrics = new WatchMetrics(metrics, level);
  const requestMetrics = new RequestMetrics({
    metrics,
    isServed: (info) => isServed(catalog, info),
    isDelegated: (info) => isDelegated(catalog, info),
    deprecation: ({ apiGroup, apiVersion, resource }) => {
      const served = catalog.find(apiGroup, apiVersion, resource);
      if (served?.deprecationWarning === undefined) return undefined;
      return { removedRelease: served.version.lifecycle?.removed ?? "" };
    },
    paths: new Set(["/healthz", "/livez", "/readyz"]),
    level,
  });
  catalog.subscribe(({ added, removed }) => {
    const still = new Set(added.map(({ definition }) => qualifiedResource(definition)));
    for (const { definition } of removed) {
      if (still.has(qualifiedResource(definition))) continue;
      requestMetrics.drop(definition);
      watchMetrics.drop(definition);
    }
  });
  return { requestMetrics, watchMetrics };
}

function isServed(catalog: ApiCatalog, info: RequestInfo): boolean {
  const served = catalog.find(info.apiGroup, info.apiVersion, info.resource);
  if (served === undefined) return false;
  return info.subresource === "" || subresourcesOf(served).some(({ name }) => name === info.subresource);
}

/** Whether an extension server's discovery contains this resource. */
function isDelegated(catalog: ApiCatalog, info: RequestInfo): boolean {
  const name = info.subresource === "" ? info.resource : `${info.resource}/${info.subresource}`;
  const { resources = [] } = catalog.extension?.(info.apiGroup, info.apiVersion) ?? {};
  return resources.some((each) => each.name === name);
}
