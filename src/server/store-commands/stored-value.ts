import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { JsonSyntaxError } from "../../apimachinery/json/json-scanner.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { DecodeError, type TypeMeta } from "../../apimachinery/schema/codec.js";
import { decodeEnvelope, encodeEnvelope, hasEnvelope } from "../../apimachinery/schema/envelope.js";
import { jsonToYaml } from "../../apimachinery/yaml/json-to-yaml.js";
import { parseYaml } from "../../apimachinery/yaml/parse-yaml.js";
import { YamlSyntaxError } from "../../apimachinery/yaml/yaml-syntax-error.js";
import { createNaming, profileNames } from "../../naming/naming.js";
import type { StoredKinds } from "./stored-kinds.js";

export type TextFormat = "json" | "yaml";

/** A malformed value or text; the message is for the user of the command. */
export class StoredValueError extends Error {
  override readonly name = "StoredValueError";
}

/** Prints a stored value as text. Throws `StoredValueError`. */
export async function decodeStoredValue(
  bytes: Uint8Array,
  kinds: StoredKinds,
  format: TextFormat,
): Promise<string> {
  const json = storedJson(bytes, kinds);
  if (format === "yaml") return await jsonToYaml(json);
  return `${printJson(parseJson(json), { indent: "  ", htmlEscape: false })}\n`;
}

/**
 * The bytes that Kubernetes stores for the object in a JSON or YAML text, in the version that the text names. Omits the resource
 * version: a store derives it from its revisions. Throws `StoredValueError`.
 */
export async function encodeStoredValue(
  text: Uint8Array,
  kinds: StoredKinds,
  mediaType: "json" | "protobuf",
): Promise<Uint8Array> {
  const object = await parseObject(text);
  const typeMeta = typeMetaOf(object);
  const stored = withoutResourceVersion(object);
  const found = kinds.find(typeMeta);
  if (found.kind === "unknown") throw unknownKind(typeMeta);
  if (found.kind === "built-in" && typeMeta.kind.endsWith("List")) {
    throw new StoredValueError(
      `${typeMeta.kind} is a list: each of its items is stored as a value of its own`,
    );
  }
  if (found.kind === "custom") return Buffer.from(`${printJson(sorted(stored))}\n`);
  const { codec } = found;
  try {
    const decoded = codec.fromJson(stored, {
      onUnknownField: (path) => {
        throw new StoredValueError(`${typeMeta.kind} has no field ${JSON.stringify(path)}`);
      },
    });
    return mediaType === "json"
      ? Buffer.from(`${codec.toJsonWithType(decoded, typeMeta)}\n`)
      : encodeEnvelope(typeMeta, codec.toProto(decoded));
  } catch (error) {
    throw explained(error, `this is no ${typeMeta.kind}`);
  }
}

/** A stored value as JSON, with its type. Throws `StoredValueError`. */
export function storedJson(given: Uint8Array, kinds: StoredKinds): string {
  const bytes = withoutAddedNewline(given);
  if (hasEnvelope(bytes)) return jsonOfEnvelope(bytes, kinds);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const prefix = encryptedPrefixes.find((each) => text.subarray(0, each.length).equals(Buffer.from(each)));
  if (prefix !== undefined) {
    const [, , provider = "", , key = ""] = text.subarray(0, 200).toString("latin1").split(":");
    throw new StoredValueError(
      `the value is encrypted (provider ${provider}, key ${JSON.stringify(key)}): read it through the server`,
    );
  }
  try {
    const value = parseJson(bytes);
    if (!isJsonObject(value)) throw new StoredValueError("the value is JSON, but no object");
    return printJson(value, { htmlEscape: false });
  } catch (error) {
    throw explained(error, "the value is neither a stored object in the binary form nor JSON");
  }
}

function jsonOfEnvelope(bytes: Uint8Array, kinds: StoredKinds): string {
  try {
    const { typeMeta, raw } = decodeEnvelope(bytes);
    if (typeMeta.kind === "") throw new StoredValueError("the value is damaged: it does not say its kind");
    const found = kinds.find(typeMeta);
    if (found.kind !== "built-in") throw unknownKind(typeMeta);
    return found.codec.toJsonWithType(found.codec.fromProto(raw), typeMeta);
  } catch (error) {
    throw explained(error, "the value is damaged");
  }
}

const encryptedPrefixes = profileNames.map((name) => createNaming(name).encryptedValuePrefix);

/** Tools that print a value append a newline; the binary form ends with an empty field 4. */
function withoutAddedNewline(bytes: Uint8Array): Uint8Array {
  const hasAdded = hasEnvelope(bytes) && bytes.at(-1) === 0x0a && bytes.at(-2) === 0 && bytes.at(-3) === 0x22;
  return hasAdded ? bytes.subarray(0, -1) : bytes;
}

async function parseObject(text: Uint8Array): Promise<JsonObject> {
  if (hasSecondDocument(Buffer.from(text).toString())) {
    throw new StoredValueError("the text holds more than one object");
  }
  try {
    const value = await parseYaml(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw explained(error, "the text is neither JSON nor YAML");
  }
  throw new StoredValueError("the text is no object");
}

/** Whether content follows the end of a non-empty YAML document. */
function hasSecondDocument(text: string): boolean {
  const documents = text.split(/^---(?=\s|$)/m);
  return documents.filter((document) => /^\s*[^\s#]/m.test(document)).length > 1;
}

export function typeMetaOf({ apiVersion, kind }: JsonObject): TypeMeta {
  if (typeof apiVersion === "string" && apiVersion !== "" && typeof kind === "string" && kind !== "") {
    return { apiVersion, kind };
  }
  throw new StoredValueError("the object does not say its apiVersion and kind");
}

function withoutResourceVersion(object: JsonObject): JsonObject {
  if (!isJsonObject(object.metadata)) return object;
  const { resourceVersion: _version, selfLink: _link, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Go prints the keys of a map in order. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

function unknownKind({ apiVersion, kind }: TypeMeta): StoredValueError {
  return new StoredValueError(`${kind} of ${apiVersion} is no type that this version knows`);
}

/** Prefixes errors that the input causes with `what`; returns other errors unchanged. */
function explained(error: unknown, what: string): unknown {
  const isInputs =
    error instanceof DecodeError || error instanceof JsonSyntaxError || error instanceof YamlSyntaxError;
  return isInputs ? new StoredValueError(`${what}: ${error.message}`, { cause: error }) : error;
}
