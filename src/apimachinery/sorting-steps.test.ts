import fc from "fast-check";
import { expect, test } from "vitest";
import { sortingSteps } from "./sorting-steps.js";
import { allSteps } from "./steps.js";

test("large lists are sorted in steps, and equal items keep their order", () => {
  const lists = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 3000, size: "max" });
  fc.assert(
    fc.property(lists, (keys) => {
      const items = keys.map((key, at) => ({ key, at }));
      const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
      expect(allSteps(sortingSteps(items, compare))).toEqual(items.toSorted(compare));
    }),
    { numRuns: 50 },
  );
});

test("no step compares more than some thousand times", () => {
  let compared = 0;
  let most = 0;
  const items = Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 20_000);
  const steps = sortingSteps(items, (a, b) => {
    compared++;
    return a - b;
  });
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  expect(most).toBeLessThan(5000);
});
