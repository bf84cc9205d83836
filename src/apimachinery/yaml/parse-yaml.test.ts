import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseYaml } from "./parse-yaml.js";
import { YamlSyntaxError } from "./yaml-syntax-error.js";

const parse = (text: string) => parseYaml(Buffer.from(text));

test.each<[string, unknown]>([
  ["", null],
  ["---\n", null],
  ["a: b", { a: "b" }],
  ['{"json": [1, 2.5, true, null]}', { json: [1, 2.5, true, null] }],
  ["{flow: yes, style: [x, 0x10]}", { flow: true, style: ["x", 16] }],
  ["a: yes\nb: Off\nc: y\nd: 'yes'", { a: true, b: false, c: true, d: "yes" }],
  ["a: ~\nb:\nc: null", { a: null, b: null, c: null }],
  ["a: 0x1f\nb: 0o17\nc: 017\nd: 1_000\ne: 0b11\nf: 09", { a: 31, b: 15, c: 15, d: 1000, e: 3, f: 9 }],
  ["a: -0x1f\nb: +1\nc: -0\nd: 0", { a: -31, b: 1, c: 0, d: 0 }],
  // Not about numbers.
  [".: .\n-: +\n1.2.3: e5\nE7: 1e\n'1': '2'", { ".": ".", "-": "+", "1.2.3": "e5", E7: "1e", "1": "2" }],
  ["a: !!int '5'\nb: !!str 5\nc: !!float 5", { a: 5, b: "5", c: 5 }],
  ["a: 1e999", { a: "1e999" }],
  ["a: 12345678901234567890\nb: -9007199254740993", { a: 12345678901234567890n, b: -9007199254740993n }],
  ["a: 1.5e3\nb: .5\nc: -1.", { a: 1500, b: 0.5, c: -1 }],
  ["when: 2024-01-02T03:04:05Z\nday: 2024-01-02", { when: "2024-01-02T03:04:05Z", day: "2024-01-02" }],
  ["a: 1:30", { a: "1:30" }],
  ["1: a\ntrue: b\n1.5: c", { 1: "a", true: "b", "1.5": "c" }],
  ["? .inf\n? -.Inf\n? .NAN\n: a", { ".inf": null, "-.inf": null, ".nan": "a" }],
  ["1.10: a\n1.23456789: b\n1e-7: c\n-0.0: d", { "1.1": "a", "1.2345679": "b", "1e-07": "c", "-0": "d" }],
  [
    "1234567.8: a\n123456.7: b\n0.0001: c\n0.00001: d",
    { "1.2345678e+06": "a", "123456.7": "b", "0.0001": "c", "1e-05": "d" },
  ],
  [
    "1e40: a\n1e-46: b\n16777217.0: c\n16777217: d",
    { ".inf": "a", "0": "b", "1.6777216e+07": "c", "16777217": "d" },
  ],
  ["123456789012345678901: a\n9223372036854775807: b", { "1.2345679e+20": "a", "9223372036854775807": "b" }],
  ["a: |\n  x\n  y\nb: >-\n  x\n  y", { a: "x\ny\n", b: "x y" }],
  ["a: &x {b: 1}\nc: *x\nd: [*x, *x]", { a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }, { b: 1 }] }],
  ["base: &x {a: 1, b: 2}\nc:\n  <<: *x\n  b: 3", { base: { a: 1, b: 2 }, c: { b: 3, a: 1 } }],
  ["c:\n  <<: [{a: 1}, {a: 2, b: 2}]", { c: { a: 1, b: 2 } }],
  ["a: first\n---\na: second", { a: "first" }],
  ["a: first\n---\n[", { a: "first" }],
  ["a: 1\na: 2", { a: 2 }],
  ["# only a comment", null],
  ["a: -.5\nb: +.5\nc: .5e1", { a: -0.5, b: 0.5, c: 5 }],
  ["a: 0xFFFFFFFFFFFFFFFF\nb: 0x1FFFFFFFFFFFFFFFF", { a: 18446744073709551615n, b: "0x1FFFFFFFFFFFFFFFF" }],
  ["a: !!binary aGVsbG8=\nb: !!binary |\n  aGVs\n  bG8=", { a: "hello", b: "hello" }],
  ["a: !!omap [b: c]\nd: !!pairs [e: f]", { a: [{ b: "c" }], d: [{ e: "f" }] }],
  // A block at the end of a text without a final line break lacks it too.
  ["a: |\n  x\n  y", { a: "x\ny" }],
  ["a: >\n  x\n  y", { a: "x y" }],
  ["a: |+\n  x", { a: "x" }],
  ["a: |\n  x\n  ", { a: "x\n" }],
  ["a: |\n  x\n# x", { a: "x\n" }],
])("%j", async (text, expected) => {
  expect(await parse(text)).toEqual(expected);
});

