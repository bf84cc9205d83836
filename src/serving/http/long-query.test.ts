import fc from "fast-check";
import { expect, test } from "vitest";
import { LongQuery } from "./long-query.js";
import { parseQuery } from "./parse-query.js";

const names = ["watch", "limit", "dryRun", "a", "j"];
const pieces = [
  ...names,
  ...["?", "&", "&", "=", "=", "+", ";", "%", "%zz", "%77atch", "%6a", "%6A", "%4aj", "dry%52un", "w%61tch%"],
  ...["%26", "%3d", "%2B", "%25", "%u0061", "%ff", "%C3%A9", "é", "v", "1,2"],
];
const queries = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));

test("every name has the values that URLSearchParams gives", () => {
  fc.assert(
    fc.property(queries, fc.boolean(), (query, allFirst) => {
      const expected = new URLSearchParams(query);
      const actual = new LongQuery(query);
      for (const name of names) {
        if (allFirst) expect(actual.getAll(name)).toEqual(expected.getAll(name));
        expect(actual.get(name)).toBe(expected.get(name));
        expect(actual.has(name)).toBe(expected.has(name));
        expect(actual.getAll(name)).toEqual(expected.getAll(name));
      }
    }),
    { numRuns: 5000 },
  );
});

test.each(["a=+%7a", "+%41", "a=b&", "a&", "%61=%ff&", "&", "=", "watch", "w&", "%77atc&"])(
  "%s again and again is read as in a short query",
  (piece) => {
    const query = `limit=1&${piece.repeat(4_000)}&w%61tch=1+2&limit=2`;
    const actual = parseQuery(query);
    expect(actual instanceof LongQuery).toBe(true);
    const expected = new URLSearchParams(query);
    for (const name of names) expect(actual.getAll(name)).toEqual(expected.getAll(name));
  },
);

test("plus signs in any number are spaces", () => {
  expect(parseQuery(`a=${"+".repeat(1_000_000)}b`).get("a")).toBe(`${" ".repeat(1_000_000)}b`);
});

test("a parameter with more than 5000 values is refused where all are asked for", () => {
  const query = parseQuery(`command=${"a&command=".repeat(5000)}`);
  expect(() => query.getAll("command")).toThrow('the query has more than 5000 parameters "command"');
  expect(query.get("command")).toBe("a");
  expect(parseQuery(`command=${"a&command=".repeat(4999)}`).getAll("command")).toHaveLength(5000);
});

test.each<[query: string, value: string | null]>([
  ["limit=2&a=1;b", "2"],
  ["limit=2;a=1", null],
  ["limit=2%3Ba", "2;a"],
  ["limit=%zz&limit=3", "3"],
  ["limit=1%&limit=%4", null],
  ["%zz=1&limit=4", "4"],
  [`${"&".repeat(3000)}limit=1;&${"b=%,&".repeat(1000)}limit=5`, "5"],
])("in %s, limit is %j: what is no parameter does not count", (query, value) => {
  expect(parseQuery(query).get("limit")).toBe(value);
});
