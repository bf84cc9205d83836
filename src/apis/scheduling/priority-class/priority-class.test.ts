import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { systemPriorityClasses } from "../system-priority-classes.js";
import { priorityClasses } from "./resource.js";

const priorityClass = kindUnderTest(priorityClasses(testApiContext()));
const json = { metadata: { name: "high" }, value: 1000, globalDefault: true };

test("the policy is among the columns that are shown without being asked for", () => {
  const { columns } = priorityClasses(testApiContext());
  expect(columns?.columns.map(({ name, priority = 0 }) => [name, priority])).toContainEqual([
    "PreemptionPolicy",
    0,
  ]);
});

test("preempts unless it says otherwise", () => {
  const { object, errors } = priorityClass.create(json);
  expect(errors).toEqual([]);
  expect(object.preemptionPolicy).toBe("PreemptLowerPriority");
  expect(object.metadata.generation).toBe(1);
  expect(kindUnderTest(priorityClasses(testApiContext()), "1.31").cells(json)).toEqual([
    "high",
    1000,
    true,
    "<unknown>",
  ]);
  expect(kindUnderTest(priorityClasses(testApiContext()), "1.32").cells(json)).toEqual([
    "high",
    1000,
    true,
    "<unknown>",
    "PreemptLowerPriority",
  ]);
});

test.each([
  [
    "value",
    1_000_000_001,
    ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
  ],
  [
    "preemptionPolicy",
    "Maybe",
    ['preemptionPolicy: Unsupported value: "Maybe": supported values: "PreemptLowerPriority", "Never"'],
  ],
  [
    "metadata.name",
    "system-mine",
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  [
    "metadata.name",
    "system-node-critical",
    [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
    ],
  ],
])("with %s = %j", (path, value, errors) => {
  expect(priorityClass.create(changed(json, path, value)).errors).toEqual(errors);
});

test("the system's own are fine as they are", () => {
  for (const { name, value, description } of systemPriorityClasses) {
    expect(priorityClass.create({ metadata: { name }, value, description }).errors).toEqual([]);
  }
});

test.each([
  ["value", 2000, ["Value: Forbidden: may not be changed in an update."]],
  ["preemptionPolicy", "Never", ['preemptionPolicy: Invalid value: "Never": field is immutable']],
  ["globalDefault", false, []],
])("changing %s to %j", (path, value, errors) => {
  expect(priorityClass.update(changed(json, path, value), json).errors).toEqual(errors);
});

test("says nothing of preemption while its gate is off", () => {
  const gated = kindUnderTest(priorityClasses(testApiContext({ gates: { NonPreemptingPriority: false } })));
  expect(gated.create({ ...json, preemptionPolicy: "Never" }).object.preemptionPolicy).toBeUndefined();
});
