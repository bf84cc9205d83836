import fc from "fast-check";
import { expect, test } from "vitest";
import { compareUtf8 } from "./compare-text.js";

test("texts are ordered as their UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test("a character beyond the first plane comes after every other", () => {
  expect(compareUtf8("\u{1f600}", "～")).toBeGreaterThan(0);
  expect("\u{1f600}" < "～").toBe(true);
});
