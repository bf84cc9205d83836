import fc from "fast-check";
import { expect, test } from "vitest";
import { comparePathElements, keyElement, valueElement } from "./path-element.js";

type Scalar = string | number | boolean;

/** In the order of values: numbers, then strings, then booleans. */
function compareScalars(a: Scalar, b: Scalar): number {
  const rank = (value: Scalar) => ["number", "string", "boolean"].indexOf(typeof value);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return a === b ? 0 : a < b ? -1 : 1;
}

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.nat(200),
  fc.integer({ min: -20, max: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: fc.constantFrom(...'ab.-_1A, \\"{:}é'), maxLength: 3 }),
  fc.boolean(),
);

test("elements are in the order of their values", () => {
  fc.assert(
    fc.property(scalar, scalar, (a, b) => {
      expect(Math.sign(comparePathElements(valueElement(a), valueElement(b)))).toBe(
        Math.sign(compareScalars(a, b)),
      );
    }),
    { numRuns: 1000 },
  );
});

test("keys are in the order of their names, then their values", () => {
  const key = fc.record({ name: fc.constantFrom("a", "ab", "b"), value: scalar, other: scalar });
  fc.assert(
    fc.property(key, key, (a, b) => {
      const element = ({ name, value, other }: typeof a) =>
        keyElement([
          [name, value],
          ["z", other],
        ]);
      const names = a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
      const expected = names || compareScalars(a.value, b.value) || compareScalars(a.other, b.other);
      expect(Math.sign(comparePathElements(element(a), element(b)))).toBe(Math.sign(expected));
    }),
    { numRuns: 1000 },
  );
});
