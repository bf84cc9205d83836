import { expect, test } from "vitest";
import { mediaTypeOf, parseAccept } from "./media-range.js";

test("media ranges keep what is between quotes and bound the quality", () => {
  expect(parseAccept('text/plain; q=7; a="x, y"')).toMatchObject([
    { type: "text", subtype: "plain", quality: 1 },
  ]);
  expect(parseAccept('a/b; x="1,2", c/d').map((range) => range.parameters.get("x"))).toEqual([
    "1,2",
    undefined,
  ]);
  expect(parseAccept("no-slash")).toEqual([]);
  expect(parseAccept("a b/c")).toEqual([]);
});

test("a header is read up to 16 KiB", () => {
  expect(parseAccept(`${"a/b;q=0.1,".repeat(100_000)}c/d`).length).toBeLessThan(2000);
  expect(parseAccept("a".repeat(20_000))).toEqual([]);
  expect(parseAccept(`a/b${";c=d".repeat(20_000)}`)).toEqual([]);
});

test.each([
  ["application/json", "application/json"],
  [" Application/JSON ; charset=utf-8", "application/json"],
  [`application/json${";a=b".repeat(200_000)}`, "application/json"],
  [";", ""],
])("the media type without parameters is found", (contentType, name) => {
  expect(mediaTypeOf(contentType)).toBe(name);
});
