import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { goType } from "../../../apimachinery/errors/go-type.js";
import { aggregate } from "../../../apimachinery/errors/shown-errors.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import { validateAnnotations, validateLabels } from "../../../apimachinery/validation/labels.js";

const metadataPath = FieldPath.of("metadata");
const changeable = [
  { name: "labels", validate: validateLabels, path: metadataPath.child("labels") },
  { name: "annotations", validate: validateAnnotations, path: metadataPath.child("annotation") },
] as const;

/** What differs in the fields of the metadata that identify an object, if anything. */
export function identityProblem(converted: JsonObject, original: JsonObject): string | undefined {
  const [now, before] = [metadataOf(converted), metadataOf(original)];
  for (const [name, shown] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const) {
    const [is, was] = [now[name] ?? "", before[name] ?? ""];
    if (is !== was) return `must have the same ${shown}: ${String(was)} != ${String(is)}`;
  }
  return undefined;
}

/**
 * The converted object with the metadata of the original: a conversion may change only labels and annotations. Throws an `Error` when
 * those are invalid.
 */
export function restoreMetadata(converted: JsonObject, original: JsonObject): JsonObject {
  const { metadata: answered } = converted;
  if (answered === undefined) throw new Error("missing metadata in converted object");
  if (!isJsonObject(answered)) {
    throw new Error(`invalid metadata of type ${goType(answered)} in converted object`);
  }
  const before = metadataOf(original);
  const metadata: Record<string, JsonValue> = { ...before };
  for (const { name, validate, path } of changeable) {
    delete metadata[name];
    const texts = textsOf(answered[name], name);
    if (texts === undefined) continue;
    if (!isSame(texts, before[name])) {
      const errors = validate(texts, path);
      if (errors.length > 0) throw new Error(aggregate(errors));
    }
    metadata[name] = texts;
  }
  return { ...converted, metadata };
}

function textsOf(value: JsonValue | undefined, name: string): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) {
    throw new Error(`invalid metadata.${name} of type ${goType(value)} in converted object`);
  }
  const texts = new Map<string, string>();
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") {
      throw new Error(
        `metadata.${name}[${key}] must be a string, but is ${goType(text)} in converted object`,
      );
    }
    texts.set(key, text);
  }
  return Object.fromEntries(texts);
}

function isSame(texts: Readonly<Record<string, string>>, before: JsonValue | undefined): boolean {
  const old = isJsonObject(before) ? before : {};
  const keys = Object.keys(texts);
  return keys.length === Object.keys(old).length && keys.every((key) => old[key] === texts[key]);
}

function metadataOf(object: JsonObject): JsonObject {
  return isJsonObject(object.metadata) ? object.metadata : {};
}
