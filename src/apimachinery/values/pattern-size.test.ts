import { expect, test } from "vitest";
import { patternSize, patternSizeMax } from "./pattern-size.js";

test.each([
  ["", 0],
  ["abc", 3],
  ["a*b+", 4],
  ["a{3}", 3],
  ["ab{3,5}", 6],
  ["a{2,}", 2],
  ["a{,2}", 5],
  ["(ab){10}", 40],
  ["((a{10}){10}){10}", 1220],
  ["a\\{3}", 4],
  ["\\pL", 51],
  ["\\p{Greek}", 50],
  ["\\p{Greek}{100}", 248],
  ["(\\p{Greek}|[\\p{L}\\p{S}]){10}", 219],
  ["[aeiou]{10}", 20.25],
  ["\\x{10FFFF}{4}", 4],
  ["[]a]{8}", 10],
  ["[^a\\]b]", 1.75],
])("the size of %j is %d", (pattern, size) => {
  expect(patternSize(pattern)).toBe(size);
});

test.each([
  ["repetitions", "a{1000}".repeat(400_000)],
  ["nested repetitions", "((a{30}|b){30}c){30}"],
  ["groups that stay open", "(".repeat(20_000)],
  ["classes", "[\\pL\\pN]".repeat(200)],
  ["one class", `[${"\\pL".repeat(300)}]`],
  ["characters", "x".repeat(20_000)],
])("too large: %s", (_what, pattern) => {
  expect(patternSize(pattern)).toBeGreaterThan(patternSizeMax);
});

test("patterns that people write are small", () => {
  const label = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
  for (const pattern of [
    `^${label}(\\.${label})*$`,
    "^.{1,1000}$",
    "^([A-Za-z]{1,253}/){0,3}[A-Za-z]{1,63}$",
    "^([\\p{S}\\p{L}](-?[0-9\\p{S}\\p{L}]{0,62})?|([\\p{S}\\p{L}]([-\\p{S}\\p{L}]{0,61}[\\p{S}\\p{L}])?[.])+[\\p{L}]{2,63})$",
  ]) {
    expect(patternSize(pattern)).toBeLessThan(patternSizeMax / 2);
  }
});
