import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
import { definitionsToV3, pathsToV3 } from "./swagger-to-v3.js";

const old = (name: string) => ({ $ref: `#/definitions/${name}` });
const current = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const convert = (paths: JsonObject, document: JsonObject = {}) =>
  Object.fromEntries(pathsToV3(paths, document));

function operation(post: JsonObject, document: JsonObject = {}): JsonValue | undefined {
  return convert({ "/flunders": { post } }, document)["/flunders"]?.post;
}

function schema(definition: JsonValue): JsonValue | undefined {
  return Object.fromEntries(definitionsToV3({ it: definition })).it;
}

test("an operation has its body and answers by media type", () => {
  const converted = operation({
    operationId: "createFlunder",
    description: "Makes one.",
    consumes: ["application/json", "application/yaml"],
    produces: ["application/json"],
    schemes: ["https"],
    parameters: [
      { name: "body", in: "body", required: true, schema: old("Flunder") },
      { name: "dryRun", in: "query", type: "string", uniqueItems: true, description: "Only tries." },
    ],
    responses: {
      201: {
        description: "Created",
        schema: old("Flunder"),
        headers: { Age: { type: "integer", description: "Old." } },
      },
      401: { description: "Unauthorized" },
    },
    "x-kubernetes-action": "post",
  });
  const content = { schema: current("Flunder") };
  expect(converted).toEqual({
    operationId: "createFlunder",
    description: "Makes one.",
    parameters: [
      {
        name: "dryRun",
        in: "query",
        description: "Only tries.",
        schema: { type: "string", uniqueItems: true },
      },
    ],
    requestBody: { required: true, content: { "application/json": content, "application/yaml": content } },
    responses: {
      201: {
        description: "Created",
        content: { "application/json": content },
        headers: { Age: { description: "Old.", schema: { type: "integer" } } },
      },
      401: { description: "Unauthorized" },
    },
    "x-kubernetes-action": "post",
  });
});

test("media types are those of the document where an operation names none, and never any", () => {
  const parameters = [{ name: "body", in: "body", schema: {} }];
  const responses = { 200: { description: "OK", schema: {} } };
  const types = (post: JsonObject, document: JsonObject) => {
    const converted = JSON.parse(JSON.stringify(operation({ parameters, responses, ...post }, document)));
    return [Object.keys(converted.requestBody.content), Object.keys(converted.responses[200].content)];
  };
  expect(types({}, { consumes: ["a/b"], produces: ["c/d"] })).toEqual([["a/b"], ["c/d"]]);
  expect(types({ consumes: ["*/*"], produces: ["e/f"] }, {})).toEqual([["e/f"], ["e/f"]]);
  expect(types({}, {})).toEqual([["application/json"], ["application/json"]]);
});

test("parameters of a path hold for all of its operations", () => {
  const paths = convert({
    "/flunders/{name}": {
      parameters: [
        { name: "name", in: "path", type: "string", required: true },
        { name: "body", in: "body", schema: old("Flunder") },
      ],
      put: { responses: {} },
      "x-note": "kept",
    },
  });
  expect(paths["/flunders/{name}"]).toEqual({
    parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
    put: { requestBody: { content: { "application/json": { schema: current("Flunder") } } }, responses: {} },
    "x-note": "kept",
  });
});

test.each([
  ["csv", false],
  [undefined, false],
  ["multi", true],
])("a list in the query whose format is %s", (collectionFormat, explode) => {
  const format = collectionFormat === undefined ? {} : { collectionFormat };
  const list = { name: "a", in: "query", type: "array", items: { type: "string" }, ...format };
  expect(operation({ parameters: [list], responses: {} })).toEqual({
    parameters: [{ name: "a", in: "query", explode, schema: { type: "array", items: { type: "string" } } }],
    responses: {},
  });
});

test("the fields of a form are a body", () => {
  const parameters = [
    { name: "a", in: "formData", type: "string", required: true, description: "First." },
    { name: "b", in: "formData", type: "file" },
  ];
  expect(operation({ parameters, responses: {} })).toEqual({
    requestBody: {
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            properties: {
              a: { type: "string", description: "First." },
              b: { type: "string", format: "binary" },
            },
            required: ["a"],
          },
        },
      },
    },
    responses: {},
  });
});

test("references lead to the components, at any depth, and stand alone", () => {
  expect(
    schema({
      type: "object",
      description: "A flunder.",
      properties: {
        metadata: { description: "About it.", ...old("Meta") },
        list: { type: "array", items: old("Item") },
        map: { type: "object", additionalProperties: old("Item") },
        either: { allOf: [old("Item"), { type: "object", additionalProperties: false }] },
        $ref: { type: "string" },
        properties: { type: "object", default: old("untouched") },
      },
      "x-kubernetes-group-version-kind": [{ group: "a", version: "b", kind: "C" }],
    }),
  ).toEqual({
    type: "object",
    description: "A flunder.",
    properties: {
      metadata: { description: "About it.", allOf: [current("Meta")] },
      list: { type: "array", items: current("Item") },
      map: { type: "object", additionalProperties: current("Item") },
      either: { allOf: [current("Item"), { type: "object", additionalProperties: false }] },
      $ref: { type: "string" },
      properties: { type: "object", default: old("untouched") },
    },
    "x-kubernetes-group-version-kind": [{ group: "a", version: "b", kind: "C" }],
  });
});

test("the discriminator is an object", () => {
  expect(schema({ discriminator: "kind" })).toEqual({ discriminator: { propertyName: "kind" } });
});

test.each([null, 1, "x", [], { get: null }, { get: { parameters: {}, responses: [] } }, { parameters: [1] }])(
  "an item that is none harms nothing: %j",
  (item) => {
    expect(() => convert({ "/a": item as JsonValue })).not.toThrow();
  },
);
