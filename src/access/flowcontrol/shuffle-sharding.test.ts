import fc from "fast-check";
import { expect, test } from "vitest";
import { dealHand, flowHash } from "./shuffle-sharding.js";

test("a hand has distinct existing queues, the same for the same flow", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 10 }),
      (flow, queues, size) => {
        const hand = dealHand(flowHash("s", flow), queues, size);
        expect(new Set(hand).size).toBe(Math.min(size, queues));
        expect(hand.every((index) => Number.isInteger(index) && index >= 0 && index < queues)).toBe(true);
        expect(dealHand(flowHash("s", flow), queues, size)).toEqual(hand);
      },
    ),
  );
});

test("hands are spread evenly, at each place", () => {
  const flows = 20_000;
  const counts = Array.from({ length: 6 }, () => new Array<number>(64).fill(0));
  for (let i = 0; i < flows; i++) {
    for (const [place, queue] of dealHand(flowHash("schema", `user-${i}`), 64, 6).entries()) {
      const row = counts[place] ?? [];
      row[queue] = (row[queue] ?? 0) + 1;
    }
  }
  // 312 on average, with a standard deviation of 17.5; allows six deviations either way.
  for (const row of counts) for (const count of row) expect(Math.abs(count - flows / 64)).toBeLessThan(106);
});

test("the hands of two flows seldom cover each other", () => {
  const elephants = Array.from({ length: 9 }, (_, i) =>
    dealHand(flowHash("s", `elephant-${i}`), 128, 6),
  ).flat();
  const taken = new Set(elephants);
  let covered = 0;
  for (let i = 0; i < 5000; i++) {
    if (dealHand(flowHash("s", `mouse-${i}`), 128, 6).every((queue) => taken.has(queue))) covered++;
  }
  // Kubernetes' table says about one in 450 for nine elephants, 128 queues and a hand of six.
  expect(covered).toBeLessThan(60);
});
