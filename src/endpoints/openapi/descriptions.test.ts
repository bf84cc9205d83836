import { describe, expect, test } from "vitest";
import { type ApiLevel, apiLevels } from "../../apimachinery/levels/api-level.js";
import type { MessageSchema } from "../../apimachinery/schema/message-schema.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { typeDescriptions } from "../../apis/type-descriptions.js";
import { typePackages } from "../../apis/type-packages.js";
import { builtinCatalog } from "../discovery/testing/builtin-catalog.js";
import { typeMetaProperties } from "./declared-schemas.js";
import { Descriptions, sharedFields } from "./descriptions.js";
import { testDocuments } from "./testing/test-documents.js";

const types = new SchemaRegistry(typePackages);
const messages = types.packageNames.flatMap((name) => types.messageNames(name)).map((n) => types.message(n));
const described = Object.entries(typeDescriptions).flatMap(([packageName, ofPackage]) =>
  Object.entries(ofPackage).map(([type, { about, fields = {} }]) => ({ packageName, type, about, fields })),
);

/** The packages that describe a type: a version shares the descriptions of its sibling, and may lack some of its types. */
function versionsOf({ packageName, type }: { packageName: string; type: string }): MessageSchema[] {
  const group = packageName.slice(0, packageName.indexOf("/"));
  return messages.filter(({ name }) => name.startsWith(`${group}/`) && name.endsWith(`.${type}`));
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
}

interface Documented {
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly parameters: readonly Parameter[];
}

interface Document {
  readonly definitions: Readonly<Record<string, Schema>>;
  /** Those that paths refer to. */
  readonly parameters?: Readonly<Record<string, Parameter>>;
}

/** The documents of a server that serves all that the level has. */
async function documentsAt(level: ApiLevel): Promise<Documented> {
  const context = testApiContext({ profile: "orch", level });
  const documents = testDocuments(context, { catalog: builtinCatalog(context) });
  const document = await documents.v2("json");
  const parameters: Parameter[] = [];
  const { definitions, parameters: shared = {} }: Document = JSON.parse(
    Buffer.from(document.bytes).toString("utf8"),
    (name, value) => {
      if (name === "parameters" && Array.isArray(value))
        parameters.push(...value.filter(({ $ref }) => $ref === undefined));
      return value;
    },
  );
  return { definitions, parameters: [...parameters, ...Object.values(shared)] };
}

describe.each(apiLevels)("in the documents of %s", (level) => {
  const documented = documentsAt(level);

  test("every field is described", async () => {
    const { definitions } = await documented;
    const without = Object.entries(definitions).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description }]) => description === undefined)
        .map(([field]) => `${name}.${field}`),
    );
    expect(without).toEqual([]);
  });

  test("every parameter is described, but for bodies, whose types are", async () => {
    const { parameters } = await documented;
    const without = parameters.filter(
      ({ name, description = name }) => name !== "body" && description === name,
    );
    expect(parameters.length).toBeGreaterThan(1000);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test("no type is described by its bare name", async () => {
    const { definitions } = await documented;
    const bare = Object.entries(definitions).filter(
      ([name, { description }]) => description === undefined || name.endsWith(`.${description.slice(0, -1)}`),
    );
    expect(bare.map(([name]) => name)).toEqual([]);
  });
});

test("every description is of a type that there is", () => {
  const unknown = described.filter((entry) => versionsOf(entry).length === 0);
  expect(unknown.map(({ packageName, type }) => `${packageName}.${type}`)).toEqual([]);
});

test("every description of a field is of a field that there is", () => {
  const unknown = described.flatMap((entry) =>
    Object.keys(entry.fields)
      .filter((field) => !versionsOf(entry).some((message) => message.jsonFields.has(field)))
      .map((field) => `${entry.packageName}.${entry.type}.${field}`),
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
  const descriptions = new Descriptions();
  await descriptions.load("all");
  expect(descriptions.ofField("core/v1.Pod", "spec")).toMatch(/^How the pod is to run\./);
  expect(descriptions.ofField("core/v1.Secret", "metadata")).toMatch(/^Standard object's metadata/);
  expect(descriptions.ofField("core/v1.Secret", "nothing")).toBeUndefined();
});

test("the fields of all objects are described with the words that Kubernetes' conformance tests look for", async () => {
  const descriptions = new Descriptions();
  await descriptions.load("common");
  expect(typeMetaProperties.apiVersion).toMatchObject({
    description: expect.stringContaining("APIVersion defines"),
  });
  expect(descriptions.ofField("example/v1.Boat", "metadata")).toContain("Standard object's metadata");
  expect(descriptions.ofField("meta/v1.ObjectMeta", "creationTimestamp")).toContain(
    "CreationTimestamp is a timestamp",
  );
});

test("a type without words of its own is described by its name", async () => {
  const descriptions = new Descriptions();
  await descriptions.load("all");
  expect(descriptions.ofType("core/v1.Pod")).toBe(
    "Containers that run together on one node, sharing network and volumes.",
  );
  expect(descriptions.ofType("core/v1.PodList")).toBe("A list of Pod objects.");
  expect(descriptions.ofType("meta/v1.List")).toBe("List.");
});
