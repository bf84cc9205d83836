import { expect, test } from "vitest";
import { DeferredMember, deferMember, deferredText } from "./deferred-member.js";

function withSchema(decode: (json: string) => object): { schema: object } {
  const object = { schema: {} };
  deferMember(object, "schema", new DeferredMember('{"a":1}'), decode);
  return object;
}

test("a member stays text until it is read, which happens once", () => {
  let reads = 0;
  const object = withSchema((json) => {
    reads++;
    return JSON.parse(json);
  });
  expect(deferredText(object, "schema")).toBe('{"a":1}');
  expect(reads).toBe(0);
  const { schema } = object;
  expect(schema).toEqual({ a: 1 });
  expect(object.schema).toBe(schema);
  expect(reads).toBe(1);
  expect(deferredText(object, "schema")).toBeUndefined();
});

test("a member that is set before it is read stays as it was set", () => {
  const object = withSchema(() => {
    throw new Error("nobody reads it");
  });
  object.schema = { set: true };
  expect(object).toEqual({ schema: { set: true } });
  expect(deferredText(object, "schema")).toBeUndefined();
});
