import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { PodSecurityMetrics } from "./pod-security-metrics.js";

const request = { operation: "CREATE", resource: { resource: "pods" }, subresource: "" } as const;

test.each([
  ["1.23", "latest", "latest"],
  ["1.23", 23, "v1.23"],
  ["1.23", 24, "future"],
  ["1.35", 30, "v1.30"],
  ["1.35", 36, "future"],
] as const)(
  "at level %s, a policy of version %s is counted as %s",
  async (level: ApiLevel, version, shown) => {
    const metrics = new Metrics();
    new PodSecurityMetrics(metrics, level).evaluated(
      "allow",
      { level: "baseline", version },
      "enforce",
      request,
    );
    expect(await printMetrics(metrics.read())).toContain(`policy_version="${shown}"`);
  },
);
