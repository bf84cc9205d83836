import { expect, test } from "vitest";
import { deprecationAnnotations, deprecationWarning } from "./deprecation-warning.js";

const budget = { group: "policy", kind: "PodDisruptionBudget" };
const replacement = { group: "policy", version: "v1", kind: "PodDisruptionBudget" };

test.each([
  [
    { deprecated: "1.21", removed: "1.25", replacement },
    ", unavailable in v1.25+; use policy/v1 PodDisruptionBudget",
  ],
  [{ deprecated: "1.21", removed: "1.25" }, ", unavailable in v1.25+"],
  [{ deprecated: "1.21" }, ""],
])("a version with the lifecycle %j is going away", (lifecycle, rest) => {
  expect(deprecationWarning(budget, { version: "v1beta1", lifecycle }, "1.23")).toBe(
    `policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+${rest}`,
  );
});

test.each([undefined, { introduced: "1.5" }, { deprecated: "1.24", removed: "1.27" }])(
  "a version with the lifecycle %j is not, in 1.23",
  (lifecycle) => {
    expect(deprecationWarning(budget, { version: "v1beta1", lifecycle }, "1.23")).toBeUndefined();
  },
);

test("audit events of a version that is going away are annotated", () => {
  const of = (lifecycle: object) => deprecationAnnotations({ lifecycle }, "1.23", "example.io");
  expect([...(of({ deprecated: "1.21", removed: "1.25" }) ?? [])]).toEqual([
    ["example.io/deprecated", "true"],
    ["example.io/removed-release", "1.25"],
  ]);
  expect([...(of({ deprecated: "1.21" }) ?? [])]).toEqual([["example.io/deprecated", "true"]]);
  expect(of({ deprecated: "1.24" })).toBeUndefined();
});
