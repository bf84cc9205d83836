import { expect, test } from "vitest";
import type { PodCondition, PodStatus } from "../../gen/core-v1.js";
import { keepObservedGenerations } from "./status-update.js";

const condition = (type: string, observedGeneration?: number): PodCondition => ({
  type,
  status: "True",
  ...(observedGeneration !== undefined && { observedGeneration }),
});

function kept(conditions: PodCondition[], old: PodCondition[]): (number | bigint | undefined)[] {
  const status: PodStatus = { conditions };
  keepObservedGenerations(status, { conditions: old });
  return (status.conditions ?? []).map(({ observedGeneration }) => observedGeneration);
}

test("a condition without an observed generation keeps that of the one of its type and place", () => {
  expect(
    kept([condition("a"), condition("b", 2), condition("c")], [condition("a", 1), condition("b", 1)]),
  ).toEqual([1, 2, undefined]);
  const old = [condition("a"), condition("a", 1), condition("a", 2)];
  expect(kept([condition("a", 1), condition("a"), condition("a", 2)], old)).toEqual([1, 1, 2]);
});

test("very many conditions of one type take no long time", () => {
  const many = (): PodCondition[] => Array.from({ length: 200_000 }, () => condition("a", 1));
  expect(kept(many(), many())).toHaveLength(200_000);
});
