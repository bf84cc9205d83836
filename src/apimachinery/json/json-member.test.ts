import fc from "fast-check";
import { expect, test } from "vitest";
import { memberOf } from "./json-member.js";

const find = (object: object, name: string): string | undefined =>
  memberOf(Buffer.from(JSON.stringify(object).slice(1)), name)?.toString("utf8");

test.each<[object, string | undefined]>([
  [{ metadata: { name: "a" }, spec: {} }, '{"name":"a"}'],
  [{ spec: { metadata: 1 }, data: '"metadata":{', metadata: {} }, "{}"],
  [{ a: "\\", b: '\\"', "c\\": [[], ["]"]], metadata: "last" }, '"last"'],
  [{ a: 1, b: -1.5e3, c: true, d: null, metadata: 7 }, "7"],
  [{ metadatas: 1, metadat: 2 }, undefined],
  [{}, undefined],
])("the member of %j is %s", (object, expected) => {
  expect(find(object, "metadata")).toBe(expected);
});

test("every member of any object is found as it stands there", () => {
  const names = fc.constantFrom("a", "b", "metadata", "spec");
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), (object) => {
      for (const name of ["a", "b", "metadata", "spec"]) {
        const value = Object.hasOwn(object, name) ? object[name] : undefined;
        expect(find(object, name)).toBe(value === undefined ? undefined : JSON.stringify(value));
      }
    }),
  );
});
