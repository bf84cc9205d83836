import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { deviceTaintRules } from "./resource.js";

const rules = (level: ApiLevel) => kindUnderTest(deviceTaintRules(testApiContext({ level })), level);

const timeAdded = "2021-12-31T23:00:00Z";

function ruleOf(deviceSelector: JsonObject, effect = "NoSchedule"): JsonObject {
  return { metadata: { name: "r" }, spec: { deviceSelector, taint: { key: "a", effect, timeAdded } } };
}

test("a rule taints the devices that it selects", () => {
  const { object, errors } = rules("1.36").create(
    ruleOf({ driver: "d.example.org", pool: "p", device: "gpu-0" }),
  );
  expect(errors).toEqual([]);
  expect(object.metadata.generation).toBe(1);
  expect(rules("1.36").cells(ruleOf({})).slice(0, 5)).toEqual(["r", "a", "", "NoSchedule", "60m"]);
});

test.each<[ApiLevel, JsonObject, string[]]>([
  [
    "1.36",
    ruleOf({ driver: "", pool: "A", device: "b_c" }, "Never"),
    [
      "spec.deviceSelector.driver: Required value",
      expect.stringMatching(/^spec.deviceSelector.driver: Invalid value: ""/),
      expect.stringMatching(/^spec.deviceSelector.pool: Invalid value: "A"/),
      expect.stringMatching(/^spec.deviceSelector.device: Invalid value: "b_c"/),
      'spec.taint.effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"',
    ],
  ],
  [
    "1.34",
    ruleOf({}, "None"),
    ['spec.taint.effect: Unsupported value: "None": supported values: "NoExecute", "NoSchedule"'],
  ],
  ["1.33", ruleOf({ selectors: [{}] }), ["spec.deviceSelector.selectors[0].cel: Required value"]],
])("level %s refuses %j", (level, rule, errors) => {
  expect(rules(level).create(rule).errors).toEqual(errors);
});

test("another effect is a new one, since 1.36", () => {
  const { object } = rules("1.36").update(ruleOf({}, "NoExecute"), ruleOf({}));
  // The time of the write.
  expect(object.spec.taint.timeAdded).toBe("2022-01-01T00:00:00Z");
  expect(rules("1.35").update(ruleOf({}, "NoExecute"), ruleOf({})).object.spec.taint.timeAdded).toBe(
    timeAdded,
  );
});

test("the status has at most eight conditions", () => {
  const condition = { status: "True", reason: "Done", message: "", lastTransitionTime: timeAdded };
  const conditions = Array.from({ length: 9 }, (_, index) => ({ ...condition, type: `T${index}` }));
  const update = rules("1.35").update({ ...ruleOf({}), status: { conditions } }, ruleOf({}), "status");
  expect(update.errors).toEqual(["status.conditions: Too many: 9: must have at most 8 items"]);
});
