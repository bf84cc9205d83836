import { expect, test } from "vitest";
import { parseQuery } from "./parse-query.js";

test.each([
  "",
  "a=b&c=d",
  "labelSelector=a+in+(b,c)&limit=5",
  "a=1%2B1+%2b&b=+",
  "+=+&&=&a",
  "+a+=b",
  "a=%zz+%ff+é&%20=+%20",
  "?a=+1",
])("%j is read as Node reads it", (query) => {
  expect([...parseQuery(query)]).toEqual([...new URLSearchParams(query)]);
});

test("plus signs in any number are spaces", () => {
  expect(parseQuery(`a=${"+".repeat(1_000_000)}b`).get("a")).toBe(`${" ".repeat(1_000_000)}b`);
});
