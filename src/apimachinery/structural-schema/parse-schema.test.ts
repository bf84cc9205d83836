import { expect, test } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import { oldestLevel } from "../levels/api-level.js";
import { parseStructuralSchema, SchemaParser } from "./parse-schema.js";

/** A tree whose nodes hold so many each, down to a depth. */
function tree(width: number, depth: number): JsonObject {
  if (depth === 0) return { type: "string", maxLength: width };
  const below = (index: number): JsonObject => {
    const inner = tree(width, depth - 1);
    if (index % 3 === 0) return { type: "array", items: inner };
    return index % 3 === 1 ? { type: "object", additionalProperties: inner } : { anyOf: [inner], not: inner };
  };
  return {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: width }, (_, index) => [`p${index}`, below(index)])),
  };
}

test("a schema parsed in steps equals the same schema parsed at once", () => {
  const schema = tree(9, 3);
  const parser = new SchemaParser("x-orch-", oldestLevel);
  let steps = 0;
  for (const step of parser.steps(schema)) {
    step();
    steps++;
  }
  expect(steps).toBeGreaterThan(4);
  const parsed = parser.parse(schema);
  expect(parsed).toEqual(parseStructuralSchema(schema, "x-orch-"));
  expect(parser.parse(schema)).toBe(parsed);
});

test("fields of a type and no limits share one schema, and others do not", () => {
  const { properties } = parseStructuralSchema(
    {
      type: "object",
      properties: {
        first: { type: "string", description: "the first" },
        second: { type: "string" },
        third: { type: "string", default: "x" },
        fourth: { type: "integer" },
      },
    },
    "x-orch-",
  );
  expect(properties.get("first")).toBe(properties.get("second"));
  expect(properties.get("third")).not.toBe(properties.get("second"));
  expect(properties.get("third")?.default).toBe("x");
  expect(properties.get("fourth")?.type).toBe("integer");
});
