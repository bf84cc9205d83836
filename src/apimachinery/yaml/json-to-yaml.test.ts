import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { jsonToYaml } from "./json-to-yaml.js";
import { parseYaml } from "./parse-yaml.js";

test("keys are sorted, lists not indented, structures kept", async () => {
  const json = '{"kind":"X","apiVersion":"v1","b":[1,{"z":true,"a":null}],"a":{},"c":[],"B":"x"}';
  expect(await jsonToYaml(json)).toBe(
    "B: x\na: {}\napiVersion: v1\nb:\n- 1\n- a: null\n  z: true\nc: []\nkind: X\n",
  );
});

test("strings that would be read as something else are quoted, exact integers stay exact", async () => {
  const json = '{"a":"yes","b":"1","c":"null","d":"on","e":"","f":9007199254740993,"g":"~","h":"2024-01-01"}';
  expect(await parseYaml(Buffer.from(await jsonToYaml(json)))).toEqual({
    a: "yes",
    b: "1",
    c: "null",
    d: "on",
    e: "",
    f: 9007199254740993n,
    g: "~",
    h: "2024-01-01",
  });
});

test("a dot is no number", async () => {
  expect(await jsonToYaml('{".":".","a":"1.","b":".5","c":1.5}')).toBe('.: .\na: "1."\nb: ".5"\nc: 1.5\n');
});

test.each([
  ["0o17", '"0o17"'],
  ["1e1_", '"1e1_"'],
  ["1_.5", '"1_.5"'],
  ["a\u007fb", '"a\\u007fb"'],
  ["\u0085", '"\\u0085"'],
  ["\u2028\n\ufeff", '"\\u2028\\n\\ufeff"'],
  ["é\u00a0😀", "é\u00a0😀"],
])("what Go's reader refuses or takes for a number is escaped: %j", async (text, expected) => {
  expect(await jsonToYaml(JSON.stringify({ a: text }))).toBe(`a: ${expected}\n`);
  expect(await jsonToYaml(JSON.stringify({ [text]: 1 }))).toBe(`${expected}: 1\n`);
});

test("every text is read back, by readers of both versions of YAML", async () => {
  const separators = ["- ", ": ", " #", "\n", " ", "'", '"', "0", "1_0", "0o7", "yes", "|", "  "];
  const piece = fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom(...separators));
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.array(tie("value")),
      fc.dictionary(text, tie("value")),
      fc.integer(),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (generated) => {
      const json = JSON.stringify(generated);
      const yaml = await jsonToYaml(json);
      expect(parse(yaml)).toEqual(JSON.parse(json));
      expect(await parseYaml(Buffer.from(yaml))).toEqual(JSON.parse(json));
    }),
    { numRuns: 100 },
  );
});

test.each(["1", "_", "1_", "1.", "-", "0o7", " ", "\t"])(
  "a text of many %j is printed in linear time",
  async (piece) => {
    const text = `${piece.repeat(200_000)}x`;
    expect(parse(await jsonToYaml(JSON.stringify({ text })))).toEqual({ text });
  },
);

test.each(["1", "1.", ".5", "-1_0.5e+1_0", "1.5.", "+_", "_._.e_", "0o17"])(
  "what Go's reader takes for a number is in quotes: %s",
  async (text) => expect(await jsonToYaml(JSON.stringify({ text }))).toBe(`text: "${text}"\n`),
);

test.each(["1..", "1.5.5", "1e", "1-", "x1"])("what is no number needs no quotes: %s", async (text) =>
  expect(await jsonToYaml(JSON.stringify({ text }))).toBe(`text: ${text}\n`),
);

test("what is nested too deep for the library stays JSON, which is YAML", async () => {
  const deep = `${'{"a":['.repeat(490)}"x"${"]}".repeat(490)}`;
  const yaml = await jsonToYaml(deep);
  expect(await parseYaml(Buffer.from(yaml))).toEqual(JSON.parse(deep));
  expect(await jsonToYaml(`[${deep},1]`)).toBe(`- ${yaml}- 1\n`);
});

test("long and multi-line text survives", async () => {
  const text = `${"word ".repeat(100)}\nsecond line\n  indented\n`;
  const yaml = await jsonToYaml(JSON.stringify({ text }));
  expect(await parseYaml(Buffer.from(yaml))).toEqual({ text });
});

test("text in double quotes is on one line, where all readers read it as it is", async () => {
  const text = `\t${"word ".repeat(20)}\n\\ \n  \n`;
  const yaml = await jsonToYaml(JSON.stringify({ text }));
  expect(yaml).toMatch(/^text: ".*"\n$/);
  expect(parse(yaml)).toEqual({ text });
});
