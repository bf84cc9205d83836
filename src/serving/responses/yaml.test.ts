import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { wellFormed } from "../../apimachinery/well-formed.js";
import { parseYaml } from "../request/yaml-body.js";
import { jsonToYaml } from "./yaml.js";

test("keys are sorted, lists not indented, structures kept", () => {
  const json =
    '{"kind":"X","apiVersion":"v1","b":[1,{"z":true,"a":null},[[],[2,{}]]],"a":{},"c":[],"B":"x","d":{"e":{"f":[{"g":1}]}}}';
  expect(jsonToYaml(json)).toBe(
    "B: x\na: {}\napiVersion: v1\nb:\n- 1\n- a: null\n  z: true\n- - []\n  - - 2\n    - {}\nc: []\nd:\n  e:\n    f:\n    - g: 1\nkind: X\n",
  );
});

test.each([
  ["nginx:1.21", "nginx:1.21"],
  ["a/b@sha256", "a/b@sha256"],
  ["10.0.0.1", "10.0.0.1"],
  ["the pod was scheduled to node-1", "the pod was scheduled to node-1"],
  ['no "a<b" [c, {d}], e#1', 'no "a<b" [c, {d}], e#1'],
  ["a:", '"a:"'],
  ["a ", '"a "'],
  ["yes", '"yes"'],
  ["Off", '"Off"'],
  ["", '""'],
  ["1", '"1"'],
  ["1e3", '"1e3"'],
  ["1:30", '"1:30"'],
  ["2024-01-02T03:04:05Z", '"2024-01-02T03:04:05Z"'],
  ["a: b", '"a: b"'],
  ["a #b", '"a #b"'],
  ["- a", '"- a"'],
  ["<<", '"<<"'],
  ["a\u0085\u2028b", '"a\\u0085\\u2028b"'],
  ["one\ntwo\n", "|\n  one\n  two"],
  ["one\n\n  two", "|-\n  one\n\n    two"],
  ["one\n\n", "|+\n  one\n"],
  ["one \ntwo", '"one \\ntwo"'],
  [" one\ntwo", '" one\\ntwo"'],
])("the text %j is printed as %s", (text, expected) => {
  expect(jsonToYaml(JSON.stringify({ a: text }))).toBe(`a: ${expected}\n`);
});

test("a document may be a scalar or a list, and keys may be anything", () => {
  expect(jsonToYaml("1")).toBe("1\n");
  expect(jsonToYaml('["a",[]]')).toBe("- a\n- []\n");
  expect(jsonToYaml('{"":1,"a b":2,"true":3,".":4,"f:x":5,"k:{\\"a\\"}":6}')).toBe(
    '"": 1\n".": 4\na b: 2\nf:x: 5\nk:{"a"}: 6\n"true": 3\n',
  );
});

test("exact integers stay exact", async () => {
  const json = '{"a":9007199254740993,"b":-1.5e-7,"c":12345678901234567890}';
  expect(await parseYaml(Buffer.from(jsonToYaml(json)))).toEqual({
    a: 9007199254740993n,
    b: -1.5e-7,
    c: 12345678901234567890n,
  });
});

/** Text that YAML has many ideas about. */
const awkward = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "a",
      "1",
      ".",
      ":",
      " ",
      "\n",
      "-",
      "#",
      "e",
      "~",
      "|",
      "\t",
      "'",
      '"',
      "_",
      "/",
      "\u0085",
      "\ufeff",
    ),
  }),
  fc.constantFrom(
    "yes",
    "NO",
    "null",
    "~",
    "0x1f",
    "1_000",
    "017",
    "1e3",
    ".5",
    "2001-01-01",
    "12:30:45",
    "=",
    "<<",
    "E5",
    "a".repeat(1100),
  ),
);

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    awkward,
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value")),
  object: fc.dictionary(awkward, tie("value")),
})).value;

test("what is printed reads back the same, by readers of either version", async () => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const expected = JSON.parse(
        JSON.stringify(value, (_key, v) => (typeof v === "string" ? wellFormed(v) : v)),
      );
      const text = jsonToYaml(JSON.stringify(expected));
      const options = { maxAliasCount: 0, prettyErrors: false, keepSourceTokens: false } as const;
      expect(parse(text, { ...options, version: "1.2" })).toEqual(expected);
      expect(parse(text, { ...options, version: "1.1", merge: false })).toEqual(expected);
      // A text that begins like JSON would not be read as YAML.
      expect(await parseYaml(Buffer.from(`---\n${text}`))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
