import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { testPod } from "../../testing/pod-fixture.js";
import { qosClassOf } from "./qos-class.js";

const context = testApiContext();
const both = { cpu: "1", memory: "1Gi" };

test.each<[expected: string, ...resources: JsonObject[]]>([
  ["BestEffort", {}],
  ["BestEffort", { limits: { "example.com/gpu": "1" } }],
  ["BestEffort", { limits: { cpu: "0" }, requests: { memory: "0" } }],
  ["Burstable", { requests: { cpu: "1" } }],
  ["Burstable", { limits: { cpu: "1" } }],
  ["Burstable", { limits: both, requests: { cpu: "500m" } }],
  ["Burstable", { limits: both }, {}],
  ["Guaranteed", { limits: both }],
  ["Guaranteed", { limits: both, requests: { cpu: "1000m", memory: "1Gi" } }],
  ["Guaranteed", { limits: both }, { limits: both }],
])("%s: %j %j", (expected, first, second) => {
  const containers = [first, second]
    .filter((resources) => resources !== undefined)
    .map((resources, index) => ({ name: `c${index}`, image: "c", resources }));
  expect(qosClassOf(testPod(context, { containers }).spec)).toBe(expected);
});

test("resources of the pod as a whole count instead, also when they are empty", () => {
  const containers = [{ name: "c", image: "c", resources: { requests: { cpu: "1" } } }];
  const later = testApiContext({ level: "1.34" });
  expect(qosClassOf(testPod(later, { containers, resources: {} }).spec)).toBe("BestEffort");
  expect(qosClassOf(testPod(later, { containers, resources: { limits: both } }).spec)).toBe("Guaranteed");
});

test("init containers count too", () => {
  const spec = {
    containers: [{ name: "a", image: "a", resources: { limits: both } }],
    initContainers: [{ name: "b", image: "b" }],
  };
  expect(qosClassOf(testPod(context, spec).spec)).toBe("Burstable");
});
