import { Document, type Node, parseDocument } from "yaml";
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

const options = { intAsBigInt: true, version: "1.2", merge: false } as const;

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
 * An object that the server sent as JSON. Integers that JavaScript would round stay exact: a text that may have some is read as YAML, which
 * takes a hundred times as long.
 */
export function parseExactly(text: string): JsonObject {
  if (!/\d{16}/.test(text)) return parseObject(text);
  const parsed = parseYaml(text);
  if (parsed.kind === "mistakes") throw new Error(parsed.mistakes[0]?.message);
  return parsed.object;
}

function wholeMistake(message: string, text: string): ParsedYaml {
  return { kind: "mistakes", mistakes: [{ message, from: 0, to: text.length }] };
}

export function printYaml(value: Json): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  return document.toString({ lineWidth: 0, defaultStringType: "PLAIN", nullStr: "null" });
}

/** The object as it is shown and edited: by default without the fields that the server maintains about it. */
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
