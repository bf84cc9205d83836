import { expect, test } from "vitest";
import { type ConditionLike, withCondition } from "./conditions.js";

const [then, now] = ["2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"];
const ready: ConditionLike = { type: "Ready", status: "True", lastTransitionTime: then, reason: "Started" };
const other: ConditionLike = { type: "Other", status: "True", lastTransitionTime: then };

test("a new condition comes last, at the time given", () => {
  const after = withCondition([other], { type: "Ready", status: "True" }, now);
  expect(after).toEqual([other, { type: "Ready", status: "True", lastTransitionTime: now }]);
  expect(withCondition(undefined, { type: "Ready", status: "True" }, now)).toEqual([
    { type: "Ready", status: "True", lastTransitionTime: now },
  ]);
});

test("a condition keeps its place, and its time as long as its status", () => {
  expect(withCondition([ready, other], { ...ready, reason: "Restarted" }, now)).toEqual([
    { ...ready, reason: "Restarted" },
    other,
  ]);
  expect(withCondition([ready, other], { ...ready, status: "False" }, now)).toEqual([
    { ...ready, status: "False", lastTransitionTime: now },
    other,
  ]);
});
