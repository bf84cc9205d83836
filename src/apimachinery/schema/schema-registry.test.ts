import { expect, test } from "vitest";
import { metaV1Types } from "../meta-types/v1.js";
import type { MessageDeclaration, TypePackage } from "./declaration.js";
import { SchemaRegistry } from "./schema-registry.js";

function packageOf(types: { readonly [name: string]: MessageDeclaration }): TypePackage {
  return { name: "test/v1", declare: () => types };
}

test("nothing is declared until a type is asked for", () => {
  const declared: string[] = [];
  const lazy = (name: string): TypePackage => ({
    name,
    declare: () => {
      declared.push(name);
      return { Thing: { fields: { other: { number: 1, type: "b/v1.Thing", pointer: true } } } };
    },
  });
  const registry = new SchemaRegistry([lazy("a/v1"), lazy("b/v1")]);
  const message = registry.message("a/v1.Thing");
  expect(declared).toEqual(["a/v1"]);
  expect(message.fields[0]?.element.kind).toBe("message");
  expect(declared).toEqual(["a/v1", "b/v1"]);
  registry.codec("a/v1.Thing").toJson({});
  expect(declared).toEqual(["a/v1", "b/v1"]);
});

test("types are known by their full names", () => {
  const registry = new SchemaRegistry([metaV1Types]);
  expect(registry.has("meta/v1.ObjectMeta")).toBe(true);
  expect(registry.has("meta/v1.toString")).toBe(false);
  expect(registry.has("meta/v2.ObjectMeta")).toBe(false);
  expect(registry.message("meta/v1.ObjectMeta")).toBe(registry.message("meta/v1.ObjectMeta"));
  expect(registry.codec("meta/v1.ObjectMeta")).toBe(registry.codec("meta/v1.ObjectMeta"));
  expect(() => registry.message("meta/v1.Nothing")).toThrow("no type is named meta/v1.Nothing");
  expect(() => registry.message("meta/v2.ObjectMeta")).toThrow("no package is named meta/v2");
});

test("a type may refer to itself", () => {
  const registry = new SchemaRegistry([
    packageOf({
      Node: {
        fields: {
          name: { number: 1, type: "string" },
          children: { number: 2, type: "test/v1.Node", list: true, omitempty: true },
        },
      },
    }),
  ]);
  const codec = registry.codec("test/v1.Node");
  const tree = { name: "a", children: [{ name: "b", children: [{ name: "c" }] }, { name: "d" }] };
  expect(codec.fromJson(tree)).toEqual(tree);
  expect(codec.fromProto(codec.toProto(tree))).toEqual(tree);
});

test("fields of inlined messages are members of the parent in JSON, and a message of their own in protobuf", () => {
  const registry = new SchemaRegistry([
    packageOf({
      Outer: {
        fields: {
          before: { number: 1, type: "string" },
          inner: { number: 2, type: "test/v1.Inner", inline: true },
          after: { number: 3, type: "string" },
        },
      },
      Inner: { fields: { here: { number: 1, type: "string" } } },
    }),
  ]);
  const codec = registry.codec("test/v1.Outer");
  expect([...codec.schema.jsonFields.keys()]).toEqual(["before", "here", "after"]);
  const object = codec.fromJson({ after: "3", here: "2", before: "1" });
  expect(codec.toJson(object)).toBe('{"before":"1","here":"2","after":"3"}');
  const bytes = codec.toProto(object);
  expect(Buffer.from(bytes).toString("hex")).toBe("0a0131" + "12030a0132" + "1a0133");
  expect(codec.fromProto(bytes)).toEqual(object);
});

test("lists that strategic merge patch merges are associative for server-side apply", () => {
  const registry = new SchemaRegistry([
    packageOf({
      Lists: {
        fields: {
          plain: { number: 1, type: "string", list: true },
          merged: { number: 2, type: "string", list: true, patchStrategy: "merge" },
          keyed: {
            number: 3,
            type: "test/v1.Item",
            list: true,
            patchStrategy: "merge",
            patchMergeKey: "name",
          },
          marked: {
            number: 4,
            type: "test/v1.Item",
            list: true,
            patchStrategy: "merge,retainKeys",
            patchMergeKey: "name",
            listType: "map",
            listMapKeys: ["name", "port"],
          },
          whole: { number: 5, type: "test/v1.Item", pointer: true },
          overridden: { number: 6, type: "test/v1.Item", structType: "granular" },
          map: { number: 7, type: "string", map: true, mapType: "atomic" },
        },
      },
      Item: { structType: "atomic", fields: { name: { number: 1, type: "string" } } },
    }),
  ]);
  const fields = registry.message("test/v1.Lists").fields;
  expect(fields.map(({ name, listType, listMapKeys }) => [name, listType, listMapKeys])).toEqual([
    ["plain", "atomic", []],
    ["merged", "set", []],
    ["keyed", "map", ["name"]],
    ["marked", "map", ["name", "port"]],
    ["whole", undefined, []],
    ["overridden", undefined, []],
    ["map", undefined, []],
  ]);
  expect(fields.map(({ structure }) => structure).slice(4)).toEqual(["atomic", "granular", "atomic"]);
  expect(fields[3]?.patchStrategies).toEqual(["merge", "retainKeys"]);
});

test("the profile names the fields that depend on it", () => {
  const registry = new SchemaRegistry(
    [
      packageOf({
        Thing: {
          fields: {
            "x-neutral-a": { number: 1, type: "string", profileNamed: true },
            "x-neutral-b": { number: 2, type: "string" },
          },
        },
      }),
    ],
    { fieldName: (neutral) => neutral.replace("neutral", "special") },
  );
  const codec = registry.codec("test/v1.Thing");
  expect(codec.schema.fields.map(({ name, neutralName }) => [name, neutralName])).toEqual([
    ["x-special-a", "x-neutral-a"],
    ["x-neutral-b", "x-neutral-b"],
  ]);
  const object = codec.fromJson({ "x-special-a": "1", "x-neutral-b": "2" });
  expect(codec.toJson(object)).toBe('{"x-special-a":"1","x-neutral-b":"2"}');
});
