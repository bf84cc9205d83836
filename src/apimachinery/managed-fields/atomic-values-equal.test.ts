import { expect, test, vi } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import type { StructType } from "../schema/merge-type.js";
import { atomicValuesEqual } from "./atomic-values-equal.js";

const text = { kind: "scalar", scalar: "string" } as const;

/** `next` nests the struct in itself, `at` is null unless it is given. */
function nestedType(visited: (name: string) => void): StructType {
  const type: StructType = {
    kind: "struct",
    atomic: true,
    others: undefined,
    field(name) {
      visited(name);
      const implicit = name === "at" ? null : undefined;
      return { type: name === "next" ? type : text, default: undefined, implicit };
    },
  };
  return type;
}

function nested(depth: number, innermost: JsonObject): JsonObject {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = { next: value };
  return value;
}

test.each([
  [{ a: "1" }, { a: "1" }, true],
  [{ a: "1" }, { a: "1", at: null }, true],
  [{ a: "1", at: null }, { a: "1" }, true],
  [{ a: "1" }, { a: "1", b: null }, true],
  [{ a: "1", b: "2" }, { a: "1" }, false],
  [{ a: "1" }, { a: "2" }, false],
])("%j and %j below others: equal %s", (left, right, equal) => {
  const type = nestedType(() => {});
  expect(atomicValuesEqual(nested(3, left), nested(3, right), type)).toBe(equal);
});

test("each field of nested structs is visited once", () => {
  const visited = vi.fn();
  atomicValuesEqual(nested(30, { a: "1" }), nested(30, { a: "1", at: null }), nestedType(visited));
  expect(visited).toHaveBeenCalledTimes(30 + 2);
});
