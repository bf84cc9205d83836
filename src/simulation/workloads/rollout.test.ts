import { expect, test } from "vitest";
import { boundsOf, newSetReplicas, type RolloutSet, scaleDownOld, scaleInProportion } from "./rollout.js";

function set(name: string, wanted: number, available = wanted): RolloutSet {
  return { key: `a/${name}`, name, createdAt: name, wanted, available, maxReplicas: undefined };
}

const bounds = { replicas: 10, maxSurge: 3, maxUnavailable: 2 };

test("percentages are rounded so that a rollout can always move", () => {
  const spec = (maxSurge: number | string, maxUnavailable: number | string) => ({
    spec: {
      replicas: 3,
      strategy: { type: "RollingUpdate" as const, rollingUpdate: { maxSurge, maxUnavailable } },
    },
  });
  const of = (surge: number | string, unavailable: number | string) =>
    boundsOf({ spec: { ...spec(surge, unavailable).spec, template: { metadata: {}, spec: {} } } });
  expect(of("25%", "25%")).toEqual({ replicas: 3, maxSurge: 1, maxUnavailable: 0 });
  expect(of(0, "0%")).toEqual({ replicas: 3, maxSurge: 0, maxUnavailable: 1 });
  expect(of(0, 5)).toEqual({ replicas: 3, maxSurge: 0, maxUnavailable: 3 });
});

test.each([
  // wanted of the newest and of the old sets, and the newest one's next size
  [0, 10, 3],
  [3, 8, 5],
  [5, 8, 5],
  [9, 0, 10],
  [12, 0, 10],
])("a newest set of %i beside %i others grows to %i", (newest, old, expected) => {
  const all = [set("new", newest), set("old", old)];
  expect(newSetReplicas(bounds, true, { wanted: newest }, all)).toBe(expected);
});

test("old replica sets first remove pods that are not available, the oldest set first", () => {
  const old = [set("a", 5, 2), set("b", 5, 5)];
  expect(scaleDownOld(bounds, set("new", 0), old)).toEqual([{ set: old[0], to: 3 }]);
  expect(scaleDownOld(bounds, set("new", 3, 3), [set("a", 10)])).toEqual([
    { set: expect.objectContaining({ name: "a" }), to: 5 },
  ]);
});

test("as long as new pods are not available, no more old ones go than may be missing", () => {
  const steps = scaleDownOld(bounds, set("new", 5, 0), [set("a", 8)]);
  expect(steps).toEqual([]);
});

test("a deployment that is scaled in the middle of a rollout spreads the difference", () => {
  const [newest, old] = [
    { ...set("new", 5), maxReplicas: 13 },
    { ...set("old", 8), maxReplicas: 13 },
  ];
  const grown = { replicas: 15, maxSurge: 3, maxUnavailable: 2 };
  const steps = scaleInProportion(grown, true, newest, [old]);
  expect(steps.map(({ set, to }) => [set.name, to])).toEqual([
    ["old", 11],
    ["new", 7],
  ]);
});

test("a deployment with one active set is scaled by it", () => {
  expect(scaleInProportion(bounds, true, set("new", 3), [set("old", 0)])).toEqual([
    { set: expect.objectContaining({ name: "new" }), to: 10 },
  ]);
});
