import { expect, test } from "vitest";
import { chance, FaultRule, type FaultTarget } from "./fault-rule.js";
import type { FaultSpec } from "./fault-spec.js";

const target: FaultTarget = {
  user: "system:serviceaccount:ops:manager",
  userAgent: "manager/v1.2 (linux/amd64)",
  verb: "update",
  group: "apps",
  resource: "deployments/status",
  namespace: "prod",
  name: "web.1",
  mayBeOld: false,
};
const effect = { status: { code: 409 } } as const;

test.each<[FaultSpec["match"], boolean]>([
  [{}, true],
  [{ users: ["system:serviceaccount:ops:*"] }, true],
  [{ users: ["system:serviceaccount:ops:"] }, false],
  [{ userAgents: ["manager/*"], verbs: ["get", "update"] }, true],
  [{ resources: ["deployments"] }, false],
  [{ resources: ["deployments/*"] }, true],
  [{ groups: [""] }, false],
  [{ names: ["web.*"], namespaces: ["prod", "test"] }, true],
  [{ names: ["webx1"] }, false],
  [{ names: [] }, false],
])("matches by %j: %j", (match, expected) => {
  expect(new FaultRule("a", { match, effect }).matches(target)).toBe(expected);
});

test("stale reads hit only requests that allow them, and other requests are not counted", () => {
  const rule = new FaultRule("a", { effect: { staleBy: 2 } });
  expect([rule.matches(target), rule.matches({ ...target, mayBeOld: true })]).toEqual([false, true]);
});

const numbers = (rule: FaultRule, count = 20) =>
  Array.from({ length: count }, (_, index) => (rule.meets() ? index + 1 : 0)).filter((number) => number > 0);

test("counts what it meets", () => {
  const rule = (when: FaultSpec["when"]) => new FaultRule("a", { when, effect });
  expect(numbers(rule({ nth: 3 }))).toEqual([3]);
  expect(numbers(rule({ every: 8 }))).toEqual([8, 16]);
  expect(numbers(rule({ every: 5, times: 2 }))).toEqual([5, 10]);
  expect(numbers(rule({ times: 1 }))).toEqual([1]);
});

test("chooses the same requests for the same seed, as many as the share says", () => {
  const chosen = (seed: number, share: number) =>
    numbers(new FaultRule("a", { when: { seed, share }, effect }), 10_000);
  expect(chosen(7, 0.1)).toEqual(chosen(7, 0.1));
  expect(chosen(7, 0.1)).not.toEqual(chosen(8, 0.1));
  for (const seed of [1, 2, 1000]) {
    expect(chosen(seed, 0.1).length).toBeGreaterThan(900);
    expect(chosen(seed, 0.1).length).toBeLessThan(1100);
  }
  expect([chosen(1, 0).length, chosen(1, 1).length]).toEqual([0, 10_000]);
  expect(chance(1, 1)).not.toBe(chance(1, 2));
});

test.each<[FaultSpec, string]>([
  [{ effect: {} }, "says nothing"],
  [{ effect: { cut: "Before", queueFull: true } }, "one of cut, queueFull"],
  [{ effect: { delay: "soon" } }, "not a duration"],
  [{ effect, match: { labelSelector: "a in" } }, "not a selector"],
  [{ effect, when: { share: 2 } }, "from 0 to 1"],
])("refuses %j", (spec, why) => {
  expect(() => new FaultRule("a", spec)).toThrow(why);
});
