import { expect, test } from "vitest";
import {
  jsonPatchStrictErrors,
  jsonPatchTypeProblem,
  mergePatchTypeProblem,
  sortedByKey,
  strictErrorsInOrder,
} from "./strict-errors.js";

test("complaints come in the order of the text, each once, and none about what is inside an unknown field", () => {
  const text = '{"z":1,"a":{"x":1,"x":2},"z":2,"k":[{"n":1,"u":{"b":1,"b":2},"n":2}],"ab":1,"ab":2}';
  const unknown = new Set(["z", "k[0].u"]);
  const duplicates = new Set(["a.x", "z", "k[0].u.b", "k[0].n", "ab"]);
  expect(strictErrorsInOrder(Buffer.from(text), unknown, duplicates)).toEqual([
    'unknown field "z"',
    'duplicate field "a.x"',
    'unknown field "k[0].u"',
    'duplicate field "k[0].n"',
    'duplicate field "ab"',
  ]);
});

test("operations of a JSON patch have four fields", () => {
  const patch = '[{"op":"add","path":"/a","value":{"foo":1},"foo":2},{"op":"test","path":"/b","path":"/c"}]';
  expect(jsonPatchStrictErrors(Buffer.from(patch))).toEqual([
    'json patch unknown field "[0].foo"',
    'json patch duplicate field "[1].path"',
  ]);
});

test.each([
  [{ data: {} }, "object into Go value of type []handlers.jsonPatchOp"],
  ["x", "string into Go value of type []handlers.jsonPatchOp"],
  [[{ op: "test", path: "/a" }, 5], "number into Go value of type handlers.jsonPatchOp"],
  [
    [null, { from: null, value: 1, path: true, op: 1 }],
    "bool into Go struct field jsonPatchOp.path of type string",
  ],
])("a JSON patch of another type is told: %j", (patch, problem) => {
  expect(jsonPatchTypeProblem(patch)).toBe(`json: cannot unmarshal ${problem}`);
});

test("a merge patch is an object", () => {
  expect(mergePatchTypeProblem([{ op: "add" }])).toBe(
    "json: cannot unmarshal array into Go value of type map[string]interface {}",
  );
  expect([mergePatchTypeProblem({}), mergePatchTypeProblem(null), jsonPatchTypeProblem(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("sorting reaches every object", () => {
  expect(JSON.stringify(sortedByKey({ b: [{ d: 1, c: 2 }], a: null }))).toBe(
    '{"a":null,"b":[{"c":2,"d":1}]}',
  );
});
