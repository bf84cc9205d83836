import { expect, test } from "vitest";
import { type FieldError, FieldPath, findErrors, required } from "../errors/field-error.js";
import { invalidObject } from "../errors/status.js";
import type { ObjectMeta } from "../objects/meta.js";
import { validateObjectMeta, validateObjectMetaUpdate } from "./object-meta.js";
import { validateOwnerReferences } from "./owner-references.js";

const path = FieldPath.of("metadata");
const rules = { namespaced: false, validateName: () => [], standardFinalizers: [] };
const many = Array.from({ length: 100_000 }, (_, i) => ` ${i}`);

// Joining two long lists of errors overflowed the stack.
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

test("a validation ends with thousands of problems, whatever is left to look at", () => {
  let looked = 0;
  const each = (count: number): FieldError[] =>
    Array.from({ length: count }, (_, index) => {
      looked++;
      return required(path.index(index), "");
    });
  expect(findErrors(() => each(1000))).toMatchObject({ errors: { length: 1000 }, isCut: false });
  looked = 0;
  const { errors, isCut } = findErrors(() => each(1_000_000));
  expect(isCut).toBe(true);
  expect(errors[0]?.field).toBe("metadata[0]");
  expect(looked).toBeLessThan(10_000);
  const { status } = invalidObject({ group: "", kind: "Pod" }, "a", errors, isCut);
  expect(status.details?.causes).toHaveLength(1000);
  expect(status.message).toMatch(/, and more than \d+ more errors\]$/);
  // Nothing is counted outside of a validation.
  expect(each(20_000)).toHaveLength(20_000);
});

test("all owners are looked at once, however many of them are controllers", () => {
  let looked = 0;
  const owners = Array.from({ length: 10_000 }, (_, index) => ({
    apiVersion: "v1",
    kind: "Pod",
    name: `p${index}`,
    get uid() {
      looked++;
      return "1";
    },
    controller: true,
  }));
  const { errors, isCut } = findErrors(() => validateOwnerReferences(owners, path));
  expect(isCut).toBe(true);
  const { status } = invalidObject({ group: "", kind: "Pod" }, "a", errors, isCut);
  expect(status.details?.causes?.[0]?.message).toMatch(
    /^Invalid value: \[\]v1\.OwnerReference\{.*…: Only one reference/,
  );
  expect(looked).toBeLessThan(3 * owners.length);
});
