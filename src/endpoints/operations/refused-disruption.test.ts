import { expect, test } from "vitest";
import type { PodDisruptionBudget } from "../../apis/gen/policy-v1.js";
import { refusedDisruption } from "./refused-disruption.js";

function budget(
  healthy: readonly [current: number, desired: number],
  condition?: { readonly status: string; readonly reason: string; readonly message: string },
): PodDisruptionBudget {
  const [currentHealthy, desiredHealthy] = healthy;
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  return {
    metadata: { name: "b" },
    spec: {},
    status: {
      currentHealthy,
      desiredHealthy,
      disruptionsAllowed: 0,
      expectedPods: 3,
      ...(condition && { conditions: [{ type: "DisruptionAllowed", lastTransitionTime, ...condition }] }),
    },
  };
}

const failed = { status: "False", reason: "SyncFailed", message: "no controller" };
const insufficient = { status: "False", reason: "InsufficientPods", message: "too few" };
const denied = "The disruption budget b does not allow evicting pods currently";
const counts = (desired: number, current: number) =>
  `The disruption budget b needs ${desired} healthy pods and has ${current} currently`;

test.each<[string, PodDisruptionBudget, string]>([
  ["its numbers", budget([2, 2]), counts(2, 2)],
  ["its numbers rather than its condition", budget([2, 2], insufficient), counts(2, 2)],
  [
    "a failed sync before numbers, which may be old",
    budget([2, 2], failed),
    `${denied} because it failed sync: no controller`,
  ],
  [
    "its condition where numbers explain nothing",
    budget([3, 2], insufficient),
    `${denied} (InsufficientPods): too few`,
  ],
  ["nothing of a condition without a message", budget([3, 2], { ...insufficient, message: "" }), denied],
  ["nothing of a condition that is true", budget([3, 2], { ...insufficient, status: "True" }), denied],
  ["nothing else", budget([3, 2]), denied],
])("a budget that allows no disruption tells %s", (_, refusing, message) => {
  expect(refusedDisruption(refusing, "1.35")).toBe(message);
});

test("before 1.35 it tells its numbers alone", () => {
  expect(refusedDisruption(budget([3, 2], failed), "1.34")).toBe(counts(2, 3));
});
