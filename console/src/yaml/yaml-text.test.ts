import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonObject, printJson } from "../api/json.ts";
import { Schema } from "../api/schema.ts";
import { unknownFields } from "./unknown-fields.ts";
import { parseExactly, parseYaml, printYaml } from "./yaml-text.ts";

test("an answer in JSON keeps its large integers", () => {
  expect(parseExactly('{"a": 9007199254740993, "b": [1.5, "9007199254740993"], "c": {"d": null}}')).toEqual({
    a: 9007199254740993n,
    b: [1.5, "9007199254740993"],
    c: { d: null },
  });
  expect(parseExactly('{"a": 1}')).toEqual({ a: 1 });
  expect(() => parseExactly("[1]")).toThrow("something other than an object");
});

function read(text: string): unknown {
  const parsed = parseYaml(text);
  return parsed.kind === "object" ? parsed.object : parsed.mistakes;
}

test("a manifest is read as kubectl reads it", () => {
  expect(
    read("a: yes\nb: 0644\nc: 12:30\nd: 2026-01-01\ne: 1_000\nf: 'yes'\ng: 9007199254740993\nh: 3.0"),
  ).toEqual({
    a: true,
    b: 0o644,
    c: "12:30",
    d: "2026-01-01",
    e: 1000,
    f: "yes",
    g: 9007199254740993n,
    h: 3,
  });
});

test("texts that look like something else are quoted", () => {
  const texts = ["yes", "off", "y", "012", "0o17", "1_000", "0x1F", "1e3", "~", "null", ".inf", ""];
  const object = Object.fromEntries(texts.map((text) => [text, text]));
  expect(read(printYaml(object))).toEqual(object);
});

test("what is printed is read back unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.json(), (text, value) => {
      const object: JsonObject = { text, value: JSON.parse(value), [text]: [text] };
      const parsed = parseYaml(printYaml(object));
      expect(parsed.kind === "object" && printJson(parsed.object)).toBe(printJson(object));
    }),
  );
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
