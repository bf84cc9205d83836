import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { metricNames } from "./metric-names.js";

const naming = createNaming("kubernetes");
const namesOf = (counted: string, level: ApiLevel, showHidden?: string): string[] =>
  metricNames(naming, level, showHidden)(counted).map(({ name }) => name);

const flowControl = "apiserver_flowcontrol";

describe("a metric is shown by its level's names", () => {
  test.each<[counted: string, byLevel: Partial<Record<ApiLevel, readonly string[]>>]>([
    [
      "apiserver_dropped_requests_total",
      {
        "1.23": ["apiserver_dropped_requests_total"],
        "1.24": ["apiserver_dropped_requests_total"],
        "1.25": [],
        "1.36": [],
      },
    ],
    ["apiserver_longrunning_gauge", { "1.24": ["apiserver_longrunning_gauge"], "1.25": [], "1.36": [] }],
    ["apiserver_registered_watchers", { "1.24": ["apiserver_registered_watchers"], "1.25": [], "1.36": [] }],
    [
      "watch_cache_initializations_total",
      {
        "1.24": ["watch_cache_initializations_total"],
        "1.25": ["apiserver_watch_cache_initializations_total"],
        "1.36": ["apiserver_watch_cache_initializations_total"],
      },
    ],
    [
      "etcd_db_total_size_in_bytes",
      {
        "1.25": ["etcd_db_total_size_in_bytes"],
        "1.26": ["apiserver_storage_db_total_size_in_bytes"],
        "1.28": ["apiserver_storage_db_total_size_in_bytes", "apiserver_storage_size_bytes"],
        "1.29": ["apiserver_storage_size_bytes"],
        "1.36": ["apiserver_storage_size_bytes"],
      },
    ],
    [
      "apiserver_request_slo_duration_seconds",
      { "1.27": ["apiserver_request_slo_duration_seconds"], "1.28": [], "1.36": [] },
    ],
    [
      "apiserver_storage_objects",
      {
        "1.33": ["apiserver_storage_objects"],
        "1.34": ["apiserver_storage_objects", "apiserver_resource_objects"],
        "1.36": ["apiserver_storage_objects", "apiserver_resource_objects"],
      },
    ],
    [
      `${flowControl}_request_concurrency_limit`,
      {
        "1.25": [`${flowControl}_request_concurrency_limit`],
        "1.26": [`${flowControl}_request_concurrency_limit`, `${flowControl}_nominal_limit_seats`],
        "1.31": [`${flowControl}_nominal_limit_seats`],
      },
    ],
    ["apiserver_request_total", { "1.23": ["apiserver_request_total"], "1.36": ["apiserver_request_total"] }],
  ])("%s", (counted, byLevel) => {
    const shown = Object.keys(byLevel).map((level) => [level, namesOf(counted, level as ApiLevel)]);
    expect(Object.fromEntries(shown)).toEqual(byLevel);
  });
});

test("what the level before deprecated is hidden, and shown to those who ask", () => {
  const slo = "apiserver_request_slo_duration_seconds";
  expect(namesOf(slo, "1.28", "1.27")).toEqual([slo]);
  expect(namesOf(slo, "1.29", "1.28")).toEqual([]);
  expect(namesOf("etcd_object_counts", "1.23")).toEqual([]);
  expect(namesOf("etcd_object_counts", "1.23", "1.22")).toEqual(["etcd_object_counts"]);
  expect(namesOf("etcd_object_counts", "1.24", "1.23")).toEqual([]);
});

test("a new name may have other labels", async () => {
  const metrics = new Metrics({ shownAs: metricNames(naming, "1.36", undefined) });
  const objects = metrics.gauge({
    name: "apiserver_storage_objects",
    help: "Objects.",
    labels: ["resource"],
  });
  objects.with("deployments.apps").value = 2;
  objects.with("pods").value = 1;
  const sizes = metrics.gauge({ name: "etcd_db_total_size_in_bytes", help: "Bytes.", labels: ["endpoint"] });
  sizes.with("a").value = 3;
  expect((await printMetrics(metrics.read())).split("\n").filter((line) => /^\w/.test(line))).toEqual([
    'apiserver_storage_objects{resource="deployments.apps"} 2',
    'apiserver_storage_objects{resource="pods"} 1',
    'apiserver_resource_objects{group="apps",resource="deployments"} 2',
    'apiserver_resource_objects{group="",resource="pods"} 1',
    'apiserver_storage_size_bytes{storage_cluster_id="a"} 3',
  ]);
});
