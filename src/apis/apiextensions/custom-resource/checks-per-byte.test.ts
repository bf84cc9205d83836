import { expect, test } from "vitest";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import { checksPerByte } from "./checks-per-byte.js";

const text = { type: "string" };
const of = (schema: object): number =>
  checksPerByte(parseStructuralSchema({ type: "object", ...schema }, "x-kubernetes-"));
const listOf = (items: object) => ({ properties: { list: { type: "array", items } } });

test("many plain fields ask for no more of a byte than one", () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, text]));
  expect(of({ properties: many })).toBe(of({ properties: { a: text } }));
  expect(of({ properties: many })).toBeLessThan(2);
});

test.each(["anyOf", "oneOf", "allOf"])("each alternative of an item counts: %s", (junctor) => {
  const alternatives = Array.from({ length: 500 }, (_, i) => ({ maxLength: i }));
  expect(of(listOf({ ...text, [junctor]: alternatives }))).toBeGreaterThan(250);
});

test("alternatives within alternatives count too, at any depth", () => {
  const inner = Array.from({ length: 30 }, () => ({ minLength: 1 }));
  const outer = Array.from({ length: 30 }, () => ({ anyOf: inner }));
  expect(of({ additionalProperties: { ...text, not: { anyOf: outer } } })).toBeGreaterThan(450);
});

test("defaults of items count, less where an item has to have members", () => {
  const defaults = { a: { ...text, default: "x" }, b: { ...text, default: "y" }, name: text };
  const items = { type: "object", properties: defaults };
  const plain = of(listOf({ type: "object", properties: { name: text } }));
  expect(of({ properties: defaults })).toBeLessThan(plain);
  expect(of(listOf({ ...items, required: ["name"] }))).toBeGreaterThan(plain + 3);
  expect(of(listOf(items))).toBeGreaterThan(plain + 13);
});

test("a large pattern counts by its size, a small one little", () => {
  expect(of(listOf({ ...text, pattern: "^(a|b){100}$" }))).toBeGreaterThan(100);
  expect(of(listOf({ ...text, pattern: "^[a-z]+$" }))).toBeLessThan(5);
});
