import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../apimachinery/json/json-parse.js";
import type { JsonValue } from "../apimachinery/json/json-value.js";
import { oldestLevel } from "../apimachinery/levels/api-level.js";
import { DecodeError } from "../apimachinery/schema/codec.js";
import type { MessageSchema } from "../apimachinery/schema/message-schema.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import { arbitraryMessages } from "../apimachinery/schema/testing/arbitrary.js";
import { createNaming } from "../naming/naming.js";
import { typePackages } from "./type-packages.js";

const fixtures = new URL("../apimachinery/schema/testing/fixtures/", import.meta.url);

/** Made by Kubernetes' encoder from objects filled at random. */
const encodedObjects: readonly { type: string; json: string; proto: string }[] = JSON.parse(
  readFileSync(new URL("encoded-objects.json", fixtures), "utf8"),
);

/** What Kubernetes' decoder made of texts, well-formed and not. */
const decodedInputs: readonly {
  type: string;
  input: string;
  error?: string;
  json?: string;
  proto?: string;
}[] = JSON.parse(readFileSync(new URL("decoded-inputs.json", fixtures), "utf8"));

const naming = createNaming("kubernetes");
const options = { fieldName: (neutral: string) => naming.field(neutral) };
/** The types of all levels together. */
const everything = new SchemaRegistry(typePackages, options);
const registry = new SchemaRegistry(typePackages, { ...options, level: oldestLevel });
const typeNames = registry.packageNames.flatMap((name) => registry.messageNames(name));
/** Types that changed between levels; the others are covered at the oldest level. */
const changedNames = typeNames.filter(
  (name) => declarationOf(registry.message(name)) !== declarationOf(everything.message(name)),
);

