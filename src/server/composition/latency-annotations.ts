import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import type { LatencyAnnotations } from "../../serving/filters/audit.js";

/** Filters whose time the events of slow requests include, and from which level on. */
const filterLayers: readonly (readonly [filter: string, layer: string, since: ApiLevel])[] = [
  ["priorityandfairness", "apf-queue-wait", "1.31"],
  ["authentication", "authentication", "1.33"],
  ["authorization", "authorization", "1.33"],
  ["impersonation", "impersonation", "1.36"],
];

/** Makes the audit annotations of slow requests that say where the time went; undefined at levels without them. */
export function latencyAnnotations(level: ApiLevel, naming: Naming): LatencyAnnotations | undefined {
  if (!isAtLeast(level, "1.24")) return undefined;
  const layers = filterLayers.filter(([, , since]) => isAtLeast(level, since));
  return {
    prefix: `apiserver.latency.${naming.groupDomain}/`,
    filters: new Map(layers.map(([filter, layer]) => [filter, layer])),
    storeName: naming.storeName,
  };
}
