import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json/json-value.js";
import { apiLevels, newestLevel } from "../apimachinery/levels/api-level.js";
import type { ScalarType, SpecialType } from "../apimachinery/schema/declaration.js";
import type { ElementType, FieldSchema, MessageSchema } from "../apimachinery/schema/message-schema.js";
import { builtinResources } from "./builtin-resources.js";
import { testApiContext } from "./testing/api-context.js";

const scalars: { readonly [T in ScalarType]: JsonValue } = {
  string: "text",
  bool: true,
  int32: 7,
  int64: 8,
  double: 1.5,
  bytes: "Ynl0ZXM=",
};

const specials: { readonly [T in SpecialType]: JsonValue } = {
  Quantity: "1500m",
  IntOrString: "25%",
  Time: "2022-01-01T00:00:00Z",
  MicroTime: "2022-01-01T00:00:00.000001Z",
  Duration: "1m30s",
  RawExtension: { kind: "Other", apiVersion: "example.org/v1" },
  JSON: { a: [1] },
  FieldsV1: { "f:metadata": {} },
  StringList: ["a", "b"],
  JSONSchemaPropsOrBool: false,
  JSONSchemaPropsOrArray: { type: "string" },
  JSONSchemaPropsOrStringArray: ["a"],
  Unknown: { a: 1 },
};

/** An object with a value in every field; recursion into the same type is cut off. */
function fullMessage(
  schema: MessageSchema,
  around: readonly MessageSchema[] = [],
): { [name: string]: JsonValue } {
  if (around.includes(schema)) return {};
  const within = [...around, schema];
  return Object.fromEntries(
    [...schema.jsonFields.values()].map((field) => [field.name, fullField(field, within)]),
  );
}

function fullField(field: FieldSchema, around: readonly MessageSchema[]): JsonValue {
  const value = fullElement(field.element, around);
  if (field.cardinality === "one") return value;
  return field.cardinality === "list" ? [value] : { key: value };
}

function fullElement(element: ElementType, around: readonly MessageSchema[]): JsonValue {
  switch (element.kind) {
    case "scalar":
      return scalars[element.scalar];
    case "special":
      return specials[element.special];
    case "message":
      return { ...fullMessage(element.message, around), ...element.embeddedType };
    case "any":
      return { any: 1 };
  }
}

/** The full object of a type at the newest level, which may lack fields that older levels have. */
function fullObjects(schemaOf: (type: string) => MessageSchema) {
  const made = new Map<string, { [name: string]: JsonValue }>();
  return (type: string) => {
    let object = made.get(type);
    if (object === undefined) {
      object = fullMessage(schemaOf(type));
      made.set(type, object);
    }
    return object;
  };
}

describe.each(apiLevels)("level %s", (level) => {
  const context = testApiContext({ level });
  const newest = testApiContext({ level: newestLevel });
  const newestFull = fullObjects((type) => newest.schemas.message(type));
  const fullHere = fullObjects((type) => context.schemas.message(type));
  const types = builtinResources(context).flatMap(({ versions }) =>
    versions.flatMap(({ codec }) => codec.schema?.name ?? []),
  );

  test("every kind keeps all of its fields in JSON and protobuf", () => {
    const lossy = types.filter((type) => {
      const codec = context.schemas.codec(type);
      const object = codec.fromJson(fullHere(type));
      const json = codec.toJson(object);
      expect(JSON.parse(json), type).toEqual(fullHere(type));
      return codec.toJson(codec.fromProto(codec.toProto(object))) !== json;
    });
    expect(lossy).toEqual([]);
    expect(types.length).toBeGreaterThan(55);
  });

  test("of the newest level's full object, a kind reads its own fields and names the others", () => {
    for (const type of types) {
      const codec = context.schemas.codec(type);
      const unknown: string[] = [];
      const object = codec.fromJson(newestFull(type), { onUnknownField: (path) => unknown.push(path) });
      const kept = JSON.parse(codec.toJson(object));
      expect(unknown.sort(), type).toEqual(differences(newestFull(type), kept).sort());
      expect(differences(kept, fullHere(type)), type).toEqual([]);
    }
  });
});

/** Paths that `object` has and `other` lacks. */
function differences(object: JsonValue, other: JsonValue | undefined, path = ""): string[] {
  if (typeof object !== "object" || object === null) return [];
  if (Array.isArray(object)) {
    const items = Array.isArray(other) ? other : [];
    return object.flatMap((item, index) => differences(item, items[index], `${path}[${index}]`));
  }
  const members: JsonObject = other !== undefined && isJsonObject(other) ? other : {};
  return Object.entries(object).flatMap(([name, value]) => {
    const at = path === "" ? name : `${path}.${name}`;
    return members[name] === undefined ? [at] : differences(value ?? null, members[name], at);
  });
}
