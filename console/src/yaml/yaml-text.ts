import { Document, type Node, parseDocument, type ScalarTag, type Tags, visit } from "yaml";
import { plainNumber } from "../../../src/apimachinery/yaml/plain-number.ts";
import { isServers } from "../api/apply-configuration.ts";
import { isObject, type Json, type JsonObject, parseObject } from "../api/json.ts";

/** A mistake in a YAML text, from one position to another. */
export interface YamlMistake {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

export type ParsedYaml =
  | { readonly kind: "object"; readonly object: JsonObject; readonly root: Node | null }
  | { readonly kind: "mistakes"; readonly mistakes: readonly YamlMistake[] };

/** Manifests are parsed as kubectl parses them: `yes` is a boolean, `0644` is octal, `12:30` and dates are strings. */
const options = {
  version: "1.1",
  customTags: (tags: Tags) => [
    ...tags.filter((tag) => typeof tag === "string" || !foreign.test(tag.tag)),
    number,
  ],
} as const;
const foreign = /:(?:int|float|timestamp|binary|omap|pairs)$/;
const number: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+]?\.?\d/,
  resolve: (text) => plainNumber(text) ?? text,
};

/** Large numbers stay exact, and nothing in the text makes anything but plain values. */
export function parseYaml(text: string): ParsedYaml {
  const document = parseDocument(text, { ...options, prettyErrors: false });
  const mistakes = document.errors.map(({ message, pos: [from, to] }) => ({ message, from, to }));
  if (mistakes.length > 0) return { kind: "mistakes", mistakes };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (isObject(value)) return { kind: "object", object: value, root: document.contents };
    return wholeMistake("This is no object.", text);
  } catch (error) {
    return wholeMistake(error instanceof Error ? error.message : String(error), text);
  }
}

/**
 * An object that the server sent as JSON. Integers that JavaScript would round stay exact: a text that has some is read as YAML, which
 * takes a hundred times as long.
 */
export function parseExactly(text: string): JsonObject {
  const object = parseObject(text);
  if (!/\d{16}/.test(text) || !isRounded(object)) return object;
  const parsed = parseYaml(text);
  if (parsed.kind === "mistakes") throw new Error(parsed.mistakes[0]?.message);
  return parsed.object;
}

function isRounded(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(isRounded);
}

function wholeMistake(message: string, text: string): ParsedYaml {
  return { kind: "mistakes", mistakes: [{ message, from: 0, to: text.length }] };
}

/** Prints the value as YAML that `parseYaml` and kubectl read back unchanged. */
export function printYaml(value: Json): string {
  const document = new Document(value, { version: "1.1", aliasDuplicateObjects: false });
  visit(document, {
    // The library itself quotes other strings that could be read as another type.
    Scalar: (_, node) => {
      if (typeof node.value === "string" && plainNumber(node.value) !== undefined) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0, nullStr: "null" });
}

/** The object as it is shown and edited: by default without the fields that the server manages. */
export function shownObject(object: JsonObject, withServers: boolean): JsonObject {
  if (withServers) return object;
  const { metadata, ...rest } = object;
  const { apiVersion, kind, ...others } = rest;
  const shown = isObject(metadata) ? shownMetadata(metadata) : metadata;
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    ...(shown !== undefined && { metadata: shown }),
    ...others,
  };
}

/** Name and namespace first. */
function shownMetadata({ name, namespace, ...others }: JsonObject): JsonObject {
  return {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...Object.fromEntries(Object.entries(others).filter(([field]) => !isServers(field))),
  };
}
