import { expect, test } from "vitest";
import { endOfPiece } from "./text-pieces.js";

test.each([
  ["abc", "abc"],
  ["abcd", "abc"],
  ["ab🚤cde", "ab🚤"],
  ["a🚤🚤", "a🚤"],
  ["🚤🚤🚤", "🚤🚤"],
])("a piece of %s ends behind a whole character", (text, piece) => {
  expect(text.slice(0, endOfPiece(text, 3))).toBe(piece);
});
