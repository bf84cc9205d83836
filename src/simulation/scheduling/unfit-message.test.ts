import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { unfitMessage, unplaceableMessage } from "./unfit-message.js";
import type { UnfitReason, UnfitReasons } from "./unfit-reason.js";

const cpu: UnfitReason = { kind: "resource", resource: "cpu" };
const memory: UnfitReason = { kind: "resource", resource: "memory" };
const lacking: readonly UnfitReasons[] = [[cpu], [cpu, memory], [{ kind: "unschedulable" }]];
const reasons =
  "0/3 nodes are available: 1 Insufficient memory, 1 node(s) were unschedulable, 2 Insufficient cpu.";
const helpless =
  "preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.";

test.each<[ApiLevel, string]>([
  ["1.23", reasons],
  ["1.24", `${reasons} ${helpless}`],
  ["1.26", `${reasons} ${helpless}.`],
  ["1.28", `${reasons} ${helpless}.`],
  ["1.33", `${reasons} ${helpless}`],
  ["1.34", `${reasons} no new claims to deallocate, ${helpless}`],
])("at %s a pod that fits nowhere is told: %s", (level, message) => {
  const preemption = { kind: "helpless", reasons: ["noVictims", "noVictims", "notHelpful"] } as const;
  expect(unfitMessage({ level, nodes: 3, reasons: lacking, preemption })).toBe(message);
});

test("preemption is not mentioned while room is being made", () => {
  const preemption = { kind: "nominated", node: "one" } as const;
  expect(unfitMessage({ level: "1.36", nodes: 3, reasons: lacking, preemption })).toBe(reasons);
});

test("a pod that may not preempt is told so", () => {
  const preemption = { kind: "not-eligible", because: "policy" } as const;
  expect(unfitMessage({ level: "1.33", nodes: 3, reasons: lacking, preemption })).toBe(
    `${reasons} preemption: not eligible due to preemptionPolicy=Never.`,
  );
});

test.each<[ApiLevel, string]>([
  ["1.23", "0/3 nodes are available: 3 no claim."],
  [
    "1.25",
    "0/3 nodes are available: 3 no claim. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  ],
  [
    "1.28",
    "0/3 nodes are available: no claim. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling..",
  ],
  [
    "1.33",
    "0/3 nodes are available: no claim. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
  ],
  ["1.34", "0/3 nodes are available: no claim. not found"],
])("at %s a pod that could run nowhere is told: %s", (level, message) => {
  expect(unplaceableMessage(level, 3, "no claim")).toBe(message);
});
