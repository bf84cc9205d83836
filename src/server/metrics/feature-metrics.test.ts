import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { createNaming } from "../../naming/naming.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { FeatureGates } from "../options/feature-gates.js";
import { showFeatureGates } from "./feature-metrics.js";

async function shownAt(level: ApiLevel): Promise<string> {
  const metrics = new Metrics();
  const gates = new FeatureGates(
    new Map([
      ["AllAlpha", true],
      ["StorageVersionAPI", false],
    ]),
    level,
  );
  showFeatureGates(metrics, createNaming("kubernetes"), gates);
  return await printMetrics(metrics.read());
}

test("gates are shown with their stages since 1.26", async () => {
  expect(await shownAt("1.25")).toBe("");
  const lines = (await shownAt("1.26")).split("\n");
  for (const line of [
    '{name="AllAlpha",stage="ALPHA"} 1',
    '{name="AllBeta",stage="BETA"} 0',
    '{name="StorageVersionAPI",stage="ALPHA"} 0',
    '{name="APISelfSubjectReview",stage="ALPHA"} 1',
    '{name="KubeletPodResources",stage="BETA"} 1',
    '{name="CronJobTimeZone",stage="BETA"} 1',
    '{name="DryRun",stage=""} 1',
  ]) {
    expect(lines).toContain(`kubernetes_feature_enabled${line}`);
  }
  expect(lines.filter((line) => line.includes('"PodAndContainerStats'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('"ContextualLogging"'))).toHaveLength(1);
});
