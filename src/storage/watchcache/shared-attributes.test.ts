import { expect, test } from "vitest";
import { createTestCodec, testObject } from "../testing/test-object.js";
import { withSharedAttributes } from "./shared-attributes.js";

test("equal labels are one record, which no change of an object reaches", () => {
  const codec = withSharedAttributes(createTestCodec());
  const first = testObject("a/x", "1", { app: "web", tier: "front" });
  const shared = codec.attributes(first).labels;
  expect(codec.attributes(testObject("a/y", "2", { app: "web", tier: "front" })).labels).toBe(shared);
  expect(codec.attributes(testObject("a/z", "2", { app: "web", tier: "back" })).labels).not.toBe(shared);
  first.metadata.labels.app = "changed";
  expect(shared).toEqual({ app: "web", tier: "front" });
  expect(codec.attributes(first)).toEqual({
    labels: { app: "changed", tier: "front" },
    fields: { "metadata.name": "x", "metadata.namespace": "a" },
  });
});

test("names and values that read alike when put together are told apart", () => {
  const codec = withSharedAttributes(createTestCodec());
  const one = codec.attributes(testObject("a/x", "1", { a: "b", c: "d" })).labels;
  const other = codec.attributes(testObject("a/x", "1", { a: "bc", d: "" })).labels;
  expect(one).toEqual({ a: "b", c: "d" });
  expect(other).toEqual({ a: "bc", d: "" });
});

test("more different labels than are remembered are still right", () => {
  const codec = withSharedAttributes(createTestCodec());
  for (let number = 0; number < 6000; number++) {
    const labels = { number: String(number) };
    expect(codec.attributes(testObject("a/x", "1", labels)).labels).toEqual(labels);
  }
});

test("long labels and values are copied, not shared, so that caches do not keep them", () => {
  const codec = withSharedAttributes(createTestCodec());
  const long = { text: "x".repeat(2000) };
  const first = codec.attributes(testObject("a/x", "1", long)).labels;
  const second = codec.attributes(testObject("a/y", "1", long)).labels;
  expect(first).toEqual(long);
  expect(second).toEqual(long);
  expect(second).not.toBe(first);
  expect(first).not.toBe(long);
});
