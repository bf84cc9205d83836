import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { jsonText, ownField } from "../json/json-values.js";
import { sortedMembers } from "../json/sorted-members.js";
import type { MergeType } from "../schema/merge-type.js";
import { annotationsBytes, annotationsBytesMax } from "../validation/labels.js";
import { checkTyped } from "./check-typed.js";
import { compareTyped } from "./compare-typed.js";
import { extractSet } from "./extract-set.js";
import { difference, type FieldSet } from "./field-set.js";

/** kubectl's manager name for server-side apply; its client-side apply keeps the configuration in an annotation. */
export const clientSideApplier = "kubectl";

/**
 * The fields that client-side apply last set and that still have that value, so that kubectl may take them over without force.
 * Undefined when the annotation is missing or does not fit the type.
 */
export function lastAppliedSet(
  live: JsonObject,
  annotation: string,
  apiVersion: string,
  type: MergeType,
): FieldSet | undefined {
  const text = annotationsOf(live)[annotation];
  if (typeof text !== "string" || text === "") return undefined;
  try {
    const applied: JsonValue = JSON.parse(text);
    if (!isJsonObject(applied) || ownField(applied, "apiVersion") !== apiVersion) return undefined;
    const { apiVersion: _version, kind: _kind, ...config } = applied;
    checkTyped(config, type);
    const { added, modified, removed } = compareTyped(config, live, type, "whole");
    return difference(difference(difference(extractSet(config, type), modified), added), removed);
  } catch {
    // A malformed annotation is not an error: the usual conflicts apply.
    return undefined;
  }
}

/**
 * Returns `object` with its last-applied annotation set to `config`, if it has the annotation and the new one is small enough.
 */
export function withLastApplied(object: JsonObject, config: JsonObject, annotation: string): JsonObject {
  const annotations = annotationsOf(object);
  const current = annotations[annotation];
  if (typeof current !== "string" || current === "") return object;
  const { [annotation]: _, ...others } = annotations;
  const updated: JsonObject = {
    ...others,
    [annotation]: `${sortedJson(withoutAnnotation(config, annotation))}\n`,
  };
  const strings: Record<string, string> = {};
  for (const [key, value] of Object.entries(updated)) if (typeof value === "string") strings[key] = value;
  return withAnnotations(object, annotationsBytes(strings) > annotationsBytesMax ? others : updated);
}

/** JSON as Kubernetes prints unstructured objects: keys sorted, HTML characters escaped. */
function sortedJson(value: JsonValue): string {
  return jsonText(sortedMembers(value)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function withoutAnnotation(config: JsonObject, annotation: string): JsonObject {
  const annotations = annotationsOf(config);
  if (!Object.hasOwn(annotations, annotation)) return config;
  const { [annotation]: _, ...others } = annotations;
  return withAnnotations(config, others);
}

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  const metadata = ownField(object, "metadata");
  const { annotations: _, ...rest } = isJsonObject(metadata) ? metadata : {};
  return { ...object, metadata: { ...rest, annotations } };
}

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = ownField(object, "metadata");
  const annotations = isJsonObject(metadata) ? ownField(metadata, "annotations") : undefined;
  return isJsonObject(annotations) ? annotations : {};
}
