import { printJson as printJsonText, unparsedText } from "../json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray, jsonEqual, ownField } from "../json/json-values.js";
import type { ManagedFieldsEntry } from "../objects/meta.js";

/** Skips entries that are not objects. */
export function managedFieldsOf(object: JsonObject): readonly ManagedFieldsEntry[] {
  const entries = rawManagedFields(object);
  return isJsonArray(entries) ? entries.filter(isJsonObject).map(entryOf) : [];
}

/** Large sets may still be unparsed text. */
export function sameEntries(live: JsonValue | undefined, updated: JsonValue | undefined): boolean {
  if (!isJsonArray(live) || !isJsonArray(updated)) return jsonEqual(live, updated);
  return (
    live.length === updated.length &&
    live.every((entry, index) => {
      const other = updated[index];
      if (!isJsonObject(entry) || !isJsonObject(other)) return jsonEqual(entry, other);
      const { fieldsV1: ours, ...entryRest } = entry;
      const { fieldsV1: theirs, ...otherRest } = other;
      return jsonEqual(entryRest, otherRest) && sameSets(ours, theirs);
    })
  );
}

/** Whether entries differ only in their times. */
export function differInTimes(live: JsonObject | undefined, updated: JsonObject): boolean {
  return sameEntries(timeless(rawManagedFields(live)), timeless(rawManagedFields(updated)));
}

function timeless(entries: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(entries)) return entries;
  return entries.map((entry) => (isJsonObject(entry) ? { ...entry, time: "" } : entry));
}

function sameSets(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (!isJsonObject(a) || !isJsonObject(b)) return jsonEqual(a, b);
  if (unparsedText(a) === undefined && unparsedText(b) === undefined) return jsonEqual(a, b);
  return printJsonText(a) === printJsonText(b);
}

/** `managedFields` as the client sent it, not validated. */
export function rawManagedFields(object: JsonObject | undefined): JsonValue | undefined {
  const metadata = object === undefined ? undefined : ownField(object, "metadata");
  return isJsonObject(metadata) ? ownField(metadata, "managedFields") : undefined;
}

function entryOf(entry: JsonObject): ManagedFieldsEntry {
  const text = (name: string): string | undefined => {
    const value = ownField(entry, name);
    return typeof value === "string" ? value : undefined;
  };
  const fieldsV1 = ownField(entry, "fieldsV1") ?? undefined;
  const isMalformed = fieldsV1 !== undefined && !isJsonObject(fieldsV1);
  return {
    manager: text("manager"),
    operation: text("operation"),
    apiVersion: text("apiVersion"),
    time: text("time"),
    // Without a type, the entry is refused where it is read.
    fieldsType: isMalformed ? undefined : text("fieldsType"),
    ...(isJsonObject(fieldsV1) && { fieldsV1 }),
    subresource: text("subresource"),
  };
}

/** Clients remove all managers by sending an empty list or a single empty entry. */
export function resetsManagedFields(entries: JsonValue | undefined): boolean {
  if (!isJsonArray(entries) || entries.length > 1) return false;
  const [only] = entries.filter(isJsonObject).map(entryOf);
  return Object.values(only ?? {}).every((value) => value === undefined || value === "");
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = ownField(object, "metadata");
  if (!isJsonObject(metadata) || ownField(metadata, "managedFields") === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
