import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { resourcesOfLevel } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { Metrics } from "../../telemetry/metrics.js";
import { StorageMetrics } from "./storage-metrics.js";

function observerAt(level: ApiLevel) {
  const metrics = new Metrics({});
  const { known } = resourcesOfLevel(testApiContext({ level }));
  const definition = known.find(({ group, resource }) => group === "apps" && resource === "deployments");
  if (definition === undefined) throw new Error("no deployments");
  return { metrics, observer: new StorageMetrics(metrics, "store", level).of(definition).cache() };
}

test("consistent lists are counted from 1.31 on, with the group from 1.34 on", () => {
  expect(observerAt("1.30").observer.consistentRead).toBeUndefined();
  for (const [level, group] of [
    ["1.31", []],
    ["1.33", []],
    ["1.34", ["apps"]],
    ["1.36", ["apps"]],
  ] as const) {
    const { metrics, observer } = observerAt(level);
    observer.consistentRead?.(true, false);
    observer.consistentRead?.(true, false);
    observer.consistentRead?.(false, true);
    const family = metrics.family("apiserver_watch_cache_consistent_read_total");
    expect(family?.with(...group, "deployments", "true", "false")).toMatchObject({ value: 2 });
    expect(family?.with(...group, "deployments", "false", "true")).toMatchObject({ value: 1 });
  }
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
