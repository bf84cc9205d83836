import { expect, test } from "vitest";
import { Schema } from "../api/schema.ts";
import { unknownFields } from "./unknown-fields.ts";
import { parseExactly, parseYaml } from "./yaml-text.ts";

test("an answer in JSON keeps its large integers", () => {
  expect(parseExactly('{"a": 9007199254740993, "b": [1.5, "9007199254740993"], "c": {"d": null}}')).toEqual({
    a: 9007199254740993n,
    b: [1.5, "9007199254740993"],
    c: { d: null },
  });
  expect(parseExactly('{"a": 1}')).toEqual({ a: 1 });
  expect(() => parseExactly("[1]")).toThrow("something other than an object");
});

const schema = new Schema(
  {
    properties: {
      spec: {
        properties: {
          text: { type: "string" },
          items: { type: "array", items: { properties: { name: {} } } },
          labels: { type: "object", additionalProperties: { type: "string" } },
        },
      },
    },
  },
  {},
);

test("fields that the schema does not know are found where they stand, not in texts or maps", () => {
  const text = [
    "spec:",
    "  text: |",
    "    wrong: line of a text",
    "  labels: {any: thing}",
    "  items:",
    "  - name: a",
    "    nmae: b",
    "  - {name: c, 'othr': d}",
    "extra: 1",
  ].join("\n");
  const parsed = parseYaml(text);
  const found = parsed.kind === "object" ? unknownFields(parsed.root, schema) : [];
  expect(found.map(({ from, to }) => text.slice(from, to))).toEqual(["nmae", "'othr'", "extra"]);
});
