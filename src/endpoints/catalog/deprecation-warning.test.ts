import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { leaseCandidates } from "../../apis/coordination/lease-candidate/resource.js";
import { volumeAttributesClasses } from "../../apis/storage/volume-attributes-class/resource.js";
import { testApiContext } from "../../apis/testing/api-context.js";
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

const candidate = "LeaseCandidate is deprecated in v1.35+, unavailable in v1.38+";
const attributes = "VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+";
const newAttributes = "storage.k8s.io/v1 VolumeAttributesClass";

test.each<[ApiLevel, candidates: string | undefined, classes: string | undefined]>([
  ["1.33", undefined, undefined],
  ["1.34", undefined, `storage.k8s.io/v1beta1 ${attributes}; use ${newAttributes}`],
  [
    "1.35",
    `coordination.k8s.io/v1alpha2 ${candidate}`,
    `storage.k8s.io/v1beta1 ${attributes}; use ${newAttributes}`,
  ],
])("at %s, old versions of candidates and classes go away", (level, candidates, classes) => {
  const context = testApiContext({ level });
  const warningOf = (definition: typeof budget & { versions: readonly Version[] }, name: string) =>
    definition.versions
      .filter(({ version }) => version === name)
      .map((version) => deprecationWarning(definition, version, level));
  expect(warningOf(leaseCandidates(context), "v1alpha2")).toEqual([candidates]);
  expect(warningOf(volumeAttributesClasses(context), "v1beta1")).toEqual([classes]);
});

type Version = Parameters<typeof deprecationWarning>[1];

test("audit events of a version that is going away are annotated", () => {
  const of = (lifecycle: object) => deprecationAnnotations({ lifecycle }, "1.23", "example.io");
  expect([...(of({ deprecated: "1.21", removed: "1.25" }) ?? [])]).toEqual([
    ["example.io/deprecated", "true"],
    ["example.io/removed-release", "1.25"],
  ]);
  expect([...(of({ deprecated: "1.21" }) ?? [])]).toEqual([["example.io/deprecated", "true"]]);
  expect(of({ deprecated: "1.24" })).toBeUndefined();
});
