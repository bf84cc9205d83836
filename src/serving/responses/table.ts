import { printCbor } from "../../apimachinery/cbor/print-cbor.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject, ListMeta } from "../../apimachinery/objects/meta.js";
import { column, nameColumn } from "../../apis/definition/columns.js";
import type { ColumnDefinition, RowCondition, TableColumns } from "../../apis/definition/table-columns.js";
import { bodyBytes } from "../../registry/generic/body-bytes.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { StoredObject } from "../../storage/object-store.js";
import { cborForm, cborPartial, cborRow, withoutTag } from "./cbor-forms.js";
import { listMetaJson } from "./list-meta.js";
import { metadataJson, metadataOf, partialHead } from "./partial-metadata.js";

/** The part of the object in each row. */
export type IncludeObject = "None" | "Metadata" | "Object";

/** `includeObject` of the query. Throws 400 for another word. */
export function includeObjectOf(query: QueryParameters): IncludeObject {
  const text = query.get("includeObject") ?? "";
  if (text === "") return "Metadata";
  if (text === "None" || text === "Metadata" || text === "Object") return text;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** For kinds without columns of their own. */
const defaultColumns: TableColumns<ApiObject> = {
  columns: [nameColumn, column("Created At", "date", "When the server created the object.")],
  cells: (object) => [object.metadata.name ?? "", object.metadata.creationTimestamp ?? null],
};

/** How long cells of an object that another thread made stay valid. Ages in them are that old. */
const cellsKeptMs = 10_000;

/** Prints objects of one resource and version as rows of a `Table`. */
export class TablePrinter {
  readonly view: VersionedView<ApiObject>;
  readonly #columns: TableColumns<ApiObject>;
  /** Whether columns read objects of the version, and not of the hub. */
  readonly #ofVersion: boolean;
  readonly #include: IncludeObject;
  readonly #apiVersion: string;
  readonly #kept = new WeakMap<StoredObject<ApiObject>, { readonly cells: string; readonly atMs: number }>();

  /** `apiVersion` is the group and version that the client named: `meta.orch.io/v1`. */
  constructor(view: VersionedView<ApiObject>, include: IncludeObject, apiVersion: string) {
    this.view = view;
    this.#columns = view.version.columns ?? view.definition.columns ?? defaultColumns;
    this.#ofVersion = view.version.columns !== undefined;
    this.#include = include;
    this.#apiVersion = apiVersion;
  }

  /** Everything but the rows: `{"kind":"Table",…`. In a watch only the first event has the columns. */
  head(metadata: ListMeta, withColumns: boolean): string {
    const columns = withColumns ? this.#columns.columns.map(columnJson) : null;
    return (
      `{"kind":"Table","apiVersion":${JSON.stringify(this.#apiVersion)},` +
      `"metadata":${printJson(listMetaJson(metadata))},"columnDefinitions":${printJson(columns)}`
    );
  }

  /** As in Kubernetes, whose tables of kinds with columns of their own begin with an empty list of rows. */
  get isNullWhenEmpty(): boolean {
    return this.#columns === defaultColumns;
  }

  /** The order of the rows, for kinds that define one. */
  sorted(items: readonly StoredObject<ApiObject>[]): readonly StoredObject<ApiObject>[] {
    const columns = this.#columns;
    if (columns.compare === undefined || items.length < 2) return items;
    const decoded = items.map((stored) => ({ stored, object: this.#decode(stored) }));
    return decoded.sort((a, b) => columns.compare?.(a.object, b.object) ?? 0).map(({ stored }) => stored);
  }

  /** One row without its opening brace. */
  row(stored: StoredObject<ApiObject>, now: Date): Buffer {
    const cells = this.#cellsOf(stored, now);
    switch (this.#include) {
      case "None":
        return Buffer.from(`${cells}null}`);
      case "Metadata":
        return this.#metadataRow(cells, metadataJson(this.view, stored));
      case "Object":
        return this.#objectRow(cells, this.view.body(stored));
    }
  }

  /** The row of an object that exists for this answer only, in the version of the view. */
  unstoredRow(object: ApiObject, now: Date): Buffer {
    const cells = this.#cellsOfObject(object, now);
    if (this.#include === "None") return Buffer.from(`${cells}null}`);
    const body = bodyBytes(this.view.version.codec.toJson(object));
    return this.#include === "Metadata"
      ? this.#metadataRow(cells, metadataOf(this.view.definition, body))
      : this.#objectRow(cells, body);
  }

  #metadataRow(cells: string, metadata: Buffer): Buffer {
    return around(cells + partialHead(this.#apiVersion), metadata, "}}");
  }

  #objectRow(cells: string, body: Buffer): Buffer {
    return around(cells + this.view.objectHead.toString("utf8"), body, "}");
  }

  /** The same as CBOR. */
  cborRow(stored: StoredObject<ApiObject>, now: Date): Buffer {
    return cborRow(this.#cellsOf(stored, now), this.#cborObject(stored));
  }

  #cborObject(stored: StoredObject<ApiObject>): Buffer {
    switch (this.#include) {
      case "None":
        return printCbor(null);
      case "Metadata":
        return cborPartial(this.view, stored, this.#apiVersion);
      case "Object":
        return withoutTag(cborForm(this.view, stored, "cbor"));
    }
  }

  #cellsOf(stored: StoredObject<ApiObject>, now: Date): string {
    const known = this.hasCells(stored, now) ? this.#kept.get(stored) : undefined;
    return known?.cells ?? this.cells(stored, now);
  }

  /** The start of a row, before its object: the only part that the object is decoded for. */
  cells(stored: StoredObject<ApiObject>, now: Date): string {
    return this.#cellsOfObject(this.#decode(stored), now);
  }

  #cellsOfObject(object: ApiObject, now: Date): string {
    const conditions = this.#columns.conditions?.(object) ?? [];
    const shown = conditions.length === 0 ? "" : `,"conditions":${printJson(conditions.map(conditionJson))}`;
    return `"cells":${printJson(this.#columns.cells(object, now))}${shown},"object":`;
  }

  /** Keeps what `cells` would return at that time. */
  keepCells(stored: StoredObject<ApiObject>, at: Date, cells: string): void {
    this.#kept.set(stored, { cells, atMs: at.getTime() });
  }

  hasCells(stored: StoredObject<ApiObject>, now: Date): boolean {
    const known = this.#kept.get(stored);
    return known !== undefined && now.getTime() - known.atMs <= cellsKeptMs;
  }

  get include(): IncludeObject {
    return this.#include;
  }

  #decode(stored: StoredObject<ApiObject>): ApiObject {
    return this.#ofVersion ? this.view.decode(stored) : stored.decode();
  }

  /** The row of a bookmark: an object with only its metadata. */
  bookmarkRow(metadata: JsonObject, now: Date): Buffer {
    const { version, hubCodec } = this.view;
    const codec = this.#ofVersion ? version.codec : hubCodec;
    const cells = this.#columns.cells(codec.fromJson({ metadata }), now);
    const object =
      this.#include === "None" ? "null" : `${partialHead(this.#apiVersion)}${printJson(metadata)}}`;
    return Buffer.from(`"cells":${printJson(cells)},"object":${object}}`);
  }
}

function around(before: string, bytes: Uint8Array, after: string): Buffer {
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
}

function columnJson(definition: ColumnDefinition): JsonObject {
  const { name, type, format, description, priority } = definition;
  return { name, type, format, description, priority };
}

function conditionJson(condition: RowCondition): JsonObject {
  const { type, status, reason = "", message = "" } = condition;
  return { type, status, ...(reason !== "" && { reason }), ...(message !== "" && { message }) };
}
