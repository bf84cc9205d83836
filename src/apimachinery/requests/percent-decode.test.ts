import fc from "fast-check";
import { expect, test } from "vitest";
import { percentDecode } from "./percent-decode.js";

const pieces = ["%", "%41", "%ff", "%C3%A9", "%c3", "%u0041", "%u", "%2", "%zz", "%%41", "a", "é", "ÿ", "0"];

test("texts are decoded as URLSearchParams decodes them", () => {
  const texts = fc
    .array(fc.constantFrom(...pieces), { maxLength: 12 })
    .map((parts) => parts.join(""))
    .filter((text) => text !== "");
  fc.assert(
    fc.property(texts, (text) => {
      expect(percentDecode(text)).toBe(new URLSearchParams(`a=${text}`).get("a"));
    }),
    { numRuns: 2000 },
  );
});

test.each(["%ff", "%zz%ff", "%ff%u", "%25"])("%s a hundred thousand times", (piece) => {
  const text = piece.repeat(100_000);
  expect(percentDecode(text)).toBe(new URLSearchParams(`a=${text}`).get("a"));
});
