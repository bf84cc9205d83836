import { expect, test } from "vitest";
import { FieldPath } from "../field-error.js";
import type { ObjectMeta } from "../meta.js";
import { validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.js";

const path = FieldPath.of("metadata");
const rules = { namespaced: false, validateName: () => [], standardFinalizers: [] };
const many = Array.from({ length: 100_000 }, (_, i) => ` ${i}`);

// Lists of problems ran out of stack where one is joined to another.
test.each<[string, ObjectMeta]>([
  ["labels", { name: "a", labels: Object.fromEntries(many.map((key) => [key, key])) }],
  ["annotations", { name: "a", annotations: Object.fromEntries(many.map((key) => [key, ""])) }],
  ["finalizers", { name: "a", finalizers: many }],
])("more problems of %s than the stack holds are collected", (_what, meta) => {
  expect(validateObjectMeta(meta, rules, path).length).toBeGreaterThanOrEqual(many.length);
  const later = { ...meta, resourceVersion: "1" };
  expect(validateObjectMetaUpdate(later, { name: "a" }, path, []).length).toBeGreaterThanOrEqual(many.length);
});

test("each of many new finalizers is looked up at once", () => {
  const old = {
    name: "a",
    resourceVersion: "1",
    deletionTimestamp: "2026-01-01T00:00:00Z",
    finalizers: many,
  };
  const changed = { ...old, finalizers: [...many, "a/b"] };
  const messages = validateObjectMetaUpdate(changed, old, path).map(({ body }) => body);
  expect(messages.at(0)).toContain('found new finalizers []string{"a/b"}');
});
