import { expect, test } from "vitest";
import { oldestLevel } from "../../../apimachinery/levels/api-level.js";
import { metaV1Types } from "../../../apimachinery/meta-types/v1.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { SchemaRegistry } from "../../../apimachinery/schema/schema-registry.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import { CustomCodec } from "./custom-codec.js";

const metaCodec = new SchemaRegistry([metaV1Types], { level: oldestLevel }).codec<ObjectMeta>(
  "meta/v1.ObjectMeta",
);
test.each([
  ["metadata alone", ""],
  ["an empty field", ',"spec":{}'],
  ["names that objects have", ',"__proto__":{"a":1},"spec":{"constructor":"x"}'],
  ["values of every type", ',"a":[[],[1,true,"é",null]],"b":{"10":"y","2":"x"},"c":1.5'],
])("%s is printed with sorted keys", (_what, members) => {
  const codec = new CustomCodec({ metaCodec, schema: () => undefined });
  const text = `{"metadata":{"name":"a","creationTimestamp":null}${members}}`;
  expect(codec.toJson(codec.fromJson(JSON.parse(text)))).toBe(text);
});

test("the merge type lives as long as the schema, and no longer", () => {
  const schemas = [1, 2].map(() => parseStructuralSchema({ type: "object" }, ""));
  let current = schemas[0];
  const following = new CustomCodec({
    metaCodec,
    schema: () => current,
  });
  const first = following.mergeType;
  expect(following.mergeType).toBe(first);
  current = schemas[1];
  expect(following.mergeType).not.toBe(first);
});

test("an embedded object has no creation time unless it states one", () => {
  const embedded = { type: "object", "x-embedded-resource": true, "x-preserve-unknown-fields": true };
  const schema = parseStructuralSchema({ type: "object", properties: { spec: embedded } }, "x-");
  const codec = new CustomCodec({ metaCodec, schema: () => schema });
  const template = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
  const decoded = codec.fromJson({ metadata: {}, spec: template });
  expect(decoded).toMatchObject({ spec: template });
  expect(Object.keys((decoded as unknown as { spec: typeof template }).spec.metadata)).toEqual(["name"]);
});
