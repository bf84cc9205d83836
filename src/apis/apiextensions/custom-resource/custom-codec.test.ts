import { expect, test } from "vitest";
import type { ObjectMeta } from "../../../apimachinery/meta.js";
import { metaV1Types } from "../../../apimachinery/meta-types/v1.js";
import { SchemaRegistry } from "../../../apimachinery/schema/schema-registry.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { CustomCodec } from "./custom-codec.js";
import type { CustomObject } from "./custom-object.js";

const metaCodec = new SchemaRegistry([metaV1Types]).codec<ObjectMeta>("meta/v1.ObjectMeta");
const codec = new CustomCodec({
  metaCodec,
  schema: () => undefined,
  *schemaSteps() {
    yield;
    return undefined;
  },
});

/** The number of steps, and what they print. */
function printedInSteps(object: CustomObject): { readonly steps: number; readonly text: string } {
  const parts: string[] = [];
  const steps = [...codec.printSteps(object, (part) => parts.push(part))];
  return { steps: steps.length, text: parts.join("") };
}

test("a large object is printed in steps, as in one go", () => {
  const item = (index: number) => ({
    name: `<${index}>`,
    empty: {},
    none: null,
    list: [[], [index, true, "é"]],
  });
  const object = codec.fromJson({
    metadata: { name: "large", labels: { b: "1" } },
    spec: { z: Array.from({ length: 2_000 }, (_, index) => item(index)), a: { 2: "x", 10: "y" } },
    extra: 1.5,
  });
  const { steps, text } = printedInSteps(object);
  expect(steps).toBeGreaterThan(5);
  expect(text).toBe(codec.toJson(object));
});

test.each([
  ["metadata alone", { metadata: { name: "a" } }],
  ["one field", { metadata: {}, spec: {} }],
  ["a name that objects have", { metadata: {}, ["__proto__"]: { a: 1 }, spec: { constructor: "x" } }],
])("%s is printed in steps as in one go", (_what, value) => {
  const object = codec.fromJson(JSON.parse(JSON.stringify(value)));
  expect(printedInSteps(object).text).toBe(codec.toJson(object));
});

test("the merge type lives as long as the schema, and no longer", () => {
  const schemas = [1, 2].map(() => parseStructuralSchema({ type: "object" }, ""));
  let current = schemas[0];
  const following = new CustomCodec({
    metaCodec,
    schema: () => current,
    *schemaSteps() {
      yield;
      return current;
    },
  });
  const first = following.mergeType;
  expect(following.mergeType).toBe(first);
  current = schemas[1];
  expect(following.mergeType).not.toBe(first);
});
