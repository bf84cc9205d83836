import { expect, test } from "vitest";
import { piecesOf } from "./text-pieces.js";

test.each([
  ["", [""]],
  ["abc", ["abc"]],
  ["abcd", ["abc", "d"]],
  ["ab🚤cde", ["ab🚤", "cde"]],
  ["a🚤🚤", ["a🚤", "🚤"]],
  ["🚤🚤🚤", ["🚤🚤", "🚤"]],
])("the pieces of %s are whole characters", (text, pieces) => {
  expect([...piecesOf(text, 3)]).toEqual(pieces);
});
