import { isEqual, isList, isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "./json.ts";
import type { Schema } from "./schema.ts";

/** The name by which the console's changes are known in managed fields. */
export const fieldManager = "console";

/** Which fields a manager has, as `fieldsV1` writes it: `f:name`, `k:{"name":"a"}`, `v:1`, and `.` for the thing itself. */
type FieldSet = JsonObject | undefined;

/**
 * What the console applies for an edit: what it changes, and what it applied before. An apply of the whole object would make
 * the console a manager of every field.
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

/** Fields that the edit leaves out and the result still has: other managers hold them. */
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
    for (const item of base) {
      const key = keyOf(item, schema);
      const same = (list: readonly Json[]) => list.find((other) => keyOf(other, schema) === key);
      findKept(item, same(edited), same(result), schema.items(), `${path}[${key}]`, kept);
    }
  } else if (isList(base) && isList(edited) && isList(result) && schema?.listType === "set") {
    const has = (list: readonly Json[], item: Json) => list.some((other) => isEqual(other, item));
    for (const item of base)
      if (!has(edited, item) && has(result, item)) kept.push(`${path}[${jsonOf(item)}]`);
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

/** What of `edited` the console says; undefined for nothing. */
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
    schema.listType === "set"
      ? edited.filter(
          (item) => !base.some((other) => isEqual(other, item)) || owned?.[`v:${jsonOf(item)}`] !== undefined,
        )
      : edited.flatMap((item) => pickItem(item, base, schema, owned));
  return picked.length > 0 || isNew ? picked : undefined;
}

function pickItem(item: Json, base: readonly Json[], schema: Schema, owned: FieldSet): readonly Json[] {
  const key = keyOf(item, schema);
  const before = base.find((other) => keyOf(other, schema) === key);
  const ownedKey = Object.keys(owned ?? {}).find(
    (name) => name.startsWith("k:") && keyOf(parse(name.slice(2)), schema) === key,
  );
  const part = pick(
    item,
    before,
    schema.items(),
    ownedKey === undefined ? undefined : fieldsOf(owned, ownedKey),
  );
  if (part === undefined || !isObject(part)) return [];
  const keys = schema.listKeys.filter((name) => objectAt(item)[name] !== undefined);
  return [{ ...Object.fromEntries(keys.map((name) => [name, objectAt(item)[name] ?? null])), ...part }];
}

function fieldsOf(owned: FieldSet, name: string): FieldSet {
  const fields = owned?.[name];
  return isObject(fields) ? fields : undefined;
}

function keyOf(item: Json, schema: Schema): string {
  return schema.listKeys
    .map((name) => objectAt(item)[name] ?? schema.items()?.member(name)?.defaultValue)
    .map((value) => (value === undefined ? "" : jsonOf(value)))
    .join(",");
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
