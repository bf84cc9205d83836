import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { takeNumberTexts, WrittenNumber } from "../json/written-number.js";
import { applyJsonPatch, jsonPatchCopyBytesMax, parseJsonPatch } from "./json-patch.js";
import { PatchError, statusOfPatchError } from "./patch-error.js";

function patch(document: JsonValue, operations: JsonValue): JsonValue {
  return applyJsonPatch(document, parseJsonPatch(operations));
}

const applied: [string, JsonValue, JsonValue, JsonValue][] = [
  ["adds a field", { a: 1 }, [{ op: "add", path: "/b", value: 2 }], { a: 1, b: 2 }],
  ["adds over a field", { a: 1 }, [{ op: "add", path: "/a", value: [2] }], { a: [2] }],
  ["adds null when there is no value", {}, [{ op: "add", path: "/a" }], { a: null }],
  ["inserts into a list", { a: [1, 3] }, [{ op: "add", path: "/a/1", value: 2 }], { a: [1, 2, 3] }],
  ["inserts at the end", { a: [1] }, [{ op: "add", path: "/a/1", value: 2 }], { a: [1, 2] }],
  ["appends", { a: [1] }, [{ op: "add", path: "/a/-", value: 2 }], { a: [1, 2] }],
  ["counts from the end", { a: [1, 2] }, [{ op: "remove", path: "/a/-1" }], { a: [1] }],
  ["appends at -1", { a: [1, 2] }, [{ op: "add", path: "/a/-1", value: 3 }], { a: [1, 2, 3] }],
  ["removes", { a: 1, b: { c: 2 } }, [{ op: "remove", path: "/b/c" }], { a: 1, b: {} }],
  ["replaces", { a: { b: 1 } }, [{ op: "replace", path: "/a/b", value: "x" }], { a: { b: "x" } }],
  ["replaces an item", [[1, 2]], [{ op: "replace", path: "/0/1", value: 3 }], [[1, 3]]],
  ["replaces a field that is not there", {}, [{ op: "replace", path: "/a", value: 1 }], { a: 1 }],
  ["copies a field that is not there", { a: 1 }, [{ op: "copy", from: "/b", path: "/a" }], { a: null }],
  [
    "leaves the document where it is to be a scalar",
    { a: 1 },
    [{ op: "replace", path: "", value: 1 }],
    { a: 1 },
  ],
  ["replaces the document", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
  ["moves", { a: { b: 1 }, c: {} }, [{ op: "move", from: "/a/b", path: "/c/d" }], { a: {}, c: { d: 1 } }],
  [
    "copies",
    { a: [1] },
    [
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/b/-", value: 2 },
    ],
    { a: [1], b: [1, 2] },
  ],
  [
    "unescapes",
    { "a/b": 1, "~1": 2 },
    [
      { op: "remove", path: "/a~1b" },
      { op: "add", path: "/~01", value: 3 },
      { op: "add", path: "/~2é🚤~~0~1~", value: 4 },
    ],
    { "~1": 3, "~2é🚤~~/~": 4 },
  ],
  [
    "tests fields in any order",
    { a: { x: 1, y: [null] } },
    [{ op: "test", path: "/a", value: { y: [null], x: 1 } }],
    { a: { x: 1, y: [null] } },
  ],
  ["tests absence with null", { a: 1 }, [{ op: "test", path: "/b", value: null }], { a: 1 }],
  ["tests the document", { a: 1 }, [{ op: "test", path: "", value: { a: 1 } }], { a: 1 }],
  ["takes the empty key", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
  ["does nothing for null", { a: 1 }, null, { a: 1 }],
];
test.each(applied)("%s", (_name, document, operations, expected) => {
  const before = JSON.stringify(document);
  expect(patch(document, operations)).toEqual(expected);
  expect(JSON.stringify(document)).toBe(before);
});

test("a number equals one that is written as it is", () => {
  const [whole, written] = [1, new WrittenNumber(1, "1.0")];
  const test = (document: JsonValue, value: JsonValue): JsonValue =>
    patch(document, [
      { op: "test", path: "/a", value },
      { op: "copy", from: "/a", path: "/b" },
    ]);
  expect(test({ a: whole }, whole)).toEqual({ a: 1, b: 1 });
  expect(takeNumberTexts(test({ a: [written] }, [new WrittenNumber(1, "1.0")]))).toEqual({
    value: { a: [1], b: [1] },
    numberTexts: new Map([
      ["a[0]", "1.0"],
      ["b[0]", "1.0"],
    ]),
  });
  for (const [a, value] of [
    [whole, written],
    [written, whole],
    [written, new WrittenNumber(1, "1e0")],
  ] as const) {
    expect(() => test({ a }, value)).toThrow("testing value /a failed");
  }
});

const refused: [string, JsonValue, JsonValue, string][] = [
  [
    "a path into a number, however it is written",
    { a: new WrittenNumber(1, "1.0") },
    [{ op: "add", path: "/a/text", value: 2 }],
    'add operation does not apply: doc is missing path: "/a/text": missing value',
  ],
  [
    "a missing parent",
    {},
    [{ op: "add", path: "/a/b", value: 1 }],
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    "a scalar parent",
    { a: 1 },
    [{ op: "add", path: "/a/b", value: 1 }],
    'add operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    "a null parent",
    { a: null },
    [{ op: "remove", path: "/a/b" }],
    'remove operation does not apply: doc is missing path: "/a/b": missing value',
  ],
  [
    "removing what is not there",
    {},
    [{ op: "remove", path: "/a" }],
    "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
  ],
  [
    "removing what is beyond a list",
    { a: [1] },
    [{ op: "remove", path: "/a/-2" }],
    "error in remove for path: '/a/-2': Unable to access invalid index: -2: invalid index referenced",
  ],
  [
    "replacing below what is not there",
    {},
    [{ op: "replace", path: "/a/b", value: 1 }],
    "replace operation does not apply: doc is missing path: /a/b: missing value",
  ],
  [
    "replacing the end of a list",
    { a: [1] },
    [{ op: "replace", path: "/a/-", value: 1 }],
    "replace operation does not apply: doc is missing key: /a/-: missing value",
  ],
  [
    "moving what is not there",
    {},
    [{ op: "move", from: "/a", path: "/b" }],
    "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
  ],
  [
    "moving from nowhere",
    {},
    [{ op: "move", from: "/a/b", path: "/b" }],
    "move operation does not apply: doc is missing from path: /a/b: missing value",
  ],
  [
    "moving to nowhere",
    { a: 1 },
    [{ op: "move", from: "/a", path: "/b/c" }],
    "move operation does not apply: doc is missing destination path: /b/c: missing value",
  ],
  [
    "copying what is beyond a list",
    { a: [] },
    [{ op: "copy", from: "/a/0", path: "/b" }],
    "error in copy for from: '/a/0': Unable to access invalid index: 0: invalid index referenced",
  ],
  [
    "copying from nowhere",
    { a: 1 },
    [{ op: "copy", from: "a", path: "/b" }],
    "copy operation does not apply: doc is missing from path: a: missing value",
  ],
  [
    "copying to nowhere",
    { a: 1 },
    [{ op: "copy", from: "/a", path: "b" }],
    "copy operation does not apply: doc is missing destination path: b: missing value",
  ],
  [
    "copying beyond a list",
    { a: [] },
    [{ op: "copy", from: "/a", path: "/a/1" }],
    "error while adding value during copy: Unable to access invalid index: 1: invalid index referenced",
  ],
  [
    "a failed test",
    { a: 1 },
    [{ op: "test", path: "/a", value: "1" }],
    "testing value /a failed: test failed",
  ],
  [
    "a test beyond a list",
    { a: [1] },
    [{ op: "test", path: "/a/1", value: null }],
    "error in test for path: '/a/1': Unable to access invalid index: 1: invalid index referenced",
  ],
  [
    "a test of what has no members",
    { a: 1 },
    [{ op: "test", path: "/a/1", value: null }],
    "test operation does not apply: is missing path: /a/1: missing value",
  ],
  [
    "an index beyond the list",
    { a: [1] },
    [{ op: "add", path: "/a/2", value: 1 }],
    "error in add for path: '/a/2': Unable to access invalid index: 2: invalid index referenced",
  ],
  [
    "an index that is none",
    { a: [1] },
    [{ op: "add", path: "/a/x", value: 1 }],
    `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
  ],
  [
    "an index that no list has",
    { a: [1] },
    [{ op: "remove", path: `/a/${"9".repeat(19)}` }],
    `error in remove for path: '/a/9999999999999999999': strconv.Atoi: parsing "9999999999999999999": value out of range`,
  ],
  ["an unknown operation", {}, [{ op: "merge", path: "/a" }], "Unexpected kind: merge"],
  ["no operation", {}, [null], "Unexpected kind: unknown"],
  ["no path", {}, [{ op: "add" }], "add operation failed to decode path: missing value"],
  [
    "a test of no path",
    {},
    [{ op: "test", path: null }],
    "test operation failed to decode path: operation missing path field: missing value",
  ],
  [
    "a path that is none",
    {},
    [{ op: "replace", path: 1 }],
    "replace operation failed to decode path: json: cannot unmarshal number into Go value of type string",
  ],
  [
    "a copy from no path",
    {},
    [{ op: "copy", path: "/a" }],
    "copy operation failed to decode from: operation, missing from field: missing value",
  ],
  [
    "adding the document",
    {},
    [{ op: "add", path: "", value: {} }],
    'add operation does not apply: doc is missing path: "": missing value',
  ],
  [
    "inherited fields",
    {},
    [{ op: "add", path: "/__proto__/x", value: 1 }],
    'add operation does not apply: doc is missing path: "/__proto__/x": missing value',
  ],
];
test.each(refused)("refuses %s", (_name, document, operations, message) => {
  const error = thrownBy(() => patch(document, operations));
  expect(error.kind).toBe("rejected");
  expect(error.message).toBe(message);
  expect(statusOfPatchError(error).status).toMatchObject({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
  });
});

test("the form and the number of operations are checked first", () => {
  for (const [patch, what] of [
    [{ op: "add" }, "object into Go value of type jsonpatch.Patch"],
    [5n, "number into Go value of type jsonpatch.Patch"],
    [["add"], "string into Go value of type jsonpatch.Operation"],
    [[[]], "array into Go value of type jsonpatch.Operation"],
    [[true], "bool into Go value of type jsonpatch.Operation"],
  ] as const) {
    const { code, message } = statusOfPatchError(thrownBy(() => parseJsonPatch(patch)));
    expect([code, message]).toEqual([400, `json: cannot unmarshal ${what}`]);
  }
  const many = new Array(10_001).fill({ op: "test", path: "/a", value: null });
  const tooMany = thrownBy(() => parseJsonPatch(many));
  expect(tooMany.message).toBe("The allowed maximum operations in a JSON patch is 10000, got 10001");
  expect(statusOfPatchError(tooMany).status).toMatchObject({
    code: 413,
    message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  });
  expect(applyJsonPatch({}, parseJsonPatch(many.slice(1)))).toEqual({});
});

test("copies cannot make the document grow without bound", () => {
  const big = "x".repeat(jsonPatchCopyBytesMax / 2);
  const copy = (to: string) => ({ op: "copy", from: "/a", path: to });
  expect(() => patch({ a: big }, [copy("/b")])).not.toThrow();
  expect(() => patch({ a: big }, [copy("/b"), copy("/c")])).toThrow("exceeding the limit 3145728");
});

test("copies cannot make the document deep", () => {
  const operations: JsonObject[] = [];
  for (let path = "/a", step = 0; step < 20; step++, path += path) {
    operations.push({ op: "copy", from: "/a", path: `${path}/a` });
    if (path.length > 4000) break;
  }
  expect(() => patch({ a: { a: { a: {} } } }, operations)).toThrow("nested more than 1000 levels");
});

test("moves cannot make the document deep", () => {
  const names = Array.from({ length: 5000 }, (_, i) => `k${i}`);
  const document = Object.fromEntries(names.map((name) => [name, {}]));
  const operations = names.slice(1).map((name, i) => ({ op: "move", from: `/k${i}`, path: `/${name}/x` }));
  expect(() => patch(document, operations)).toThrow("nested more than 1000 levels");
});

test("a path of more steps than there are levels leads nowhere", () => {
  expect(() => patch({}, [{ op: "add", path: "/a".repeat(1_000_000) }])).toThrow("doc is missing path");
});

test("what is copied stays as it was when the original changes, and the other way round", () => {
  const result = patch({ a: { x: 1 } }, [
    { op: "add", path: "/a/y", value: 2 },
    { op: "copy", from: "/a", path: "/b" },
    { op: "add", path: "/a/z", value: 3 },
    { op: "remove", path: "/b/x" },
  ]);
  expect(result).toEqual({ a: { x: 1, y: 2, z: 3 }, b: { y: 2 } });
});

// Each of these took minutes while every operation copied what it changed.
describe("thousands of operations on something large", () => {
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, "v"]));

  test("an object", () => {
    const operations = Array.from({ length: 10_000 }, (_, i) => ({
      op: i % 2 === 0 ? "replace" : "remove",
      path: `/data/k${i}`,
      value: "new",
    }));
    const { data } = patch({ data: fields }, operations) as { data: JsonObject };
    expect([data.k0, data.k1, data.k9998, data.k10000]).toEqual(["new", undefined, "new", "v"]);
    expect(Object.keys(data)).toHaveLength(45_000);
  });

  test("a list", () => {
    const items = Array.from({ length: 1_000_000 }, (_, i) => i);
    const rotation = Array.from({ length: 10_000 }, () => ({ op: "move", from: "/0", path: "/-" }));
    expect(patch(items, rotation)).toEqual([...items.slice(10_000), ...items.slice(0, 10_000)]);
  });
});

test("edits of a list give what splicing gives", () => {
  const step = fc.record({ at: fc.nat(), op: fc.constantFrom("add", "remove", "replace"), value: fc.nat() });
  fc.assert(
    fc.property(fc.nat(3000), fc.array(step, { maxLength: 50 }), (length, steps) => {
      const model: JsonValue[] = Array.from({ length }, (_, i) => i);
      const before = [...model];
      const operations = steps.flatMap(({ at, op, value }) => {
        const places = op === "add" ? model.length + 1 : model.length;
        if (places === 0) return [];
        model.splice(at % places, op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
        return [{ op, path: `/${at % places}`, value }];
      });
      expect(patch(before, operations)).toEqual(model);
    }),
  );
});

test("a field named __proto__ is ordinary data", () => {
  const result = patch({}, [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
  expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(JSON.stringify(patch(result, [{ op: "remove", path: "/__proto__" }]))).toBe("{}");
});

test("a sequence of operations gives what the same edits give", () => {
  const key = fc.constantFrom("a", "b", "c");
  const step = fc.oneof(
    fc.record({ op: fc.constant("add" as const), key, value: fc.jsonValue({ maxDepth: 2 }) }),
    fc.record({ op: fc.constant("remove" as const), key }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const model = new Map<string, unknown>([["a", 1]]);
      const operations: JsonValue[] = [];
      for (const s of steps) {
        if (s.op === "remove") {
          if (!model.delete(s.key)) continue;
          operations.push({ op: "remove", path: `/x/${s.key}` });
        } else {
          const value: JsonValue = JSON.parse(JSON.stringify(s.value));
          model.set(s.key, value);
          operations.push({ op: "add", path: `/x/${s.key}`, value });
        }
      }
      expect(patch({ x: { a: 1 } }, operations)).toEqual({ x: Object.fromEntries(model) });
    }),
  );
});

function thrownBy(action: () => unknown): PatchError {
  try {
    action();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
