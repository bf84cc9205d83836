import { expect, test } from "vitest";
import { mayGrow } from "./growing-body.js";

const copy = '[{"op":"copy","from":"/a","path":"/b"}]';

test.each([
  ["a JSON patch that copies", "application/json-patch+json", copy, true],
  ["one that says so with an escape", "application/json-patch+json", copy.replace("c", "\\u0063"), true],
  ["one that only adds", "application/json-patch+json; charset=utf-8", copy.replace("copy", "add"), false],
  ["another patch", "application/merge-patch+json", copy, false],
  ["YAML with aliases", "application/apply-patch+yaml", "a: &x 1\nb: *x\n", true],
  ["YAML without", "application/yaml", "a: 1\nb: 2\n", false],
  ["JSON that is sent as YAML", "application/apply-patch+yaml", '{"a":"&","b":"*"}', false],
  ["JSON", "application/json", '{"a":"&x","b":"*x"}', false],
  ["no body", "application/yaml", "", false],
])("%s", (_what, contentType, text, expected) => {
  expect(mayGrow({ bytes: Buffer.from(text), contentType })).toBe(expected);
});
