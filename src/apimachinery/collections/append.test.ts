import { expect, test } from "vitest";
import { append } from "./append.js";

test("a list may grow by more items than the stack holds", () => {
  const list = [0];
  append(list, new Array<number>(1_000_000).fill(1));
  expect(list).toHaveLength(1_000_001);
});
