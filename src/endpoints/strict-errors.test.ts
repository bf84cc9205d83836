import { expect, test } from "vitest";
import { jsonPatchStrictErrors, sortedByKey, strictErrorsInOrder } from "./strict-errors.js";

const noPause = async (): Promise<void> => undefined;

test("complaints come in the order of the text, each once, and none about what is inside an unknown field", async () => {
  const text = '{"z":1,"a":{"x":1,"x":2},"z":2,"k":[{"n":1,"u":{"b":1,"b":2},"n":2}],"ab":1,"ab":2}';
  const unknown = new Set(["z", "k[0].u"]);
  const duplicates = new Set(["a.x", "z", "k[0].u.b", "k[0].n", "ab"]);
  expect(await strictErrorsInOrder(Buffer.from(text), unknown, duplicates, noPause)).toEqual([
    'unknown field "z"',
    'duplicate field "a.x"',
    'unknown field "k[0].u"',
    'duplicate field "k[0].n"',
    'duplicate field "ab"',
  ]);
});

test("operations of a JSON patch have four fields", async () => {
  const patch = '[{"op":"add","path":"/a","value":{"foo":1},"foo":2},{"op":"test","path":"/b","path":"/c"}]';
  expect(await jsonPatchStrictErrors(Buffer.from(patch), noPause)).toEqual([
    'json patch unknown field "[0].foo"',
    'json patch duplicate field "[1].path"',
  ]);
});

test("sorting reaches every object", () => {
  expect(JSON.stringify(sortedByKey({ b: [{ d: 1, c: 2 }], a: null }))).toBe(
    '{"a":null,"b":[{"c":2,"d":1}]}',
  );
});

test("a long text is read in turns", async () => {
  let pauses = 0;
  const text = `{"data":{${'"a":"b",'.repeat(20_000)}"a":"c"}}`;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  expect(await strictErrorsInOrder(Buffer.from(text), new Set(), new Set(["data.a"]), pause)).toEqual([
    'duplicate field "data.a"',
  ]);
  expect(pauses).toBeGreaterThan(5);
});
