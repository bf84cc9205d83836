import { expect, test } from "vitest";
import { formatIndexes, parseIndexes } from "./job-indexes.js";

test.each([
  [[], ""],
  [[3], "3"],
  [[1, 0], "0,1"],
  [[5, 0, 1, 2, 7, 8], "0-2,5,7,8"],
])("%j is written %j", (indexes, text) => {
  expect(formatIndexes(indexes)).toBe(text);
  expect([...parseIndexes(text)].sort()).toEqual([...indexes].sort());
});
