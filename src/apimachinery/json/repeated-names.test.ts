import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "./json-parse.js";
import { JsonParser } from "./json-parser.js";
import type { JsonValue } from "./json-value.js";
import { mayRepeatNames } from "./repeated-names.js";

/** Texts of JSON in which objects often have a name twice, with the characters that make names hard to find. */
const { document } = fc.letrec<{ document: string }>((tie) => {
  const string = fc
    .array(fc.constantFrom('"', "\\", ":", ",", "a", " ", "{", "\n"), { maxLength: 4 })
    .map((characters) => JSON.stringify(characters.join("")));
  const space = fc.constantFrom("", "", "", " ", "\n ");
  const member = fc
    .tuple(string, space, space, tie("document"))
    .map(([name, before, after, value]) => `${name}${before}:${after}${value}`);
  return {
    document: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("null", "1", "true"),
      string,
      fc.array(tie("document"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
      fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(",")}}`),
    ),
  };
});

/** Some engines misread names with escapes, hence the project's own parser. */
function parsed(text: string): { readonly value: JsonValue; readonly repeated: readonly string[] } {
  const repeated: string[] = [];
  const parser = new JsonParser(text, { onDuplicateField: (path) => repeated.push(path) });
  while (!parser.advance(1_000));
  return { value: parser.result, repeated };
}

test("no repeated name is missed, and each is reported", () => {
  fc.assert(
    fc.property(document, (text) => {
      const { value, repeated } = parsed(text);
      if (repeated.length > 0) expect(mayRepeatNames(text, value)).toBe(true);
      const reported: string[] = [];
      expect(parseJson(text, { onDuplicateField: (path) => reported.push(path) })).toEqual(value);
      expect(reported).toEqual(repeated);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['{"a":{"b":1,"c":[{"b":2},{"b":3}]},"b":{}}', false],
  ['{\n  "a": {\n    "b": "c: d"\n  }\n}', false],
  // Annotations often hold objects as text.
  [JSON.stringify({ a: JSON.stringify({ b: { c: 1 } }) }), false],
  ['{"__proto__":1,"constructor":2}', false],
  ['{"a":1,"a":1}', true],
  ['{"a":1,"a" :1}', true],
  ['{"a":[{"b":{"c":1,"c":2}}]}', true],
  ['{"__proto__":1,"__proto__":2}', true],
  [String.raw`{"a\\":1,"a\\":2}`, true],
  [String.raw`{"a":1,"\u0061":2}`, true],
])("%s may repeat names: %s", (text, may) => {
  const { value } = parsed(text);
  expect(mayRepeatNames(text, value)).toBe(may);
});
