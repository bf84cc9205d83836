import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { resourcesOfLevel } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { StorageMetrics } from "./storage-metrics.js";

function observerAt(level: ApiLevel) {
  const metrics = new Metrics({});
  const { known } = resourcesOfLevel(testApiContext({ level }));
  const definition = known.find(({ group, resource }) => group === "apps" && resource === "deployments");
  if (definition === undefined) throw new Error("no deployments");
  const storage = new StorageMetrics(metrics, "store", level).of(definition);
  return { metrics, storage, observer: storage.cache() };
}

const both = { group: "apps", resource: "deployments" };

test("consistent lists are counted from 1.31 on, with the group from 1.34 on", () => {
  expect(observerAt("1.30").observer.consistentRead).toBeUndefined();
  for (const [level, names] of [
    ["1.31", ["/deployments"]],
    ["1.33", ["/deployments"]],
    ["1.34", ["apps", "deployments"]],
    ["1.36", ["apps", "deployments"]],
  ] as const) {
    const { metrics, observer } = observerAt(level);
    observer.consistentRead?.(true, false);
    observer.consistentRead?.(true, false);
    observer.consistentRead?.(false, true);
    const family = metrics.family("apiserver_watch_cache_consistent_read_total");
    expect(family?.with(...names, "true", "false")).toMatchObject({ value: 2 });
    expect(family?.with(...names, "false", "true")).toMatchObject({ value: 1 });
  }
});

test.each([
  [
    "1.25",
    { type: "*apps.Deployment" },
    { resource: "*apps.Deployment" },
    { resource_prefix: "/deployments" },
  ],
  [
    "1.26",
    { type: "deployments.apps" },
    { resource: "deployments.apps" },
    { resource_prefix: "/deployments" },
  ],
  [
    "1.33",
    { type: "deployments.apps" },
    { resource: "deployments.apps" },
    { resource_prefix: "/deployments" },
  ],
  ["1.34", both, both, both],
  ["1.36", both, both, both],
] as const)("at %s, a resource is named as at that level", async (level, ofStore, ofCache, ofLists) => {
  const { metrics, storage } = observerAt(level);
  storage.operations()("get", 1);
  const cache = storage.cache();
  cache.windowCapacity?.(100);
  cache.listed?.(1, 1);
  const text = await printMetrics(metrics.read());
  const labels = (named: object) => Object.entries(named).map(([name, value]) => `${name}="${value}"`);
  expect(text).toContain(
    `store_request_duration_seconds_count{${['operation="get"', ...labels(ofStore)]}} 1`,
  );
  expect(text).toContain(`watch_cache_capacity{${labels(ofCache)}} 100`);
  expect(text).toContain(`apiserver_cache_list_total{${[...labels(ofLists), 'index=""']}} 1`);
  expect(text).toContain(`apiserver_cache_list_returned_objects_total{${labels(ofLists)}} 1`);
});

test("comparisons with the store are counted from 1.34 on", () => {
  expect(observerAt("1.33").observer.compared).toBeUndefined();
  for (const level of ["1.34", "1.36"] as const) {
    const { metrics, observer } = observerAt(level);
    observer.compared?.("failure");
    const family = metrics.family("apiserver_storage_consistency_checks_total");
    expect(family?.with("apps", "deployments", "failure")).toMatchObject({ value: 1 });
  }
});
