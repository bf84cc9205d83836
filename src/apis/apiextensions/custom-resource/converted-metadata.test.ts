import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../apimachinery/json/json-value.js";
import { identityProblem, restoreMetadata } from "./converted-metadata.js";

const original = {
  spec: { sails: 1 },
  metadata: { name: "gull", uid: "u", generation: 2, labels: { a: "b" }, annotations: { c: "d" } },
};

const restored = (metadata: JsonValue) => restoreMetadata({ spec: { masts: 1 }, metadata }, original);

test("a conversion may change labels and annotations, and nothing else of the metadata", () => {
  expect(restored({ name: "gull", generation: 9, labels: { a: "x" }, annotations: null })).toEqual({
    spec: { masts: 1 },
    metadata: { name: "gull", uid: "u", generation: 2, labels: { a: "x" } },
  });
});

test("labels that were invalid before may stay", () => {
  const old = { metadata: { labels: { "x y": "!" } } };
  expect(restoreMetadata(old, old)).toEqual(old);
});

test.each<[JsonValue, string]>([
  ["gull", "invalid metadata of type string in converted object"],
  [[], "invalid metadata of type []interface {} in converted object"],
  [{ labels: "a" }, "invalid metadata.labels of type string in converted object"],
  [{ annotations: { c: 1 } }, "metadata.annotations[c] must be a string, but is int64 in converted object"],
  [{ labels: { "x y": "" } }, 'metadata.labels: Invalid value: "x y": '],
  [{ labels: { a: "!" } }, 'metadata.labels: Invalid value: "!": '],
  [{ annotations: { "x y": "", "z!": "" } }, '[metadata.annotation: Invalid value: "x y": '],
])("metadata %j is refused", (metadata, message) => {
  expect(() => restored(metadata)).toThrow(message);
});

test("metadata must be there", () => {
  expect(() => restoreMetadata({}, original)).toThrow("missing metadata in converted object");
});

describe("identity", () => {
  test.each([
    [{ name: "gull", uid: "u" }, undefined],
    [{ name: "tern", uid: "u" }, "must have the same name: gull != tern"],
    [{ name: "gull", uid: "u", namespace: "n" }, "must have the same namespace:  != n"],
    [{ name: "gull" }, "must have the same UID: u != "],
  ])("%j", (metadata, problem) => {
    expect(identityProblem({ metadata }, original)).toBe(problem);
  });
});
