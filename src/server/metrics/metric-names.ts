import { type ApiLevel, hasLevel, type LevelRange, minorOf } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import type { ShownName } from "../../telemetry/metrics.js";

/** A name that a metric has at some levels. */
interface LevelName extends ShownName, LevelRange {
  /** The last level that shows it by default: the next one hides it, and later ones lack it. */
  readonly deprecated?: `1.${number}`;
}

/**
 * Metrics that were renamed at some level, by the names under which they are counted. Source: `metrics.go` in the API server's packages.
 */
function renamedMetrics({ storeName }: Naming): Readonly<Record<string, readonly LevelName[]>> {
  const flowControl = "apiserver_flowcontrol";
  const only = (name: string, range: Omit<LevelName, "name">): [string, LevelName[]] => [
    name,
    [{ name, ...range }],
  ];
  return Object.fromEntries([
    only("apiserver_dropped_requests_total", { until: "1.25" }),
    only("apiserver_longrunning_gauge", { until: "1.25" }),
    only("apiserver_registered_watchers", { until: "1.25" }),
    only(`${storeName}_object_counts`, { deprecated: "1.22" }),
    only("apiserver_request_slo_duration_seconds", { deprecated: "1.27" }),
    [
      "watch_cache_initializations_total",
      [
        { name: "watch_cache_initializations_total", until: "1.25" },
        { name: "apiserver_watch_cache_initializations_total", since: "1.25" },
      ],
    ],
    [
      `${storeName}_db_total_size_in_bytes`,
      [
        { name: `${storeName}_db_total_size_in_bytes`, until: "1.26" },
        { name: "apiserver_storage_db_total_size_in_bytes", since: "1.26", deprecated: "1.28" },
        { name: "apiserver_storage_size_bytes", since: "1.28", labels: ["storage_cluster_id"] },
      ],
    ],
    [
      "apiserver_storage_objects",
      [
        { name: "apiserver_storage_objects" },
        {
          name: "apiserver_resource_objects",
          since: "1.34",
          labels: ["group", "resource"],
          values: ([of = ""]) => groupAndResource(of),
        },
      ],
    ],
    [
      `${flowControl}_request_concurrency_limit`,
      [
        { name: `${flowControl}_request_concurrency_limit`, deprecated: "1.30" },
        { name: `${flowControl}_nominal_limit_seats`, since: "1.26" },
      ],
    ],
    [
      `${flowControl}_request_concurrency_in_use`,
      [
        { name: `${flowControl}_request_concurrency_in_use`, deprecated: "1.31" },
        { name: `${flowControl}_current_executing_seats`, since: "1.28" },
      ],
    ],
  ] satisfies [string, LevelName[]][]);
}

/** `deployments.apps`, or a resource of the core group. */
export function groupAndResource(text: string): [group: string, resource: string] {
  const dot = text.indexOf(".");
  return dot < 0 ? ["", text] : [text.slice(dot + 1), text.slice(0, dot)];
}

/** `showHidden`: the version whose hidden metrics are shown, which is the one before the level's; undefined for none. */
export function metricNames(
  naming: Naming,
  level: ApiLevel,
  showHidden: string | undefined,
): (name: string) => readonly ShownName[] {
  const table = renamedMetrics(naming);
  const isShown = ({ deprecated, ...range }: LevelName): boolean => {
    if (!hasLevel(range, level)) return false;
    if (deprecated === undefined || minorOf(level) <= minor(deprecated)) return true;
    return minorOf(level) === minor(deprecated) + 1 && showHidden === deprecated;
  };
  return (name) => table[name]?.filter(isShown) ?? [{ name }];
}

function minor(version: string): number {
  return Number(version.slice(2));
}
