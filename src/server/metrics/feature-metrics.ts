import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import type { Metrics } from "../../telemetry/metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";

/** Shows which feature gates are on, at levels that have the metric. */
export function showFeatureGates(metrics: Metrics, naming: Naming, gates: FeatureGates): void {
  if (!isAtLeast(gates.level, "1.26")) return;
  const enabled = metrics.gauge({
    name: `${naming.vendor}_feature_enabled`,
    help: "Whether a feature gate is on, by its name and its stage, which is empty for GA.",
    labels: ["name", "stage"],
  });
  for (const { name, stage, isEnabled } of gates.known()) {
    const shownStage = stage === "GA" ? "" : stage.toUpperCase();
    enabled.with(naming.featureGate(name), shownStage).value = isEnabled ? 1 : 0;
  }
}
