import { expect, test } from "vitest";
import { FieldPath, findErrorsInSteps, hasErrors, required } from "./field-error.js";
import { findingsInSteps, findingsOfEach, inOneStep } from "./put-off.js";
import { allSteps, type Steps } from "./steps.js";

/** Every item ends a step. */
function slowly() {
  let milliseconds = 0;
  return { now: () => (milliseconds += 1000), itemsPerLook: 1 };
}

function countSteps<T>(steps: Steps<T>): { count: number; outcome: T } {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { count, outcome: step.value };
  }
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

test("a list that takes no time is walked in one step", () => {
  const find = () => findingsOfEach(range(1000), (item) => (item % 500 === 0 ? [item] : []));
  expect(countSteps(findingsInSteps(find, { now: () => 0, itemsPerLook: 1 }))).toEqual({
    count: 1,
    outcome: [0, 500],
  });
});

test("lists within lists end steps, and what is found stays in order", () => {
  const find = () => [
    "first",
    ...findingsOfEach(["a", "b"], (letter) => [
      letter,
      ...findingsOfEach(range(3), (item) => [`${letter}${item}`]),
      `${letter}, end`,
    ]),
    "between",
    ...findingsOfEach([1, 2], (item) => [`${item}`]),
    "last",
  ];
  const { count, outcome } = countSteps(findingsInSteps(find, slowly()));
  expect(outcome).toEqual(find());
  expect(count).toBeGreaterThan(8);
});

test("a state goes from item to item, although the same findings are twice in the result", () => {
  const seen = new Set<number>();
  const find = () => {
    const repeated = findingsOfEach([1, 2, 1], (item) => (seen.size === seen.add(item).size ? [item] : []));
    return [...repeated, ...repeated];
  };
  expect(allSteps(findingsInSteps(find, slowly()))).toEqual([1, 1]);
});

test("nothing is put off in one step, nor where errors are looked for", () => {
  const path = FieldPath.of("a");
  const lastOf = (count: number) => () =>
    findingsOfEach(range(5), (index) => (index >= 5 - count ? [required(path.index(index), "")] : []));
  const find = () => {
    // The step is over from here.
    const found: unknown[] = findingsOfEach(range(5), () => []);
    return [...found, inOneStep(lastOf(2)).length, hasErrors(lastOf(0)), hasErrors(lastOf(1))];
  };
  expect(allSteps(findingsInSteps(find, slowly()))).toEqual([2, false, true]);
});

test("a validation in steps ends with thousands of problems", () => {
  let looked = 0;
  const validate = () =>
    findingsOfEach(range(100_000), (index) => {
      looked++;
      return [required(FieldPath.of("a").index(index), "")];
    });
  const { outcome } = countSteps(findErrorsInSteps(findingsInSteps(validate, slowly())));
  expect(outcome.isCut).toBe(true);
  expect(outcome.errors[2000]?.field).toBe("a[2000]");
  expect(looked).toBeLessThan(3000);
});
