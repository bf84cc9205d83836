import { expect, test } from "vitest";
import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { typePackages } from "../../apis/type-packages.js";
import { fieldDescriptions } from "./descriptions/fields.js";
import { typeDescriptions } from "./descriptions/types.js";
import { Descriptions } from "./descriptions.js";

const types = new SchemaRegistry(typePackages);
const messages = types.packageNames.flatMap((name) => types.messageNames(name)).map((n) => types.message(n));

function named(shortName: string): MessageSchema[] {
  return messages.filter(({ name }) => name.endsWith(`.${shortName}`));
}

test("every description is of a type that there is", () => {
  expect(Object.keys(typeDescriptions()).filter((name) => named(name).length === 0)).toEqual([]);
});

test("every description of a field is of a field that there is", () => {
  const { "*": ofAll, ...ofTypes } = fieldDescriptions();
  const unknown = Object.entries(ofTypes).flatMap(([type, fields]) =>
    Object.keys(fields)
      .filter((field) => !named(type).some((message) => message.jsonFields.has(field)))
      .map((field) => `${type}.${field}`),
  );
  expect(unknown).toEqual([]);
  const nowhere = Object.keys(ofAll ?? {}).filter(
    (field) => !messages.some((message) => message.jsonFields.has(field)),
  );
  expect(nowhere).toEqual([]);
});

test("descriptions are sentences", () => {
  const texts = [
    ...Object.values(typeDescriptions()),
    ...Object.values(fieldDescriptions()).flatMap((fields) => Object.values(fields)),
  ];
  expect(texts.filter((text) => !/^(\$|[A-Z0-9'&]).*\.$/.test(text))).toEqual([]);
});

test("a field's own description comes before what is said of all types", () => {
  const descriptions = new Descriptions();
  expect(descriptions.ofField("core/v1.Pod", "spec")).toBe("What is wanted of the pod.");
  expect(descriptions.ofField("core/v1.Secret", "metadata")).toBe("Names, labels and other metadata.");
  expect(descriptions.ofField("core/v1.Secret", "nothing")).toBeUndefined();
});

test("a type without words of its own is described by its name", () => {
  const descriptions = new Descriptions();
  expect(descriptions.ofType("core/v1.Pod")).toBe("Containers that run together on one node.");
  expect(descriptions.ofType("core/v1.PodList")).toBe("A list of Pod objects.");
  expect(descriptions.ofType("meta/v1.List")).toBe("List.");
});
