import { describe, expect, test } from "vitest";
import type { Toleration } from "../../apis/gen/core-v1.js";
import { areCovered, mergeTolerations } from "./tolerations.js";

const exists = (key: string, fields: Partial<Toleration> = {}): Toleration => ({
  key,
  operator: "Exists",
  ...fields,
});
const equal = (key: string, value: string, fields: Partial<Toleration> = {}): Toleration => ({
  key,
  operator: "Equal",
  value,
  ...fields,
});

describe("mergeTolerations", () => {
  test.each<[string, Toleration[], Toleration[], Toleration[]]>([
    ["different ones", [exists("a")], [exists("b")], [exists("a"), exists("b")]],
    ["equal ones", [exists("a")], [exists("a")], [exists("a")]],
    ["a value and any value", [equal("a", "1")], [exists("a")], [exists("a")]],
    ["different values", [equal("a", "1")], [equal("a", "2")], [equal("a", "1"), equal("a", "2")]],
    ["an effect and any effect", [exists("a", { effect: "NoSchedule" })], [exists("a")], [exists("a")]],
    ["a key and any key", [exists("a"), equal("b", "1")], [{ operator: "Exists" }], [{ operator: "Exists" }]],
    [
      "a shorter time and a longer one",
      [exists("a", { effect: "NoExecute", tolerationSeconds: 5 })],
      [exists("a", { effect: "NoExecute", tolerationSeconds: 9 })],
      [exists("a", { effect: "NoExecute", tolerationSeconds: 9 })],
    ],
    [
      "a time and for ever",
      [exists("a", { effect: "NoExecute" })],
      [exists("a", { effect: "NoExecute", tolerationSeconds: 9 })],
      [exists("a", { effect: "NoExecute" })],
    ],
  ])("%s", (_what, first, second, merged) => {
    expect(mergeTolerations(first, second)).toEqual(merged);
  });

  test("takes tens of thousands", () => {
    const many = Array.from({ length: 50_000 }, (_, index) => equal("key", `value-${index}`));
    expect(mergeTolerations(many, many)).toHaveLength(50_000);
    expect(mergeTolerations(many, [exists("key")])).toEqual([exists("key")]);
  });
});

test.each<[Toleration[], Toleration[], boolean]>([
  [[exists("a")], [exists("a")], true],
  [[equal("a", "1")], [exists("a")], true],
  [[exists("a")], [equal("a", "1")], false],
  [[exists("a"), exists("b")], [exists("a")], false],
  [[], [exists("a")], true],
])("%j is covered by %j: %s", (tolerations, allowed, covered) => {
  expect(areCovered(tolerations, allowed)).toBe(covered);
});
