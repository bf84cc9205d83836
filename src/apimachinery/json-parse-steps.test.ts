import { expect, test } from "vitest";
import { JsonSyntaxError, parseJson } from "./json-parse.js";
import { parsingSteps } from "./json-parse-steps.js";
import { allSteps } from "./steps.js";

const long = "x".repeat(40_000);
const many = (count: number, item: (i: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => item(i));
const wide = (count: number): object =>
  Object.fromEntries(many(count, (i) => [`name${i}`, { type: "string", a: [i, null, true] }]) as []);

const values: readonly (readonly [name: string, value: unknown])[] = [
  ["a wide object", wide(10_000)],
  ["a wide list", many(30_000, (i) => ({ i }))],
  ["wide objects below each other", { a: 1, b: { c: wide(5000), d: [wide(5000), 2, wide(10)] }, e: "f" }],
  ["lists of lists", [[many(30_000, String)], [], [[[many(30_000, (i) => [i])]], 1]]],
  ["long texts", { a: long, b: [long, long, { [long]: long, c: '"\\' }], '"': long, "\\": "\\\\" }],
  ["a wide object at the end", [1, [], {}, wide(8000)]],
  ["a wide object at the start", [wide(8000), 1, [], {}]],
  ["a large member last", { a: 1, b: wide(8000) }],
  ["nested", many(150, () => 0).reduce((inner: unknown, _, i) => ({ i, inner, text: "x".repeat(1000) }), {})],
  ["nested deeply", many(700, () => 0).reduce((inner: unknown) => [inner, "x".repeat(300)], 1)],
  ["one text", "x".repeat(200_000)],
];

test.each(values)("reads %s as the parser does", (_name, value) => {
  const text = JSON.stringify(value);
  expect(text.length).toBeGreaterThan(140_000);
  const parsed = allSteps(parsingSteps(text));
  expect(JSON.stringify(parsed) === text).toBe(true);
});

test("takes steps for a large text, whatever its form", () => {
  for (const [name, value] of values.slice(0, 9)) {
    const steps = [...parsingSteps(JSON.stringify(value))];
    expect(steps.length, name).toBeGreaterThan(1);
  }
});

test("repeated names, odd names and large integers", () => {
  const filler = JSON.stringify(wide(8000));
  const text = `{"__proto__":${filler},"a":1,"b":${filler},"a":{"c":12345678901234567890},"__proto__":[${filler}],"2":0,"1":"\\ud800","z":${filler}}`;
  expect(allSteps(parsingSteps(text))).toEqual(parseJson(text));
  expect(Object.keys(allSteps(parsingSteps(text)) as object)).toEqual(Object.keys(parseJson(text) as object));
});

const filler = JSON.stringify(wide(8000));
test.each([
  `{"a":${filler}"b":1}`,
  `{"a":${filler},}`,
  `{"a":${filler},,"b":1}`,
  `[${filler},]`,
  `[${filler} 1]`,
  `[1 ${filler}]`,
  `[${filler}]]`,
  `[${filler}}`,
  `[${filler}`,
  `{${filler}}`,
  `{1:${filler}}`,
  `{"a" ${filler}}`,
  `{"a":"${"x".repeat(200_000)}`,
  `]${filler}`,
  `,${filler}`,
  `${filler}${filler}`,
  `{${'"a":1,'.repeat(40_000)}}`,
  `{${'"a":1,'.repeat(40_000)},"b":${filler}}`,
])("refuses a malformed text as the parser does (%#)", (text) => {
  const failure = (parse: () => unknown): unknown => {
    try {
      return parse();
    } catch (error) {
      return error;
    }
  };
  const expected = failure(() => parseJson(text));
  expect(expected).toBeInstanceOf(JsonSyntaxError);
  expect(failure(() => allSteps(parsingSteps(text)))).toEqual(expected);
});

test("white space anywhere", () => {
  const text = JSON.stringify({ a: [wide(4000)], b: wide(4000), c: [1] }, undefined, 1);
  expect(allSteps(parsingSteps(` ${text}\n`))).toEqual(parseJson(text));
});
