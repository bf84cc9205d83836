import { expect, test } from "vitest";
import { parseAccept, parseMediaRange } from "./media-range.js";

test("media ranges keep what is between quotes and bound the quality", () => {
  expect(parseMediaRange('text/plain; q=7; a="x, y"')).toMatchObject({
    type: "text",
    subtype: "plain",
    quality: 1,
  });
  expect(parseAccept('a/b; x="1,2", c/d').map((range) => range.parameters.get("x"))).toEqual([
    "1,2",
    undefined,
  ]);
  expect(parseMediaRange("no-slash")).toBeUndefined();
  expect(parseMediaRange("a b/c")).toBeUndefined();
});

test("what comes after 16 KiB is not read", () => {
  expect(parseAccept(`${"a/b;q=0.1,".repeat(100_000)}c/d`).length).toBeLessThan(2000);
  expect(parseAccept("a".repeat(20_000))).toEqual([]);
  expect(parseAccept(`a/b${";c=d".repeat(20_000)}`)).toEqual([]);
});
