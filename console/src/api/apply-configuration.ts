import { isEqual, isList, isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "./json.ts";
import type { Schema } from "./schema.ts";

/** The field manager of the console's changes. */
export const fieldManager = "console";

/** The fields that a manager owns, in the form of `fieldsV1`: `f:name`, `k:{"name":"a"}`, `v:1`, and `.` for the thing itself. */
type FieldSet = JsonObject | undefined;

/**
 * The apply configuration for an edit: what it changes, and what the console applied before. Applying the whole object would make the
 * console a manager of every field.
 */
export function applyConfiguration(base: Json, edited: JsonObject, schema: Schema | undefined): JsonObject {
  const metadata = objectAt(edited, "metadata");
  const owned = ownedFields(base);
  const said = {
    ...edited,
    metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => !isServers(name))),
  };
  const picked = objectAt(pick(said, base, schema, owned) ?? {});
  const namespace = textAt(metadata, "namespace");
  return {
    apiVersion: textAt(edited, "apiVersion"),
    kind: textAt(edited, "kind"),
    ...Object.fromEntries(Object.entries(picked).filter(([name]) => !identity.has(name))),
    metadata: {
      ...objectAt(picked, "metadata"),
      name: textAt(metadata, "name"),
      ...(namespace !== "" && { namespace }),
    },
  };
}

const identity: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

/** Fields that the edit removes and the result still has, because other managers own them. */
export function keptFields(
  base: Json,
  edited: Json,
  result: Json,
  schema: Schema | undefined,
): readonly string[] {
  const kept: string[] = [];
  findKept(base, edited, result, schema, "", kept);
  return kept;
}

function findKept(
  base: Json | undefined,
  edited: Json | undefined,
  result: Json | undefined,
  schema: Schema | undefined,
  path: string,
  kept: string[],
): void {
  if (base === undefined || result === undefined) return;
  if (edited === undefined) {
    kept.push(path);
    return;
  }
  if (isObject(base) && isObject(edited) && isObject(result)) {
    for (const name of Object.keys(base)) {
      if (path === "" && (name === "status" || identity.has(name)) && name !== "metadata") continue;
      if (path === ".metadata" && isServers(name)) continue;
      findKept(base[name], edited[name], result[name], schema?.member(name), `${path}.${name}`, kept);
    }
  } else if (isList(base) && isList(edited) && isList(result) && schema?.listType === "map") {
    const keyOf = keysBy(schema);
    const [editedItems, resultItems] = [itemsBy(keyOf, edited), itemsBy(keyOf, result)];
    const itemSchema = schema.items();
    for (const [key, item] of itemsBy(keyOf, base))
      findKept(item, editedItems.get(key), resultItems.get(key), itemSchema, `${path}[${key}]`, kept);
  } else if (isList(base) && isList(edited) && isList(result) && schema?.listType === "set") {
    const [stays, held] = [new Set(edited.map(jsonOf)), new Set(result.map(jsonOf))];
    for (const item of base.map(jsonOf))
      if (!stays.has(item) && held.has(item)) kept.push(`${path}[${item}]`);
  }
}

/** Metadata that the server writes. */
export function isServers(name: string): boolean {
  return /^(managedFields|resourceVersion|uid|generation|creationTimestamp|deletionTimestamp|deletionGracePeriodSeconds|selfLink)$/.test(
    name,
  );
}

function ownedFields(base: Json): FieldSet {
  const entry = listAt(base, "metadata", "managedFields").find(
    (each) =>
      textAt(each, "manager") === fieldManager &&
      textAt(each, "operation") === "Apply" &&
      textAt(each, "subresource") === "",
  );
  return entry === undefined ? undefined : objectAt(entry, "fieldsV1");
}

/** The part of `edited` that belongs in the apply configuration; undefined if there is none. */
function pick(
  edited: Json | undefined,
  base: Json | undefined,
  schema: Schema | undefined,
  owned: FieldSet,
): Json | undefined {
  if (edited === undefined) return undefined;
  if (isObject(edited) && isObject(base ?? {}) && schema?.isAtomicMap !== true)
    return pickObject(edited, objectAt(base), schema, owned, base === undefined);
  if (isList(edited) && isList(base ?? []) && schema !== undefined && schema.listType !== "atomic")
    return pickList(edited, listAt(base), schema, owned, base === undefined);
  return isEqual(edited, base) && owned === undefined ? undefined : edited;
}

function pickObject(
  edited: JsonObject,
  base: JsonObject,
  schema: Schema | undefined,
  owned: FieldSet,
  isNew: boolean,
): JsonObject | undefined {
  const picked: Record<string, Json> = {};
  for (const [name, value] of Object.entries(edited)) {
    const part = pick(value, base[name], schema?.member(name), fieldsOf(owned, `f:${name}`));
    if (part !== undefined) picked[name] = part;
  }
  const isSaid = Object.keys(picked).length > 0 || isNew || owned?.["."] !== undefined;
  return isSaid ? picked : undefined;
}

function pickList(
  edited: readonly Json[],
  base: readonly Json[],
  schema: Schema,
  owned: FieldSet,
  isNew: boolean,
): readonly Json[] | undefined {
  const picked =
    schema.listType === "set" ? pickValues(edited, base, owned) : pickItems({ edited, base, schema, owned });
  return picked.length > 0 || isNew ? picked : undefined;
}

function pickValues(edited: readonly Json[], base: readonly Json[], owned: FieldSet): readonly Json[] {
  const known = new Set(base.map(jsonOf));
  return edited.filter((item) => {
    const text = jsonOf(item);
    return !known.has(text) || owned?.[`v:${text}`] !== undefined;
  });
}

function pickItems(lists: {
  readonly edited: readonly Json[];
  readonly base: readonly Json[];
  readonly schema: Schema;
  readonly owned: FieldSet;
}): readonly Json[] {
  const { edited, base, schema, owned = {} } = lists;
  const keyOf = keysBy(schema);
  const before = itemsBy(keyOf, base);
  const ownedNames = Object.keys(owned).filter((name) => name.startsWith("k:"));
  const ownedFields = new Map(
    ownedNames.map((name) => [keyOf(parse(name.slice(2))), fieldsOf(owned, name)] as const),
  );
  const itemSchema = schema.items();
  const picked: Json[] = [];
  for (const item of edited) {
    const key = keyOf(item);
    const part = pick(item, before.get(key), itemSchema, ownedFields.get(key));
    if (part === undefined || !isObject(part)) continue;
    const keys = schema.listKeys.filter((name) => objectAt(item)[name] !== undefined);
    const identity = Object.fromEntries(keys.map((name) => [name, objectAt(item)[name] ?? null]));
    picked.push({ ...identity, ...part });
  }
  return picked;
}

function fieldsOf(owned: FieldSet, name: string): FieldSet {
  const fields = owned?.[name];
  return isObject(fields) ? fields : undefined;
}

/** Identifies the items of a list, by the key fields of its schema. */
function keysBy(schema: Schema): (item: Json) => string {
  const items = schema.items();
  const keys = schema.listKeys.map((name) => ({ name, otherwise: items?.member(name)?.defaultValue }));
  return (item) =>
    keys
      .map(({ name, otherwise }) => objectAt(item)[name] ?? otherwise)
      .map((value) => (value === undefined ? "" : jsonOf(value)))
      .join(",");
}

function itemsBy(keyOf: (item: Json) => string, items: readonly Json[]): ReadonlyMap<string, Json> {
  return new Map(items.map((item) => [keyOf(item), item]));
}

function jsonOf(value: Json): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each));
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
