import { expect, test } from "vitest";
import { SteppedWalk } from "./stepped-walk.js";
import { allSteps } from "./steps.js";

type Tree = readonly Tree[];

/** Opens and closes each node, in order. */
function describe(tree: Tree, walk: SteppedWalk): string[] {
  const told: string[] = [];
  const nodes = (of: Tree, depth: number, from: number): void => {
    for (let index = from; index < of.length; index++) {
      if (walk.isOver()) {
        walk.putOff(() => nodes(of, depth, index));
        return;
      }
      told.push(`${depth} opens ${index}`);
      nodes(of[index] ?? [], depth + 1, 0);
      walk.after(() => told.push(`${depth} closes ${index}`));
    }
  };
  nodes(tree, 0, 0);
  return told;
}

const leaves = (count: number): Tree => Array.from({ length: count }, () => []);
const tree: Tree = [leaves(5), [leaves(3), [], leaves(4)], [], [[[leaves(2)]]]];

test.each([1, 2, 3, 7, 100])("a walk in steps of %d values keeps the order", (values) => {
  const walk = new SteppedWalk(values);
  const told = describe(tree, walk);
  const steps = walk.steps();
  let count = 1;
  for (; steps.next().done !== true; count++);
  expect(told).toEqual(describe(tree, new SteppedWalk(Number.POSITIVE_INFINITY)));
  expect(count).toBe(Math.ceil(told.length / 2 / values));
});

test("a walk that is never over does everything at once", () => {
  const walk = new SteppedWalk(Number.POSITIVE_INFINITY);
  expect(describe(tree, walk)).toHaveLength(48);
  expect(allSteps(walk.steps())).toBeUndefined();
});
