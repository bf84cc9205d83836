import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseYaml } from "../request/yaml-body.js";
import { jsonToYaml } from "./yaml.js";

const printed = (value: unknown): string => jsonToYaml(JSON.stringify(value));

test("keys are sorted, lists not indented, structures kept", () => {
  const json =
    '{"kind":"X","apiVersion":"v1","b":[1,{"z":true,"a":null},[[2],[]]],"a":{},"c":[],"B":{"d":{"e":"x"}}}';
  expect(jsonToYaml(json)).toBe(
    "B:\n  d:\n    e: x\na: {}\napiVersion: v1\nb:\n- 1\n- a: null\n  z: true\n- - - 2\n  - []\nc: []\nkind: X\n",
  );
  expect(jsonToYaml('"x"')).toBe("x\n");
  expect(jsonToYaml("[]")).toBe("[]\n");
});

test("exact integers stay exact", () => {
  expect(jsonToYaml("[9007199254740993,1e-7,1e30]")).toBe("- 9007199254740993\n- 1e-7\n- 1e+30\n");
});

describe("text, as the original prints it", () => {
  test.each([
    ...["yes", "On", "n", "null", "~", "1", "-1.5", "1e3", "0x1f", "0o7", "0b1", "1_000", "1:30"],
    ...["", ".inf", "2024-01-01", "2024-01-01T00:00:00Z", "1.", ".5"],
  ])("%j would be read as something else", (text) => expect(printed({ a: text })).toBe(`a: "${text}"\n`));

  test.each([
    ...["a", "10.0.0.1", "100m", "1Gi", "--flag=x", "http://x/y?z", "a, b", "it's", "1.2.3", "nulls", "yEs"],
    ...["é", "a#b", "x:y", "1-2", "\u00a0"],
  ])("%j stays bare", (text) => expect(printed({ a: text })).toBe(`a: ${text}\n`));

  test.each([
    ["a: b", "'a: b'"],
    ["a:", "'a:'"],
    ["a #b", "'a #b'"],
    [" a", "' a'"],
    ["a ", "'a '"],
    ["- a", "'- a'"],
    ["*", "'*'"],
    ["'a'", "'''a'''"],
    ["=", "'='"],
    ["---", "'---'"],
  ])("%j is in single quotes", (text, expected) => expect(printed({ a: text })).toBe(`a: ${expected}\n`));

  test.each([
    ["a\tb", '"a\\tb"'],
    ["a\r\nb", '"a\\r\\nb"'],
    ["\u0007\u007f\u0085\u2028\ufeff", '"\\a\\x7F\\N\\L\\uFEFF"'],
    ["😀", '"\\U0001F600"'],
    ["a \nb", '"a \\nb"'],
  ])("%j has escapes", (text, expected) => expect(printed({ a: text })).toBe(`a: ${expected}\n`));

  test.each([
    ["a\nb\n", "|\n  a\n  b\n"],
    ["a\n\nb", "|-\n  a\n\n  b\n"],
    ["a\n\n", "|+\n  a\n\n"],
    [" a\nb", "|2-\n   a\n  b\n"],
  ])("%j is a block", (text, expected) => {
    expect(printed({ a: text })).toBe(`a: ${expected}`);
    expect(printed([text])).toBe(`- ${expected}`);
  });

  test("long lines are folded", () => {
    const words = "word ".repeat(30).trim();
    const lines = [`a: ${"word ".repeat(16).trim()}`, `  ${"word ".repeat(14).trim()}`, ""];
    expect(printed({ a: words })).toBe(lines.join("\n"));
    expect(printed({ a: `${words}: x` })).toMatch(/^a: 'word .*\n {2}word .*: x'\n$/);
    expect(printed({ a: `\t${words}` })).toMatch(/^a: "\\tword .*\n {2}word .*"\n$/);
  });
});

test("every text is read back, by readers of both versions of YAML", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom(
      "- ",
      ": ",
      " #",
      "\n",
      " ",
      "'",
      '"',
      "0",
      "1_0",
      "0o7",
      "yes",
      "|",
      "  ",
      "word ".repeat(20),
    ),
  );
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.array(tie("value")),
      fc.dictionary(text, tie("value")),
      fc.integer(),
    ),
  })).value;
  await fc.assert(
    fc.asyncProperty(value, async (expected) => {
      const json = JSON.parse(JSON.stringify(expected));
      const yaml = printed(json);
      expect(parse(yaml)).toEqual(json);
      expect(await parseYaml(Buffer.from(yaml))).toEqual(json);
    }),
    { numRuns: 60 },
  );
});

test("what is nested deep stays JSON, which is YAML", async () => {
  const deep = `${'{"a":['.repeat(490)}"x"${"]}".repeat(490)}`;
  const yaml = jsonToYaml(deep);
  expect(await parseYaml(Buffer.from(yaml))).toEqual(JSON.parse(deep));
  expect(jsonToYaml(`[${deep},1]`)).toBe(`- ${yaml}- 1\n`);
});
