import { expect, test } from "vitest";
import { inSlices } from "./in-slices.js";

/** Longer than a turn. */
const longMs = 4;

function busy(): void {
  const end = performance.now() + longMs;
  while (performance.now() < end);
}

test("others have their turns between a few large items", async () => {
  let rounds = 0;
  let isDone = false;
  const count = (): void => {
    rounds++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from({ length: 5 }, (_, index) => ({ index, body: Buffer.alloc(100_000) }));
  const made = await inSlices(
    items,
    ({ index }) => {
      busy();
      return index;
    },
    {},
  );
  isDone = true;
  expect(made).toEqual([0, 1, 2, 3, 4]);
  expect(rounds).toBeGreaterThanOrEqual(5);
});
