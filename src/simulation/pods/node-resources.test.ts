import { expect, test } from "vitest";
import { allocatableOf } from "./node-resources.js";

const dongle = "example.com/dongle";

test.each([
  ["nothing", {}, {}],
  ["a capacity", { capacity: { cpu: "8" } }, { cpu: "8" }],
  ["less than its capacity", { capacity: { cpu: "8", pods: "9" }, allocatable: { cpu: "7" } }, { cpu: "7" }],
  ["new devices", { capacity: { [dongle]: "4" }, allocatable: { cpu: "8" } }, { cpu: "8", [dongle]: "4" }],
  ["devices that fail", { capacity: { [dongle]: "4" }, allocatable: { [dongle]: "3" } }, { [dongle]: "3" }],
  ["fewer devices", { capacity: { [dongle]: "2" }, allocatable: { [dongle]: "1k" } }, { [dongle]: "2" }],
  ["no more devices", { capacity: { cpu: "8" }, allocatable: { cpu: "8", [dongle]: "4" } }, { cpu: "8" }],
])("a node with %s offers what it has", (_what, status, offered) => {
  expect(allocatableOf(status)).toEqual(offered);
});
