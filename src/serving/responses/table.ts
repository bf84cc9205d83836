import { parseJson } from "../../apimachinery/json-parse.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json-value.js";
import type { ApiObject, ListMeta } from "../../apimachinery/meta.js";
import { badRequest } from "../../apimachinery/status.js";
import { column, nameColumn } from "../../apis/definition/columns.js";
import type { ColumnDefinition, RowCondition, TableColumns } from "../../apis/definition/table-columns.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";

export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableOptions {
  readonly includeObject: IncludeObject;
  readonly noHeaders: boolean;
}

/** `includeObject` of the query. Throws 400 for another word. */
export function tableOptionsOf(query: URLSearchParams): TableOptions {
  const text = query.get("includeObject") ?? "";
  if (text !== "" && text !== "None" && text !== "Metadata" && text !== "Object") {
    throw badRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`);
  }
  return { includeObject: text === "" ? "Metadata" : text, noHeaders: query.get("noHeaders") === "true" };
}

/** For kinds that say nothing of how they print (contract 1, §2 "Table representation"). */
const defaultColumns: TableColumns<ApiObject> = {
  columns: [nameColumn, column("Created At", "date", "When the server created the object.")],
  cells: (object) => [object.metadata.name ?? "", object.metadata.creationTimestamp ?? null],
};

export interface TableSource<T extends ApiObject> {
  readonly view: VersionedView<T>;
  readonly items: readonly StoredObject<T>[];
  readonly metadata: ListMeta;
  readonly now: Date;
  readonly options: TableOptions;
  /** Group and version that the client named: `meta.orch.io/v1`. */
  readonly apiVersion: string;
}

/** The objects as one `Table`. */
export function tableOf<T extends ApiObject>(source: TableSource<T>): JsonObject {
  const { view, items, options, now } = source;
  const columns: TableColumns<T> = view.definition.columns ?? defaultColumns;
  const objects = items.map((stored) => ({ stored, object: stored.decode() }));
  const compare = columns.compare?.bind(columns);
  if (compare !== undefined) objects.sort((a, b) => compare(a.object, b.object));
  return {
    kind: "Table",
    apiVersion: source.apiVersion,
    metadata: listMetaJson(source.metadata),
    columnDefinitions: options.noHeaders ? [] : columns.columns.map(columnJson),
    rows: objects.map(({ stored, object }) => rowOf(source, columns, stored, object, now)),
  };
}

function rowOf<T extends ApiObject>(
  source: TableSource<T>,
  columns: TableColumns<T>,
  stored: StoredObject<T>,
  object: T,
  now: Date,
): JsonObject {
  const conditions = columns.conditions?.(object) ?? [];
  return {
    cells: columns.cells(object, now),
    ...(conditions.length > 0 && { conditions: conditions.map(conditionJson) }),
    object: embedded(source, stored),
  };
}

function embedded<T extends ApiObject>(source: TableSource<T>, stored: StoredObject<T>): JsonValue {
  const { view, options } = source;
  if (options.includeObject === "None") return null;
  const whole = parseJson(`{${view.body(stored).toString("utf8")}`);
  if (!isJsonObject(whole)) throw new Error("a body is a JSON object");
  if (options.includeObject === "Metadata") {
    return { kind: "PartialObjectMetadata", apiVersion: source.apiVersion, metadata: whole.metadata ?? {} };
  }
  return { ...view.typeMeta, ...whole };
}

function columnJson(definition: ColumnDefinition): JsonObject {
  const { name, type, format, description, priority } = definition;
  return { name, type, format, description, priority };
}

function conditionJson(condition: RowCondition): JsonObject {
  const { type, status, reason = "", message = "" } = condition;
  return { type, status, ...(reason !== "" && { reason }), ...(message !== "" && { message }) };
}

/** Without `continue` when there is no more, as the original's tables. */
export function listMetaJson(metadata: ListMeta): JsonObject {
  const { resourceVersion, remainingItemCount } = metadata;
  return {
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(metadata.continue !== undefined && { continue: metadata.continue }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}