function declarationOf({ jsonFields, name, union, structType, hasProtobuf }: MessageSchema): string {
  // Referenced types are compared by themselves.
  return JSON.stringify([name, union, structType, hasProtobuf, ...jsonFields.values()], (key, value) =>
    key === "message" ? value.name : value,
  );
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

describe("objects encoded by Kubernetes", () => {
  test.each(encodedObjects.map((each, index) => [each.type, index, each] as const))(
    "%s (%i) has the same text and bytes",
    (type, _index, { json, proto }) => {
      const codec = registry.codec(type);
      const object = codec.fromJson(parseJson(json));
      expect(codec.toJson(object)).toBe(json);
      expect(base64(codec.toProto(object))).toBe(proto);
      expect(codec.toJson(codec.fromProto(Buffer.from(proto, "base64")))).toBe(json);
      expect(codec.toJson(codec.fromProto(Buffer.from(proto, "base64"), { leaveFieldSets: true }))).toBe(
        json,
      );
      expect(codec.toJson(codec.clone(object))).toBe(json);
    },
  );
});

test("inputs are decoded, or refused, as Kubernetes does", () => {
  const differing = decodedInputs.filter(({ type, input, error, json, proto }) => {
    const codec = registry.codec(type);
    try {
      const object = codec.fromJson(parseJson(input));
      return codec.toJson(object) !== json || base64(codec.toProto(object)) !== proto;
    } catch (caught) {
      return !(caught instanceof Error) || caught.message !== error;
    }
  });
  expect(differing).toEqual([]);
  expect(decodedInputs.length).toBeGreaterThan(300);
});

test("types grow with the levels", () => {
  expect(changedNames.length).toBeGreaterThan(50);
  expect(changedNames).toContain("core/v1.PodSpec");
});

describe.each([
  ["the oldest level", registry, changedNames],
  ["all levels", everything, typeNames],
] as const)("every type of %s", (_name, registry, triedNames) => {
  const objectsOf = arbitraryMessages({
    // Deeper values have tests of their own.
    depth: 1,
    jsonSchemaProps: () => registry.message("apiextensions/v1.JSONSchemaProps"),
  });

  test("has fields with numbers of their own, and refers to types that exist", () => {
    for (const name of typeNames) {
      const { fields, hasProtobuf, jsonFields } = registry.message(name);
      const numbers = fields.map((field) => field.number);
      if (hasProtobuf) expect(new Set(numbers).size, name).toBe(fields.length);
      if (hasProtobuf) expect(Math.min(1, ...numbers), name).toBe(1);
      expect(jsonFields.size, name).toBeGreaterThanOrEqual(fields.length);
    }
    expect(typeNames.length).toBeGreaterThan(670);
  });

  test("keeps its objects through JSON, protobuf and cloning", () => {
    for (const name of triedNames) {
      const codec = registry.codec(name);
      fc.assert(
        fc.property(objectsOf(codec.schema), (object) => {
          const text = codec.toJson(object);
          // Faster than `expect`, and stricter.
          assert.deepStrictEqual(codec.fromJson(parseJson(text)), object);
          const others = [codec.clone(object)];
          if (codec.schema.hasProtobuf) {
            const bytes = codec.toProto(object);
            others.push(codec.fromProto(bytes), codec.fromProto(bytes, { leaveFieldSets: true }));
          }
          for (const other of others) assert.equal(codec.toJson(other), text);
        }),
        { numRuns: 6 },
      );
    }
  });

  test("decodes the same by the generated and by the reporting decoder", () => {
    for (const name of triedNames) {
      const codec = registry.codec(name);
      fc.assert(
        fc.property(objectsOf(codec.schema), (object) => {
          const value: JsonValue = parseJson(codec.toJson(object));
          const unknown: string[] = [];
          const reported = codec.fromJson(
            { ...(value as object), "no such field": 1 },
            { onUnknownField: (path) => unknown.push(path) },
          );
          assert.deepStrictEqual(reported, codec.fromJson(value));
          assert.deepEqual(unknown, ["no such field"]);
        }),
        { numRuns: 3 },
      );
    }
  });
});

test("damaged bytes are refused with a decode error, or give an object that can be encoded", () => {
  const damage = fc.tuple(
    fc.constantFrom(...encodedObjects.filter(({ proto }) => proto !== "")),
    fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0x00, 0x7f, 0x80, 0xff))), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.option(fc.nat()),
  );
  fc.assert(
    fc.property(damage, ([{ type, proto }, changes, cut]) => {
      const bytes = Buffer.from(proto, "base64");
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      const codec = registry.codec(type);
      let object: object;
      try {
        object = codec.fromProto(cut === null ? bytes : bytes.subarray(0, cut % bytes.length));
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
        return;
      }
      const text = codec.toJson(object);
      expect(codec.toJson(codec.fromProto(codec.toProto(object)))).toBe(text);
      expect(codec.toJson(codec.fromJson(parseJson(text)))).toBe(text);
    }),
    { numRuns: 3000 },
  );
});

test("a number that is cut off is refused", () => {
  // scheduling/v1.PriorityClass whose last byte says that another follows.
  const bytes = Buffer.from("ChIKABIAGgAiACoAMgA4AEIAegAQkA==", "base64");
  expect(() => registry.codec("scheduling/v1.PriorityClass").fromProto(bytes)).toThrow(DecodeError);
});

test("fields named by the profile have the profile's names", () => {
  const neutral = new SchemaRegistry(typePackages);
  const system = neutral.codec("core/v1.NodeSystemInfo").toJson({});
  expect(system).toContain('"nodeagentVersion":"","orchProxyVersion":""');
  expect(registry.codec("core/v1.NodeSystemInfo").toJson({})).toContain(
    `"${naming.field("nodeagentVersion")}":""`,
  );
});

test("schemas are printed in declared order, however their members were added", () => {
  const codec = registry.codec("apiextensions/v1.JSONSchemaProps");
  const parts = { type: "object", properties: { a: { type: "string" } }, description: "d", required: ["a"] };
  const text = '{"description":"d","type":"object","required":["a"],"properties":{"a":{"type":"string"}}}';
  expect(codec.toJson(parts)).toBe(text);
  expect(codec.toJson({ nullable: false, title: undefined, enum: [], ...parts })).toBe(text);
  expect(codec.toJson(codec.fromJson(parts))).toBe(text);
  expect(codec.toJson({})).toBe("{}");
});
