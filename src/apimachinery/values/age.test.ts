import { expect, test } from "vitest";
import { durationText } from "./age.js";

const s = 1000;
const m = 60 * s;
const h = 60 * m;
const d = 24 * h;

test.each([
  [-2 * s, "<invalid>"],
  [-1999, "0s"],
  [-500, "0s"],
  [0, "0s"],
  [119 * s, "119s"],
  [2 * m, "2m"],
  [5 * m + 12 * s, "5m12s"],
  [10 * m + 12 * s, "10m"],
  [179 * m, "179m"],
  [3 * h + 5 * m, "3h5m"],
  [8 * h + 5 * m, "8h"],
  [47 * h, "47h"],
  [2 * d + 4 * h, "2d4h"],
  [8 * d + 4 * h, "8d"],
  [729 * d, "729d"],
  [730 * d, "2y"],
  [3 * 365 * d + 12 * d, "3y12d"],
  [9 * 365 * d, "9y"],
])("%d ms is %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
