import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { jsonEqual } from "../../apimachinery/json/json-values.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Naming } from "../../naming/naming.js";
import type { Dialect } from "./dialect.js";

export interface CustomSchemaParts {
  readonly dialect: Dialect;
  readonly naming: Naming;
  /** The properties of every object: `apiVersion`, `kind` and `metadata`. */
  readonly objectFields: JsonObject;
  readonly level: ApiLevel;
}

/**
 * The schema of a custom resource as documents show it. In Swagger 2.0, a part that cannot be expressed has no schema: clients treat a
 * schema with properties as closed, and must not refuse an object that the server accepts. Yields to the event loop. Source:
 * k8s.io/apiextensions-apiserver pkg/controller/openapi.
 */
export async function customSchema(schema: JsonObject, parts: CustomSchemaParts): Promise<JsonObject> {
  const { dialect, naming, objectFields } = parts;
  const preserves = schema[`${naming.extensionPrefix}preserve-unknown-fields`] === true;
  if (schema.type === undefined || (preserves && dialect === "v2")) return { type: "object" };
  const described: MutableObject = {};
  const conversions: Conversion[] = [{ from: schema, to: described }];
  // The list grows during the iteration.
  for (const conversion of conversions) {
    convert(conversion, parts, conversions);
    const turn = turnIfRoundIsOver();
    if (turn !== undefined) await turn;
  }
  return withFields(described, objectFields);
}

type MutableObject = Record<string, JsonValue>;

interface Conversion {
  readonly from: JsonObject;
  readonly to: MutableObject;
}

/** Keywords of OpenAPI 3 unknown to Swagger 2.0, or to clients that validate with it. */
const unknownWords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "not", "nullable", "default"]);

/** Nested schemas are queued for later. */
function convert({ from, to }: Conversion, parts: CustomSchemaParts, later: Conversion[]): void {
  const { dialect, naming, objectFields, level } = parts;
  const hidden = isAtLeast(level, "1.36") ? nothing : examples;
  const convertLater = (schema: JsonObject): JsonObject => {
    const converted: MutableObject = {};
    later.push({ from: schema, to: converted });
    return converted;
  };
  const preserves = from[`${naming.extensionPrefix}preserve-unknown-fields`] === true;
  const given = dialect === "v2" ? swaggerWords(from, preserves, hidden) : openApiWords(from, naming, hidden);
  for (const [word, value] of Object.entries(given)) {
    if (!isJsonObject(value)) to[word] = value;
    else if (word === "items" || word === "additionalProperties") to[word] = convertLater(value);
    else if (word !== "properties") to[word] = value;
    else {
      const members = Object.entries(value).map(([name, property]): [string, JsonValue] => [
        name,
        isJsonObject(property) ? convertLater(property) : (property ?? null),
      ]);
      to[word] = Object.fromEntries(members);
    }
  }
  const isEmbedded = from[`${naming.extensionPrefix}embedded-resource`] === true;
  if (!isEmbedded || (preserves && dialect === "v2")) return;
  Object.assign(to, withFields(to, objectFields));
  const required = Array.isArray(to.required) ? to.required : [];
  to.required = [...required, ...["kind", "apiVersion"].filter((name) => !required.includes(name))];
}

/** Fields that Kubernetes' structural schemas drop until 1.35. */
const examples: ReadonlySet<string> = new Set(["example", "externalDocs"]);
const nothing: ReadonlySet<string> = new Set();

const intOrString = [{ type: "integer" }, { type: "string" }];

/** Adds the int-or-string alternatives, unless the schema declares them. */
function openApiWords(
  schema: JsonObject,
  { extensionPrefix }: Naming,
  hidden: ReadonlySet<string>,
): JsonObject {
  const words = Object.fromEntries(Object.entries(schema).filter(([word]) => !hidden.has(word)));
  if (schema[`${extensionPrefix}int-or-string`] !== true) return words;
  const { anyOf, allOf = [] } = schema;
  if (anyOf === undefined) {
    const says = Array.isArray(allOf) && isJsonObject(allOf[0]) && isIntOrString(allOf[0].anyOf);
    return says ? words : { ...words, anyOf: intOrString };
  }
  if (isIntOrString(anyOf)) return words;
  return { ...words, allOf: [{ anyOf: intOrString }, ...(Array.isArray(allOf) ? allOf : [])] };
}

function isIntOrString(anyOf: JsonValue | undefined): boolean {
  return anyOf !== undefined && jsonEqual(anyOf, intOrString);
}

/** The keywords that Swagger has. A schema that it cannot express is left open. */
function swaggerWords(schema: JsonObject, preserves: boolean, hidden: ReadonlySet<string>): JsonObject {
  const isNullable = schema.nullable === true;
  const words: MutableObject = {};
  for (const [word, value] of Object.entries(schema)) {
    if (unknownWords.has(word) || hidden.has(word)) continue;
    if ((isNullable || preserves) && (word === "items" || word === "properties")) continue;
    words[word] = value;
  }
  // Clients cannot read an array without items, and treat nulls as errors in an object that preserves unknown fields.
  const isUnreadable =
    words.type === "array" ? words.items === undefined : preserves && words.type === "object";
  if (isNullable || isUnreadable) delete words.type;
  // For these clients, null means absent.
  const { properties, required, additionalProperties } = words;
  if (!Array.isArray(required)) return words;
  const isOptional = (name: JsonValue): boolean =>
    isNullableSchema(additionalProperties) ||
    (isJsonObject(properties) && typeof name === "string" && isNullableSchema(properties[name]));
  words.required = required.filter((name) => !isOptional(name));
  if (words.required.length === 0) delete words.required;
  return words;
}

function isNullableSchema(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema.nullable === true;
}

function withFields(schema: JsonObject, fields: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return { ...schema, properties: { ...properties, ...fields } };
}