test("a key named __proto__ is a key", async () => {
  const value = await parse("__proto__: {polluted: true}");
  expect(Object.keys(value as object)).toEqual(["__proto__"]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([
  ["a: [1", /^line 1: /],
  ["a: b\n\tc: d", /^line 2: /],
  ["a: *missing", /missing/],
  ["? [1, 2]\n: x", /a map key must be a scalar/],
  ["a: .inf", /a number must be finite/],
  ["<<: 5", /map merge requires map/],
  ["~: a", /a map key must not be null/],
  ["9223372036854775808: a", /unsupported map key of type: uint64/],
  ["a: !!binary x", /!!binary value contains invalid base64 data/],
  ['a: "\\uD800"', /invalid Unicode character escape code/],
  ["a: \u0007", /control characters are not allowed/],
  ["a: \u0080", /control characters are not allowed/],
])("%j is refused", async (text, message) => {
  await expect(parse(text)).rejects.toThrow(message);
  await expect(parse(text)).rejects.toBeInstanceOf(YamlSyntaxError);
});

test("aliases that stand for more than memory holds are refused", async () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++)
    lines.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(", ")}]`);
  await expect(parse(lines.join("\n"))).rejects.toThrow("excessive aliasing");
});

describe.each([
  ["flow lists", (depth: number) => `a: ${"[".repeat(depth)}`],
  ["flow maps", (depth: number) => "{a: ".repeat(depth)],
  ["block lists", (depth: number) => `${"- ".repeat(depth)}a\nb`],
  ["keys", (depth: number) => `${"? ".repeat(depth)}a\nb`],
  ["lines", (depth: number) => Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
])("%s", (_what, nested) => {
  // The process must not run out of stack: it would end.
  test.each([251, 2000, 30_000])("nested %i deep are refused", async (depth) => {
    const text = nested(depth).slice(0, 3 * 1024 * 1024);
    await expect(parse(text)).rejects.toThrow(/exceeded max depth/);
  });
});

test("what is nested as deep as any kind needs is read", async () => {
  const lines = Array.from({ length: 200 }, (_, i) => `${"  ".repeat(i)}properties:`);
  let value: unknown = null;
  for (let i = 0; i < 200; i++) value = { properties: value };
  expect(await parse(lines.join("\n"))).toEqual(value);
});

test("lines of many keys that repeat are told without reading the text for each", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? "a: 1" : "b: 2"));
  const told: number[] = [];
  await parseYaml(Buffer.from(lines.join("\r\n")), (_key, line) => told.push(line));
  expect(told).toEqual(Array.from({ length: 19_998 }, (_, i) => i + 3));
});

test("an alias means the last anchor of its name before it, in keys too", async () => {
  expect(await parse("a: &x 1\nb: *x\nc: &x 2\nd: *x\n&k e: 3\nf: *k\n? *k\n: 4")).toEqual({
    a: 1,
    b: 1,
    c: 2,
    d: 2,
    e: 4,
    f: "e",
  });
});

test("an anchor inside itself is refused", async () => {
  await expect(parse("a: &x [*x]")).rejects.toBeInstanceOf(YamlSyntaxError);
});

test("JSON is YAML", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      // The library reads "-0" as 0.
      const text = JSON.stringify(value);
      const expected = JSON.parse(text, (_key, v) => (Object.is(v, -0) ? 0 : v));
      expect(normalize(await parse(text))).toEqual(normalize(expected));
    }),
    { numRuns: 200 },
  );
});

/** Integers that YAML keeps exact are compared by their JSON form. */
function normalize(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, v) => (typeof v === "bigint" ? Number(v) : Object.is(v, -0) ? 0 : v)),
  );
}
