import { expect, test } from "vitest";
import { metaV1Types } from "../meta-types/v1.js";
import { messageAtLevel } from "./at-level.js";
import type { MessageDeclaration } from "./declaration.js";
import { SchemaRegistry } from "./schema-registry.js";

const declaration: MessageDeclaration = {
  before: { "1.30": { structType: "atomic" } },
  fields: {
    name: { number: 1, type: "string", before: { "1.34": { optional: true } } },
    added: { number: 2, type: "string", optional: true, since: "1.28" },
    gone: { number: 3, type: "string", until: "1.26" },
    kind: {
      number: 4,
      type: "string",
      enum: ["a", "b", "c"],
      before: { "1.29": { enum: ["a", "b"] }, "1.27": { enum: undefined } },
    },
  },
};

test("a message has the fields of the level, with the attributes that they had", () => {
  expect(messageAtLevel(declaration, "1.23")).toEqual({
    structType: "atomic",
    fields: {
      name: { number: 1, type: "string", optional: true },
      gone: { number: 3, type: "string", until: "1.26" },
      kind: { number: 4, type: "string" },
    },
  });
  expect(messageAtLevel(declaration, "1.28").fields).toMatchObject({
    added: { number: 2 },
    kind: { enum: ["a", "b"] },
  });
  expect(messageAtLevel(declaration, "1.36")).toEqual({
    fields: {
      name: { number: 1, type: "string" },
      added: { number: 2, type: "string", optional: true, since: "1.28" },
      kind: { number: 4, type: "string", enum: ["a", "b", "c"] },
    },
  });
});

test("a registry of a level decodes the fields of that level only", () => {
  const packages = [metaV1Types, { name: "test/v1", declare: () => ({ Thing: declaration }) }];
  const json = Buffer.from('{"name":"n","added":"a","gone":"g","kind":"c"}');
  const decoded = (level: "1.23" | "1.36") =>
    new SchemaRegistry(packages, { level })
      .codec<object>("test/v1.Thing")
      .fromJson(JSON.parse(json.toString()));
  expect(decoded("1.23")).toEqual({ name: "n", gone: "g", kind: "c" });
  expect(decoded("1.36")).toEqual({ name: "n", added: "a", kind: "c" });
});
