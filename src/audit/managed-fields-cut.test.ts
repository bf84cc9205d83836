import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutManagedFields } from "./managed-fields-cut.js";

function cut(object: object, isRow = false): unknown {
  const pieces = withoutManagedFields(Buffer.from(JSON.stringify(object).slice(1)), isRow);
  return JSON.parse(`{${Buffer.concat(pieces).toString("utf8")}`);
}

test.each([
  [{ kind: "Pod", metadata: { name: "a", managedFields: [{ manager: "b" }] }, spec: {} }, { name: "a" }],
  [{ metadata: { managedFields: [{}], uid: "1" } }, { uid: "1" }],
  [{ metadata: { managedFields: [] } }, {}],
  [{ metadata: { name: "a" } }, { name: "a" }],
])("%j", (object, metadata) => {
  expect(cut(object)).toEqual({ ...object, metadata });
});

test("of a row they are cut out of its object", () => {
  const row = {
    cells: ["a"],
    object: { kind: "P", metadata: { name: "a", managedFields: [{ manager: "b" }] } },
  };
  expect(cut(row, true)).toEqual({ cells: ["a"], object: { kind: "P", metadata: { name: "a" } } });
  expect(cut({ cells: ["a"] }, true)).toEqual({ cells: ["a"] });
});

test("nothing else is cut, whatever the object", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (others, managedFields) => {
      // An object cannot have the key twice. JavaScript orders integer-like keys first.
      const { managedFields: _, ...rest } = others;
      const object = { spec: rest, metadata: { ...rest, managedFields, z: 1 }, data: rest };
      const expected = JSON.parse(JSON.stringify({ ...object, metadata: { ...rest, z: 1 } }));
      expect(cut(object)).toEqual(expected);
    }),
  );
});
