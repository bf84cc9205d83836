import { expect, test } from "vitest";
import { bodyValuesMax, checkValues, parseJsonBody } from "./large-json.js";

function requestWith(text: string, signal = new AbortController().signal) {
  return { body: { bytes: Buffer.from(text), contentType: undefined }, signal };
}

const ones = (count: number) => `[${"1,".repeat(count - 1)}1]`;

test("a body of many values is read while others have their turns", async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    tick = setImmediate(count);
  };
  let tick = setImmediate(count);
  const value = await parseJsonBody(requestWith(ones(100_000)));
  clearImmediate(tick);
  expect(value).toHaveLength(100_000);
  expect(turns).toBeGreaterThan(20);
});

test("reading ends when nobody waits for the answer", async () => {
  const gone = new AbortController();
  const reading = parseJsonBody(requestWith(ones(100_000), gone.signal));
  gone.abort(new Error("gone"));
  await expect(reading).rejects.toThrow("gone");
});

test("too many values are 413, nested too deep is what it always was", async () => {
  expect(await parseJsonBody(requestWith(ones(bodyValuesMax - 1)))).toHaveLength(bodyValuesMax - 1);
  await expect(parseJsonBody(requestWith(ones(bodyValuesMax + 1)))).rejects.toMatchObject({
    status: { code: 413, message: "Request entity too large: limit is 200000 fields and items" },
  });
  await expect(parseJsonBody(requestWith("[".repeat(3_000_000)))).rejects.toThrow("exceeded max depth");
});

test("what a patch makes is counted too", () => {
  const object = { spec: { items: new Array(bodyValuesMax - 2).fill(1) } };
  expect(() => checkValues(object)).not.toThrow();
  expect(() => checkValues({ ...object, kind: "X" })).toThrow("Request entity too large");
});
