import { expect, test } from "vitest";
import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { typePackages } from "../../apis/type-packages.js";
import { describedGroups } from "./descriptions/described-groups.js";
import { sharedFields } from "./descriptions/shared-fields.js";
import { loadDescriptions } from "./descriptions.js";

const types = new SchemaRegistry(typePackages);
const messages = types.packageNames.flatMap((name) => types.messageNames(name)).map((n) => types.message(n));
const described = Object.entries(describedGroups).flatMap(([group, ofGroup]) =>
  Object.entries(ofGroup).map(([type, { about, fields = {} }]) => ({ group, type, about, fields })),
);

/** The versions of a type in a group. */
function versionsOf({ group, type }: { group: string; type: string }): MessageSchema[] {
  return messages.filter(({ name }) => name.startsWith(`${group}/`) && name.endsWith(`.${type}`));
}

test("every description is of a type that there is", () => {
  const unknown = described.filter((entry) => versionsOf(entry).length === 0);
  expect(unknown.map(({ group, type }) => `${group}.${type}`)).toEqual([]);
});

test("every description of a field is of a field that there is", () => {
  const unknown = described.flatMap((entry) =>
    Object.keys(entry.fields)
      .filter((field) => !versionsOf(entry).some((message) => message.jsonFields.has(field)))
      .map((field) => `${entry.group}.${entry.type}.${field}`),
  );
  expect(unknown).toEqual([]);
  const nowhere = Object.keys(sharedFields).filter(
    (field) => !messages.some((message) => message.jsonFields.has(field)),
  );
  expect(nowhere).toEqual([]);
});

test("descriptions are sentences", () => {
  const texts = described.flatMap(({ about = "None.", fields }) => [about, ...Object.values(fields)]);
  const all = [...texts, ...Object.values(sharedFields)];
  expect(all.filter((text) => !/^(\$|[A-Z0-9'&]).*\.$/.test(text))).toEqual([]);
});

test("a field's own description comes before what is said of all types", async () => {
  const descriptions = await loadDescriptions();
  expect(descriptions.ofField("core/v1.Pod", "spec")).toBe("What is wanted of the pod.");
  expect(descriptions.ofField("core/v1.Secret", "metadata")).toBe("Names, labels and other metadata.");
  expect(descriptions.ofField("core/v1.Secret", "nothing")).toBeUndefined();
});

test("a type without words of its own is described by its name", async () => {
  const descriptions = await loadDescriptions();
  expect(descriptions.ofType("core/v1.Pod")).toBe("Containers that run together on one node.");
  expect(descriptions.ofType("core/v1.PodList")).toBe("A list of Pod objects.");
  expect(descriptions.ofType("meta/v1.List")).toBe("List.");
});
