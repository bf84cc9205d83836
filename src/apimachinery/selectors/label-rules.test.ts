import fc from "fast-check";
import { expect, test } from "vitest";
import type { LabelOperator, LabelRequirement, Labels } from "./label-requirement.js";
import { LabelRules } from "./label-rules.js";

/** The meaning of each requirement by itself. */
function holds({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case ">":
    case "<": {
      if (value === undefined || !/^\d+$/.test(value)) return false;
      return operator === ">" ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]);
    }
  }
}

const key = fc.constantFrom(
  "a",
  "b",
  "c",
  "toString",
  "__proto__",
  ...Array.from({ length: 12 }, (_, i) => `k${i}`),
);
const value = fc.constantFrom("", "1", "2", "3", "x");
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom<LabelOperator>("=", "==", "!="), values: fc.tuple(value) }),
  fc.record({
    key,
    operator: fc.constantFrom<LabelOperator>("in", "notin"),
    values: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ key, operator: fc.constantFrom<LabelOperator>("exists", "!"), values: fc.constant([]) }),
  fc.record({
    key,
    operator: fc.constantFrom<LabelOperator>(">", "<"),
    values: fc.tuple(fc.constantFrom("1", "2", "3")),
  }),
);
const labels = fc.dictionary(key, value, { maxKeys: 20 });

test("rules are what the requirements say one by one", () => {
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 4 }), labels, (requirements, object) => {
      const expected = requirements.every((each) => holds(each, object));
      expect(new LabelRules(requirements).matches(object)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

test("so they are when there are many", () => {
  const wide = fc.array(
    fc.record({ key, operator: fc.constant<LabelOperator>("!="), values: fc.tuple(value) }),
    {
      minLength: 10,
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(wide, fc.array(requirement, { maxLength: 1 }), labels, (many, more, object) => {
      const requirements = [...many, ...more];
      const expected = requirements.every((each) => holds(each, object));
      expect(new LabelRules(requirements).matches(object)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

// Sixty thousand requirements took milliseconds for each object.
test("an object costs as much as it has labels", () => {
  const rules = new LabelRules(
    Array.from({ length: 60_000 }, (_, i) => ({ key: `k${i}`, operator: "!" as const, values: [] })),
  );
  let matching = 0;
  for (let round = 0; round < 200_000; round++) if (rules.matches({ app: "web", tier: "front" })) matching++;
  expect(matching).toBe(200_000);
  expect(rules.matches({ app: "web", k59999: "" })).toBe(false);
});
