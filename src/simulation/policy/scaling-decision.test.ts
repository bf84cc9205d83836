import { expect, test } from "vitest";
import type { HorizontalPodAutoscaler } from "../../apis/gen/autoscaling-v2.js";
import { Recommendations } from "./recommendations.js";
import { decide } from "./scaling-decision.js";

const cpu = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};
const queue = {
  type: "External",
  external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "10" } },
};

function scaler(
  metrics: string,
  spec: Partial<HorizontalPodAutoscaler["spec"]> = {},
): HorizontalPodAutoscaler {
  return {
    metadata: { name: "h", annotations: { "simulation.orch.io/metrics": metrics } },
    spec: {
      scaleTargetRef: { kind: "Deployment", name: "web" },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [cpu, queue],
      ...spec,
    },
    status: { desiredReplicas: 0 },
  };
}

const asIs = (wanted: number) => wanted;
const toldOf = (...input: Parameters<typeof decide>) =>
  decide(...input).told.map(([type, isTrue, reason]) => `${type}=${isTrue}(${reason})`);

test.each([
  ["cpu=100%", 4, 8, "cpu above target"],
  ["cpu=52%", 4, 4, "cpu above target"],
  ["cpu=25%", 4, 2, "All metrics below target"],
  ["queue=55", 4, 6, "queue above target"],
  // The largest of several counts.
  ["cpu=25%,queue=61", 4, 7, "queue above target"],
  // Not more than twice as many in one step, or four.
  ["cpu=500%", 4, 8, "cpu above target"],
  ["queue=100", 2, 4, "queue above target"],
  // Nor than there may be.
  ["cpu=100%", 8, 10, "cpu above target"],
  ["cpu=1%", 3, 2, "All metrics below target"],
])("with %s, %i pods become %i", (metrics, current, desired, reason) => {
  const decision = decide(scaler(metrics), current, asIs);
  expect(decision.desired).toBe(desired);
  if (desired !== current) expect(decision.reason).toBe(reason);
});

test("the reason that limits a step is reported", () => {
  expect(toldOf(scaler("cpu=500%"), 4, asIs)).toContain("ScalingLimited=true(ScaleUpLimit)");
  expect(toldOf(scaler("cpu=100%"), 8, asIs)).toContain("ScalingLimited=true(TooManyReplicas)");
  expect(toldOf(scaler("cpu=1%"), 3, asIs)).toContain("ScalingLimited=true(TooFewReplicas)");
  expect(toldOf(scaler("cpu=50%"), 4, asIs)).toEqual([
    "ScalingActive=true(ValidMetricFound)",
    "AbleToScale=true(ReadyForNewScale)",
    "ScalingLimited=false(DesiredWithinRange)",
  ]);
  expect(toldOf(scaler("cpu=25%"), 4, () => 4)).toContain("AbleToScale=true(ScaleDownStabilized)");
});

test("an autoscaler's policies say how far a step goes", () => {
  const scaleUp = (
    policies: { type: string; value: number; periodSeconds: number }[],
    selectPolicy = "Max",
  ) => scaler("cpu=500%", { behavior: { scaleUp: { policies, selectPolicy } } });
  const policies = [
    { type: "Pods", value: 1, periodSeconds: 15 },
    { type: "Percent", value: 50, periodSeconds: 15 },
  ];
  expect(decide(scaleUp(policies), 4, asIs).desired).toBe(6);
  expect(decide(scaleUp(policies, "Min"), 4, asIs).desired).toBe(5);
  expect(decide(scaleUp(policies, "Disabled"), 4, asIs).desired).toBe(4);
});

test("outside of its bounds a workload is resized at once; one without pods is left alone", () => {
  expect(decide(scaler(""), 1, asIs)).toMatchObject({
    desired: 2,
    reason: "Current number of replicas below Spec.MinReplicas",
  });
  expect(decide(scaler("cpu=90%"), 20, asIs)).toMatchObject({
    desired: 10,
    reason: "Current number of replicas above Spec.MaxReplicas",
  });
  expect(toldOf(scaler("cpu=90%"), 0, asIs)).toEqual(["ScalingActive=false(ScalingDisabled)"]);
  expect(toldOf(scaler(""), 4, asIs)).toContain("ScalingActive=false(FailedGetResourceMetric)");
});

test("fewer pods come when so few have been enough for the whole window", () => {
  const recommendations = new Recommendations();
  const at = (now: number, wanted: number, current = 8) =>
    recommendations.stabilized("ns/h", undefined, { current, wanted, now });
  expect(at(0, 8)).toEqual({ replicas: 8 });
  expect(at(100_000, 5).replicas).toBe(8);
  expect(at(200_000, 3)).toEqual({ replicas: 8, reviewAt: 301_000 });
  expect(at(301_000, 3).replicas).toBe(5);
  expect(at(401_000, 3).replicas).toBe(3);
  // More come at once.
  expect(at(402_000, 9)).toEqual({ replicas: 9 });
});
