import { signal } from "@preact/signals";
import { nameOf } from "../state/session.ts";
import { at, type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "./json.ts";
import { pause } from "./pause.ts";
import { ApiError, getObject, isAborted, linesOf, messageOf, send } from "./request.ts";

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** 0 for columns that are always shown. */
  readonly priority: number;
}

export interface Row {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly createdAtMs: number;
  readonly labels: JsonObject;
  readonly cells: readonly Json[];
  /** When the row last changed while this table was live, by `Date.now`; 0 if it did not. */
  readonly changedAtMs: number;
}

/** "live": the rows are those of the server, and are kept up to date. */
export type TableState = "loading" | "live" | "interrupted" | "refused";

const pageSize = 500;
const watchSeconds = 300;
/** Changes are shown in batches: nobody can read a thousand per second, and each update of the table takes longer the more rows it has. */
const showMs = { least: 120, perRow: 0.05 };
const retryMs = { min: 500, max: 15_000 };

/** The rows of a list, kept up to date by a watch, or by listing again when the watch cannot continue. */
export class LiveTable {
  readonly columns = signal<readonly Column[]>([]);
  readonly rows = signal<readonly Row[]>([]);
  readonly state = signal<TableState>("loading");
  readonly problem = signal("");
  readonly #path: string;
  readonly #selectors: string;
  readonly #ending = new AbortController();
  #rows = new Map<string, Row>();
  #showing: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string, selectors: { readonly labels?: string; readonly fields?: string } = {}) {
    this.#path = path;
    const query = new URLSearchParams();
    if (selectors.labels) query.set("labelSelector", selectors.labels);
    if (selectors.fields) query.set("fieldSelector", selectors.fields);
    this.#selectors = query.toString();
    void this.#run();
  }

  stop(): void {
    this.#ending.abort();
    clearTimeout(this.#showing);
  }

  async #run(): Promise<void> {
    const { signal: ending } = this.#ending;
    let waitMs = retryMs.min;
    while (!ending.aborted) {
      try {
        let version: string | undefined = await this.#list();
        waitMs = retryMs.min;
        this.state.value = "live";
        this.problem.value = "";
        while (version !== undefined) {
          version = await this.#watch(version);
          // The watch may have ended at once.
          await pause(retryMs.min);
        }
      } catch (error) {
        if (ending.aborted || isAborted(error)) return;
        const isRefused = error instanceof ApiError && error.code >= 400 && error.code < 410;
        this.state.value = isRefused ? "refused" : "interrupted";
        this.problem.value = messageOf(error);
        if (isRefused) this.#replace(new Map());
        await pause(isRefused ? retryMs.max : waitMs);
        waitMs = Math.min(waitMs * 2, retryMs.max);
      }
    }
  }

  /** Lists all rows, and returns their resource version. Shows each page as it arrives, unless there are rows already. */
  async #list(): Promise<string> {
    const rows = new Map<string, Row>();
    const isFirst = this.#rows.size === 0;
    let next = "";
    let version = "";
    do {
      const query = new URLSearchParams(this.#selectors);
      query.set("limit", String(pageSize));
      if (next !== "") query.set("continue", next);
      const table = await getObject(`${this.#path}?${query}`, this.#ask());
      this.#readColumns(table);
      for (const row of listAt(table, "rows")) {
        const read = readRow(row, this.#rows.get(uidOf(row))?.changedAtMs ?? 0);
        rows.set(read.uid, read);
      }
      if (isFirst) this.#replace(rows);
      next = textAt(table, "metadata", "continue");
      version ||= textAt(table, "metadata", "resourceVersion");
    } while (next !== "");
    this.#replace(rows);
    return version;
  }

  /** Returns the version from which to watch again; undefined when a new list is needed. */
  async #watch(from: string): Promise<string | undefined> {
    const query = new URLSearchParams(this.#selectors);
    query.set("watch", "1");
    query.set("allowWatchBookmarks", "true");
    query.set("resourceVersion", from);
    query.set("timeoutSeconds", String(watchSeconds));
    let version = from;
    let answer: Response;
    try {
      answer = await send(`${this.#path}?${query}`, this.#ask());
    } catch (error) {
      if (!(error instanceof ApiError) || ![403, 405, 410].includes(error.code)) throw error;
      // A resource that cannot be watched, at all or by this user, is listed periodically.
      if (error.code !== 410) await pause(retryMs.max);
      return undefined;
    }
    for await (const line of linesOf(answer)) {
      const event = parseObject(line);
      const type = textAt(event, "type");
      // Usually 410: the changes in between are no longer kept.
      if (type === "ERROR") return undefined;
      const table = objectAt(event, "object");
      const [row] = listAt(table, "rows");
      version =
        textAt(row, "object", "metadata", "resourceVersion") ||
        textAt(table, "metadata", "resourceVersion") ||
        version;
      if (type === "BOOKMARK" || row === undefined) continue;
      this.#readColumns(table);
      if (type === "DELETED") this.#rows.delete(uidOf(row));
      else this.#rows.set(uidOf(row), readRow(row, Date.now()));
      this.#showSoon();
    }
    return version;
  }

  #ask(): { readonly accept: string; readonly signal: AbortSignal } {
    const accept = `application/json;as=Table;g=${nameOf("metaGroup")};v=v1`;
    return { accept, signal: this.#ending.signal };
  }

  #readColumns(table: JsonObject): void {
    const definitions = at(table, "columnDefinitions");
    if (!Array.isArray(definitions) || definitions.length === 0) return;
    const columns = listAt(table, "columnDefinitions").map((each) => ({
      name: textAt(each, "name"),
      type: textAt(each, "type"),
      description: textAt(each, "description"),
      priority: Number(at(each, "priority") ?? 0),
    }));
    if (JSON.stringify(columns) !== JSON.stringify(this.columns.value)) this.columns.value = columns;
  }

  #replace(rows: Map<string, Row>): void {
    this.#rows = new Map(rows);
    this.#show();
  }

  #showSoon(): void {
    const waitMs = showMs.least + this.#rows.size * showMs.perRow;
    this.#showing ??= setTimeout(() => this.#show(), waitMs);
  }

  #show(): void {
    clearTimeout(this.#showing);
    this.#showing = undefined;
    this.rows.value = [...this.#rows.values()];
  }
}

function uidOf(row: Json): string {
  const metadata = objectAt(row, "object", "metadata");
  return textAt(metadata, "uid") || `${textAt(metadata, "namespace")}/${textAt(metadata, "name")}`;
}

function readRow(row: Json, changedAtMs: number): Row {
  const metadata = objectAt(row, "object", "metadata");
  return {
    uid: uidOf(row),
    name: textAt(metadata, "name"),
    namespace: textAt(metadata, "namespace"),
    createdAtMs: Date.parse(textAt(metadata, "creationTimestamp")) || 0,
    labels: objectAt(metadata, "labels"),
    cells: listAt(row, "cells"),
    changedAtMs,
  };
}
