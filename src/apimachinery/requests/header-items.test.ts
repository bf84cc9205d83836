import { expect, test } from "vitest";
import { headerItems } from "./header-items.js";

test("items have no white space around them, and are a thousand at most", () => {
  expect(headerItems(" a,b ,, c d")).toEqual(["a", "b", "", "c d"]);
  expect(headerItems(",".repeat(1_000_000))).toHaveLength(1000);
});
