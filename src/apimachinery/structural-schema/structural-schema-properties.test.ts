import fc from "fast-check";
import { expect, test } from "vitest";
import { copyJson } from "../json/json-copy.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { parseStructuralSchema } from "./parse-schema.js";
import { pruneObject } from "./prune.js";
import { setDefaults } from "./set-defaults.js";
import { validateValues } from "./validate-values.js";

const names = ["a", "b", "c", "__proto__", "constructor"];

/** Generates valid schemas, including defaults that fit them. */
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record(
      { type: fc.constant("string"), maxLength: fc.nat(4), default: fc.constant("") },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constant("integer"), minimum: fc.constant(0), nullable: fc.boolean(), default: fc.nat(5) },
      { requiredKeys: ["type"] },
    ),
    fc.record({ type: fc.constant("boolean") }),
    fc.constant<JsonObject>({ "x-keep-int-or-string": true }),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 }),
        "x-keep-preserve-unknown-fields": fc.constant(true),
      },
      { requiredKeys: ["type", "properties"] },
    ),
    fc.record({ type: fc.constant("object"), additionalProperties: tie("schema") }),
    fc.record(
      { type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(4) },
      { requiredKeys: ["type", "items"] },
    ),
  ) as fc.Arbitrary<JsonObject>,
}));

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<JsonValue>(null, true, 0, 3, -1, "", "x", "longer text"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, "d"), tie("value"), { maxKeys: 4 }),
  ) as fc.Arbitrary<JsonValue>,
}));

const cases = fc.record({
  schema: fc
    .dictionary(fc.constantFrom(...names), schema, { maxKeys: 4 })
    .map((properties) => parseStructuralSchema({ type: "object", properties }, "x-keep-")),
  object: fc.dictionary(fc.constantFrom(...names, "d"), value, { maxKeys: 5 }),
});

test("pruning twice is pruning once, and drops what it tells of", () => {
  fc.assert(
    fc.property(cases, ({ schema: structure, object }) => {
      const dropped: string[] = [];
      const once = pruneObject(object, structure, false, (path) => dropped.push(path));
      const again: string[] = [];
      expect(pruneObject(once, structure, false, (path) => again.push(path))).toEqual(once);
      expect(again).toEqual([]);
      if (dropped.length === 0) expect(once).toEqual(object);
    }),
    { numRuns: 500 },
  );
});

test("defaults set twice are defaults set once, and nothing that is set is changed or unknown", () => {
  fc.assert(
    fc.property(cases, ({ schema: structure, object }) => {
      const pruned = pruneObject(object, structure, false);
      const once = copyJson(pruned);
      setDefaults(once, structure);
      const twice = copyJson(once);
      setDefaults(twice, structure);
      expect(twice).toEqual(once);
      expect(pruneObject(once as JsonObject, structure, false)).toEqual(once);
    }),
    { numRuns: 500 },
  );
});

test("what is valid stays valid when it is stored and read again", () => {
  let valid = 0;
  fc.assert(
    fc.property(cases, ({ schema: structure, object }) => {
      const written = copyJson(pruneObject(object, structure, false));
      setDefaults(written, structure);
      if (validateValues(written, structure).length > 0) return;
      valid++;
      const read = pruneObject(JSON.parse(JSON.stringify(written)), structure, false);
      const filled = copyJson(read);
      setDefaults(filled, structure);
      expect(filled).toEqual(written);
      expect(validateValues(filled, structure)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
  expect(valid).toBeGreaterThan(50);
});
