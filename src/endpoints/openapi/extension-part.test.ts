import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { extensionPart } from "./extension-part.js";

const printed = (definitions: JsonObject) =>
  new Map(
    Object.entries(definitions).map(([name, value]) => [
      name,
      Buffer.from(`${JSON.stringify(name)}:${JSON.stringify(value)}`),
    ]),
  );

const reference = (name: string) => ({ $ref: `#/definitions/${name}` });
const kinds = "x-kubernetes-group-version-kind";
const own = "/apis/flunder.example.com/v1";
const document = {
  paths: {
    [`${own}/flunders`]: { get: { responses: { 200: { schema: reference("Flunder") } } } },
    "/apis/other.example.com/v1/things": { get: { responses: { 200: { schema: reference("Other") } } } },
    "/version/": {},
  },
  definitions: {
    Flunder: { properties: { metadata: reference("Meta"), status: reference("Status") } },
    Meta: { type: "object", description: "Their words." },
    Status: { properties: { theirs: { type: "string" }, again: reference("Flunder") } },
    Other: {},
  },
};

test("only the paths of the version and what they lead to are taken", async () => {
  const { paths, definitions } = await extensionPart(document, own, new Map(), kinds);
  expect(Object.keys(paths)).toEqual([`${own}/flunders`]);
  expect(Object.keys(definitions).sort()).toEqual(["Flunder", "Meta", "Status"]);
});

test("a definition that both have alike is this server's, another of its name gets a new one", async () => {
  const known = printed({
    Meta: { description: "Our words.", type: "object" },
    Status: { properties: { ours: { type: "string" } } },
    Status_v2: {},
  });
  const { paths, definitions } = await extensionPart(document, own, known, kinds);
  expect(definitions).toEqual({
    Flunder: { properties: { metadata: reference("Meta"), status: reference("Status_v3") } },
    Status_v3: { properties: { theirs: { type: "string" }, again: reference("Flunder") } },
  });
  expect(paths[`${own}/flunders`]).toEqual(document.paths[`${own}/flunders`]);
});

test("the kinds that a definition belongs to make no difference, and a renamed one is used again", async () => {
  const known = printed({
    Meta: { type: "object", [kinds]: [{ group: "", kind: "Meta", version: "v1" }] },
    Status: { properties: { ours: { type: "string" } } },
    Status_v2: { properties: { theirs: { type: "string" }, again: reference("Flunder") } },
  });
  const theirs = { ...document.definitions, Meta: { type: "object", [kinds]: [{ kind: "Other" }] } };
  const { definitions } = await extensionPart({ ...document, definitions: theirs }, own, known, kinds);
  expect(definitions).toEqual({
    Flunder: { properties: { metadata: reference("Meta"), status: reference("Status_v2") } },
  });
});

test("parameters and responses that paths share stand in each of them", async () => {
  const namespace = { name: "namespace", in: "path", type: "string", required: true };
  const body = { name: "body", in: "body", schema: reference("Flunder") };
  const unauthorized = { description: "Unauthorized", schema: reference("Status") };
  const missing = { $ref: "#/parameters/missing" };
  const { paths, definitions } = await extensionPart(
    {
      paths: {
        [`${own}/flunders`]: {
          parameters: [{ $ref: "#/parameters/namespace" }, missing],
          post: {
            parameters: [{ $ref: "#/parameters/body" }],
            responses: { 401: { $ref: "#/responses/unauthorized" } },
          },
        },
      },
      definitions: { Flunder: {}, Status: {} },
      parameters: { namespace, body },
      responses: { unauthorized },
    },
    own,
    new Map(),
    kinds,
  );
  expect(paths).toEqual({
    [`${own}/flunders`]: {
      parameters: [namespace, missing],
      post: { parameters: [body], responses: { 401: unauthorized } },
    },
  });
  expect(Object.keys(definitions).sort()).toEqual(["Flunder", "Status"]);
});

test("numbers beyond those of JavaScript are compared, too", async () => {
  const big = (maximum: bigint): JsonObject => ({ Meta: { maximum } });
  const known = new Map([["Meta", Buffer.from('"Meta":{"maximum":9223372036854775807}')]]);
  const paths = { [own]: { get: { responses: { 200: { schema: reference("Meta") } } } } };
  const namesWith = async (maximum: bigint) =>
    Object.keys((await extensionPart({ paths, definitions: big(maximum) }, own, known, kinds)).definitions);
  expect(await namesWith(9223372036854775807n)).toEqual([]);
  expect(await namesWith(9223372036854775806n)).toEqual(["Meta_v2"]);
});

test.each([{}, { paths: [] }, { paths: { [own]: null }, definitions: "none" }])(
  "a document that is none adds nothing but what it has: %j",
  async (garbage) => {
    expect((await extensionPart(garbage as JsonObject, own, new Map(), kinds)).definitions).toEqual({});
  },
);
