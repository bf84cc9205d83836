import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { resourcesOfLevel } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { WatchMetrics } from "./watch-metrics.js";

test.each<[ApiLevel, string]>([
  ["1.33", 'kind="ConfigMap"'],
  ["1.34", 'resource="configmaps"'],
])("at %s events are told apart by %s", async (level, label) => {
  const { known } = resourcesOfLevel(testApiContext({ level }));
  const definition = known.find(({ resource }) => resource === "configmaps");
  const version = definition?.versions[0];
  if (definition === undefined || version === undefined) throw new Error("no config maps");
  const metrics = new Metrics();
  new WatchMetrics(metrics, level).of({ definition, version }).events.value = 2;
  expect(await printMetrics(metrics.read())).toContain(
    `apiserver_watch_events_total{group="",version="v1",${label}} 2`,
  );
});
