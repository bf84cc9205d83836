import fc from "fast-check";
import { expect, test } from "vitest";
import type { LabelOperator, LabelRequirement } from "./label-requirement.js";
import {
  LabelSelector,
  labelSelectorFromObject,
  parseLabelSelector,
  storedLabelSelector,
} from "./label-selector.js";

test.each([
  ["", ""],
  ["x=a,y=b,z=c", "x=a,y=b,z=c"],
  ["z=c,x=a", "x=a,z=c"],
  ["x==a", "x==a"],
  ["x!=a,z=5", "x!=a,z=5"],
  ["x=,z= ", "x=,z="],
  ["x= ,z= ", "x=,z="],
  ["!x", "!x"],
  ["x>1", "x>1"],
  ["x>1,z<5", "x>1,z<5"],
  ["x in (b,a)", "x in (a,b)"],
  [" x  notin ( a , b ) ", "x notin (a,b)"],
  ["x in ()", "x in ()"],
  ["x in (,a)", "x in (,a)"],
  ["x in (a,)", "x in (,a)"],
  ["x in (a,,b)", "x in (,a,b)"],
  ["in in (in,notin)", "in in (in,notin)"],
  ["notin=in", "notin=in"],
  ["a,!b,c", "a,!b,c"],
  ["example.com/x=y", "example.com/x=y"],
])("%j is read as %j", (text, canonical) => {
  expect(parseLabelSelector(text).toString()).toBe(canonical);
});

test.each([
  ["x=a||y=b", 'unable to parse requirement: values[0][x]: Invalid value: "a||y": a valid label must be'],
  ["x==a==b", "found '==', expected: ',' or 'end of string'"],
  ["!x=a", "found '=', expected: ',' or 'end of string'"],
  [
    "x<a",
    "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  ["x,", "found '', expected: identifier after ','"],
  ["x,,y", "found ',', expected: identifier after ','"],
  [",x", "found ',', expected: !, identifier, or 'end of string'"],
  ["x a", "unable to parse requirement: found 'a', expected: in, notin, =, ==, !=, gt, lt"],
  ["x in a", "unable to parse requirement: found 'a' expected: '('"],
  ["x in (a", "unable to parse requirement: found '', expected: ',' or ')'"],
  ["x in (=", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ["x=(", "unable to parse requirement: found '(', expected: identifier"],
  ["!", "unable to parse requirement: found '', expected: identifier"],
  ["-x=a", 'unable to parse requirement: <nil>: Invalid value: "-x": name part must consist of'],
])("%j fails with %j", (text, message) => {
  expect(() => parseLabelSelector(text)).toThrow(message);
});

test.each([
  ["", {}, true],
  ["x=a", { x: "a" }, true],
  ["x=a", { x: "b" }, false],
  ["x!=a", {}, true],
  ["x!=a", { x: "a" }, false],
  ["x notin (a,b)", { x: "c" }, true],
  ["x in (a,b)", {}, false],
  ["x", { x: "" }, true],
  ["!x", { x: "" }, false],
  ["x=", { x: "" }, true],
  ["x=", {}, false],
  ["x>1", { x: "2" }, true],
  ["x>1", { x: "1" }, false],
  ["x<10", { x: "9" }, true],
  ["x<10", { x: "many" }, false],
  ["x>9223372036854775806", { x: "9223372036854775807" }, true],
  ["toString", {}, false],
  ["x=a,y=b", { x: "a", y: "b", z: "c" }, true],
  ["x=a,y=b", { x: "a" }, false],
])("%j on %j is %s", (text, labels, expected) => {
  expect(parseLabelSelector(text).matches(labels)).toBe(expected);
});

const word = fc.stringMatching(/^[a-z]([a-z0-9]{0,8})$/);
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({
    key: word,
    operator: fc.constantFrom<LabelOperator>("=", "==", "!="),
    values: fc.tuple(fc.oneof(word, fc.constant(""))),
  }),
  fc.record({
    key: word,
    operator: fc.constantFrom<LabelOperator>("in", "notin"),
    values: fc.uniqueArray(fc.oneof(word, fc.constant("")), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ key: word, operator: fc.constantFrom<LabelOperator>("exists", "!"), values: fc.constant([]) }),
  fc.record({
    key: word,
    operator: fc.constantFrom<LabelOperator>(">", "<"),
    values: fc.tuple(fc.nat().map(String)),
  }),
);

test("printing and parsing are inverse", () => {
  fc.assert(
    fc.property(fc.array(requirement, { maxLength: 5 }), (requirements) => {
      const selector = LabelSelector.of(requirements);
      const again = parseLabelSelector(selector.toString());
      expect(again.toString()).toBe(selector.toString());
      expect(again.requirements().map((r) => [r.key, r.operator])).toEqual(
        selector.requirements().map((r) => [r.key, r.operator]),
      );
    }),
  );
});

test("any text is either read or refused with an Error", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ax1=!<>(), in\0"), maxLength: 20 }), (text) => {
      let selector: LabelSelector;
      try {
        selector = parseLabelSelector(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        return;
      }
      expect(parseLabelSelector(selector.toString()).toString()).toBe(selector.toString());
    }),
  );
});

test("a selector in an object: absent selects nothing, empty everything", () => {
  expect(labelSelectorFromObject(undefined).matches({ a: "b" })).toBe(false);
  expect(labelSelectorFromObject(undefined).isEmpty()).toBe(false);
  expect(labelSelectorFromObject({}).matches({ a: "b" })).toBe(true);
  const selector = labelSelectorFromObject({
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["b", "a"] },
      { key: "x", operator: "DoesNotExist" },
      { key: "y", operator: "NotIn", values: ["z"] },
      { key: "w", operator: "Exists" },
    ],
  });
  expect(selector.toString()).toBe("app=web,tier in (a,b),w,!x,y notin (z)");
  expect(selector.matches({ app: "web", tier: "a", w: "" })).toBe(true);
  expect(selector.matches({ app: "web", tier: "c", w: "" })).toBe(false);
});

test("an invalid selector in an object is refused", () => {
  const of = (operator: string, values: string[]) => () =>
    labelSelectorFromObject({ matchExpressions: [{ key: "a", operator, values }] });
  expect(of("Odd", [])).toThrow('"Odd" is not a valid label selector operator');
  expect(of("In", [])).toThrow("values set can't be empty");
  expect(of("Exists", ["x"])).toThrow("values set must be empty for exists and does not exist");
});

test("a stored selector that cannot be read selects nothing", () => {
  const of = (value: string) =>
    storedLabelSelector({ matchExpressions: [{ key: "a", operator: "NotIn", values: [value] }] });
  expect(of("no label").isNothing()).toBe(true);
  expect(of("label").matches({ a: "other" })).toBe(true);
});

test("the exact value of a key", () => {
  const selector = parseLabelSelector("a=1,b in (2),c in (3,4),d!=5");
  expect(["a", "b", "c", "d", "e"].map((key) => selector.exactValue(key))).toEqual([
    "1",
    "2",
    undefined,
    undefined,
    undefined,
  ]);
});
