import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAmounts } from "../../apis/core/resource-quota/amounts.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";
import { type ChangeQuota, QuotaAccount } from "./quota-account.js";

/** Quotas in a store that servers change by compare-and-set, with a count of writes. */
function storeOf(...quotas: readonly (readonly [string, ResourceQuota["status"]])[]) {
  const statuses = new Map(quotas);
  const counted = { writes: 0 };
  const change: ChangeQuota = async (_namespace, name, apply) => {
    for (;;) {
      const before = statuses.get(name);
      if (before === undefined) return;
      await setImmediate();
      const after = apply(before);
      await setImmediate();
      if (statuses.get(name) !== before) continue;
      if (after !== before) counted.writes++;
      statuses.set(name, after);
      return;
    }
  };
  const known = (_namespace: string, name: string) => statuses.get(name);
  return { statuses, counted, change, known };
}

const nothingKnown = () => undefined;

const onePod = readAmounts({ pods: "1" });
const room = (pods: string): ResourceQuota["status"] => ({ hard: { pods }, used: { pods: "0" } });

test.each(["the newest state", "nothing", "an old state"])(
  "several servers that know %s let in as many as there is room for together",
  async (what) => {
    const { statuses, counted, change, known } = storeOf(["q", room("100")]);
    const knowing = { "the newest state": known, nothing: nothingKnown, "an old state": () => room("7") }[
      what
    ];
    const servers = Array.from({ length: 3 }, () => new QuotaAccount(change, knowing ?? nothingKnown));
    const problems = await Promise.all(
      Array.from({ length: 200 }, (_, index) => servers[index % 3]?.charge("ns", ["q"], onePod)),
    );
    expect(problems.filter((problem) => problem === undefined)).toHaveLength(100);
    expect(statuses.get("q")?.used).toEqual({ pods: "100" });
    // Waiting charges are combined.
    expect(counted.writes).toBeLessThan(20);
  },
);

test("waiting creates that count for different quotas charge each its own sum", async () => {
  const memory = (hard: string): ResourceQuota["status"] => ({
    hard: { pods: "9", memory: hard },
    used: { pods: "0", memory: "0" },
  });
  const { statuses, change, known } = storeOf(["a", room("9")], ["b", memory("1Gi")], ["c", memory("96Mi")]);
  const account = new QuotaAccount(change, known);
  const charge = (quotas: readonly string[], size: string) =>
    account.charge("ns", quotas, readAmounts({ pods: "1", memory: size }));
  const problems = await Promise.all([
    charge(["a"], "1Mi"),
    charge(["a", "b"], "64Mi"),
    charge(["b", "c"], "64Mi"),
    charge(["a", "b", "c"], "64Mi"),
    charge(["c"], "32Mi"),
  ]);
  expect(problems).toEqual([
    undefined,
    undefined,
    undefined,
    "exceeded quota: c, requested: memory=64Mi, used: memory=64Mi, limited: memory=96Mi",
    undefined,
  ]);
  expect([...statuses.values()].map(({ used }) => used)).toEqual([
    { pods: "2" },
    { pods: "2", memory: "128Mi" },
    { pods: "2", memory: "96Mi" },
  ]);
});

test("what one quota refuses is returned to the others", async () => {
  const { statuses, change } = storeOf(["a", room("9")], ["b", room("0")], ["c", room("9")]);
  const problem = await new QuotaAccount(change, nothingKnown).charge("ns", ["a", "b", "c"], onePod);
  expect(problem).toBe("exceeded quota: b, requested: pods=1, used: pods=0, limited: pods=0");
  expect([...statuses.values()].map(({ used }) => used?.pods)).toEqual(["0", "0", "0"]);
});

test("what a quota is known to refuse is not charged elsewhere", async () => {
  const { statuses, counted, change, known } = storeOf(["a", room("9")], ["b", room("1")], ["c", room("9")]);
  const account = new QuotaAccount(change, known);
  const problems = await Promise.all([1, 2, 3].map(() => account.charge("ns", ["a", "b", "c"], onePod)));
  expect(problems.filter((problem) => problem !== undefined)).toHaveLength(2);
  expect([...statuses.values()].map(({ used }) => used?.pods)).toEqual(["1", "1", "1"]);
  expect(counted.writes).toBe(3);
});

test("the quotas of a namespace are written at the same time", async () => {
  const names = Array.from({ length: 250 }, (_, index) => `q${index}`);
  const store = storeOf(...names.map((name) => [name, room("9")] as const));
  let [writing, most] = [0, 0];
  const account = new QuotaAccount(async (...args) => {
    most = Math.max(most, ++writing);
    await store.change(...args);
    writing--;
  }, store.known);
  expect(await account.charge("ns", names, onePod)).toBeUndefined();
  expect([...store.statuses.values()].every(({ used }) => used?.pods === "1")).toBe(true);
  expect(most).toBe(100);
});

test("a quota that is gone limits nothing", async () => {
  const { change } = storeOf();
  expect(await new QuotaAccount(change, nothingKnown).charge("ns", ["q"], onePod)).toBeUndefined();
});

test("a store that fails refuses what waits, and the next charge begins anew", async () => {
  const { change } = storeOf(["q", room("9")]);
  let isDown = true;
  const account = new QuotaAccount(async (...args) => {
    if (isDown) throw new Error("the store is away");
    await change(...args);
  }, nothingKnown);
  await expect(account.charge("ns", ["q"], onePod)).rejects.toThrow("the store is away");
  isDown = false;
  expect(await account.charge("ns", ["q"], onePod)).toBeUndefined();
});
