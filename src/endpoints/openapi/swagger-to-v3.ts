import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { objectsIn } from "../../apimachinery/json/json-values.js";
import { decorated } from "./declared-schemas.js";

/**
 * Paths of another server's Swagger 2.0 document in OpenAPI 3.0. `document` has the default media types. Invalid Swagger is left out or
 * passed on unchanged. Source: the specifications of both versions.
 */
export function* pathsToV3(
  paths: JsonObject,
  document: JsonObject,
): Iterable<[path: string, item: JsonObject]> {
  for (const [path, item] of Object.entries(paths)) {
    if (isJsonObject(item)) yield [path, pathItem(item, document)];
  }
}

/** The document's definitions as schemas of OpenAPI 3.0. */
export function* definitionsToV3(definitions: JsonObject): Iterable<[name: string, schema: JsonValue]> {
  for (const [name, definition] of Object.entries(definitions)) yield [name, schemaV3(definition)];
}

const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);

function pathItem(item: JsonObject, document: JsonObject): JsonObject {
  const shared = objectsIn(item.parameters);
  const plain = shared.filter(isPlain).map(parameterV3);
  const bodies = shared.filter((each) => !isPlain(each));
  return {
    ...Object.fromEntries(
      Object.entries(item).flatMap(([name, value]) => {
        if (name === "parameters") return [];
        if (!methods.has(name)) return [[name, value]];
        return isJsonObject(value) ? [[name, operationV3(value, bodies, document)]] : [];
      }),
    ),
    ...(plain.length > 0 && { parameters: plain }),
  };
}

/** Whether it stays a parameter, rather than a body or a part of one. */
function isPlain(parameter: JsonObject): boolean {
  return parameter.in !== "body" && parameter.in !== "formData";
}

/** `bodies` are body parameters that all operations of the path share. */
function operationV3(operation: JsonObject, bodies: readonly JsonObject[], document: JsonObject): JsonObject {
  const { consumes, produces, schemes: _, parameters, responses, ...others } = operation;
  const produced = mediaTypes(produces ?? document.produces);
  const consumed = mediaTypes(consumes ?? document.consumes);
  const own = objectsIn(parameters);
  const plain = own.filter(isPlain).map(parameterV3);
  // Generated clients send `*/*` literally.
  const body = requestBody([...own, ...bodies], consumed.includes("*/*") ? produced : consumed);
  return {
    ...others,
    ...(plain.length > 0 && { parameters: plain }),
    ...(body !== undefined && { requestBody: body }),
    responses: Object.fromEntries(
      Object.entries(isJsonObject(responses) ? responses : {}).map(([code, response]) => [
        code,
        isJsonObject(response) ? responseV3(response, produced) : response,
      ]),
    ),
  };
}

function requestBody(parameters: readonly JsonObject[], consumed: readonly string[]): JsonObject | undefined {
  const body = parameters.find((each) => each.in === "body");
  if (body !== undefined) {
    const { name: _, in: __, schema, ...others } = body;
    return { ...others, content: contentOf(consumed, schema) };
  }
  const fields = parameters.filter((each) => each.in === "formData");
  if (fields.length === 0) return undefined;
  const properties = fields.map((each): [string, JsonValue] => {
    const { description, schema } = parameterV3(each);
    return [
      String(each.name),
      { ...(isJsonObject(schema) && schema), ...(description !== undefined && { description }) },
    ];
  });
  const required = fields.filter((each) => each.required === true).map(({ name }) => String(name));
  const hasFiles = fields.some(({ type }) => type === "file");
  const forms = consumed.filter((each) => each.includes("form"));
  const form = hasFiles ? "multipart/form-data" : "application/x-www-form-urlencoded";
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  return { content: contentOf(forms.length > 0 ? forms : [form], schema) };
}

/** Keywords of a parameter that are not keywords of its schema. */
const parameterWords: ReadonlySet<string> = new Set([
  "name",
  "in",
  "description",
  "required",
  "allowEmptyValue",
  "$ref",
]);

function parameterV3(parameter: JsonObject): JsonObject {
  const { collectionFormat, ...members } = parameter;
  const around: Record<string, JsonValue> = {};
  const schema: Record<string, JsonValue> = {};
  for (const [word, value] of Object.entries(members)) {
    if (parameterWords.has(word) || word.startsWith("x-")) around[word] = value;
    else schema[word] = value;
  }
  if (parameter.type === "array" && parameter.in === "query") around.explode = collectionFormat === "multi";
  return { ...around, schema: schemaV3(schema) };
}

function responseV3(response: JsonObject, produced: readonly string[]): JsonObject {
  const { schema, headers, examples: _, ...others } = response;
  return {
    ...others,
    ...(schema !== undefined && { content: contentOf(produced, schema) }),
    ...(isJsonObject(headers) && {
      headers: mapped(headers, (header) => {
        const { description, collectionFormat: _, ...words } = isJsonObject(header) ? header : {};
        return { ...(description !== undefined && { description }), schema: schemaV3(words) };
      }),
    }),
  };
}

function contentOf(types: readonly string[], schema: JsonValue | undefined): JsonObject {
  const converted = schema === undefined ? {} : schemaV3(schema);
  return Object.fromEntries(types.map((type) => [type, { schema: converted }]));
}

const formerReference = "#/definitions/";

function schemaV3(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const { $ref, ...words } = schema;
  const converted: Record<string, JsonValue> = {};
  for (const [word, value] of Object.entries(words)) converted[word] = wordV3(word, value);
  if (schema.type === "file") {
    converted.type = "string";
    converted.format = "binary";
  }
  if (typeof $ref !== "string") return converted;
  const name = $ref.startsWith(formerReference) ? $ref.slice(formerReference.length) : undefined;
  const reference = name === undefined ? $ref : `#/components/schemas/${name}`;
  return decorated("v3", { $ref: reference }, converted);
}

function wordV3(word: string, value: JsonValue): JsonValue {
  switch (word) {
    case "properties":
      return isJsonObject(value) ? mapped(value, schemaV3) : value;
    case "items":
    case "additionalProperties":
    case "not":
      return schemaV3(value);
    case "allOf":
    case "anyOf":
    case "oneOf":
      return Array.isArray(value) ? value.map((each: JsonValue) => schemaV3(each)) : value;
    case "discriminator":
      return typeof value === "string" ? { propertyName: value } : value;
    default:
      return value;
  }
}

function mapped(object: JsonObject, of: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, of(value)]));
}

function mediaTypes(value: JsonValue | undefined): readonly string[] {
  const types = Array.isArray(value) ? value.filter((each: JsonValue) => typeof each === "string") : [];
  return types.length > 0 ? types : ["application/json"];
}
