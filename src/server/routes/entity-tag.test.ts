import { expect, test } from "vitest";
import { matchesEntityTag } from "./entity-tag.js";

test.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ["*", true],
  ['"b"', false],
  ["a", false],
  ["", false],
])("If-None-Match %j against the tag a", (header, matches) => {
  expect(matchesEntityTag(header, '"a"')).toBe(matches);
});
