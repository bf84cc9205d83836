import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Database, RootDatabase, Transaction } from "lmdb";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { StorageError } from "../storage-error.js";
import {
  decodeLogPosition,
  decodeState,
  encodeLogPosition,
  encodeState,
  formatVersion,
  formatWithoutLog,
  type LogPosition,
  type StoreState,
  storeIdBytes,
} from "./record-layout.js";

export const dataFileName = "data.mdb";

/** Address space, not disk. LMDB maps the file; a generous size avoids mapping it again. */
const mapBytes = 64 * 1024 ** 3;

const formatKey = Buffer.from("format");
const stateKey = Buffer.from("state");
const logKey = Buffer.from("log");

/** LMDB's limit at 4 KiB pages is 1,978 bytes; a past version's key adds 10 and escapes, a lease attachment 8. */
export const keyBytesMax = 1900;

/** In the order of their numbers in the log, which are on users' disks. */
export const tableNames = ["meta", "current", "past", "history", "leases", "attachments"] as const;
export type TableName = (typeof tableNames)[number];
export type Table = Database<Buffer, Buffer>;

interface FastReads {
  getBinaryFast(key: Buffer, options: { readonly transaction: Transaction }): Buffer | undefined;
}

/** One entry to write; an undefined `value` removes it. */
export interface TableWrite {
  readonly table: TableName;
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/**
 * The LMDB environment. Loaded on demand, so that a server on etcd runs without the native library. Reads see only durable data: LMDB
 * makes a commit visible after its pages are on disk.
 */
export class LmdbTables {
  readonly #environment: RootDatabase<Buffer, Buffer>;
  readonly #tables: Readonly<Record<TableName, Table>>;
  readonly path: string;

  constructor(path: string, environment: RootDatabase<Buffer, Buffer>) {
    this.path = path;
    this.#environment = environment;
    const open = (name: string): Table =>
      environment.openDB({ name, encoding: "binary", keyEncoding: "binary" });
    this.#tables = {
      meta: open("meta"),
      current: open("current"),
      past: open("past"),
      history: open("history"),
      leases: open("leases"),
      attachments: open("attachments"),
    };
  }

  table(name: TableName): Table {
    return this.#tables[name];
  }

  /** A view that the next read overwrites: decode or copy it at once. Copying once instead of twice saves a fifth of a scan. */
  view(name: TableName, key: Buffer, transaction: Transaction): Buffer | undefined {
    // The type declaration lacks the options, which this method accepts just as `get` does.
    const table: Table & FastReads = this.#tables[name];
    const reused = table.getBinaryFast(key, { transaction });
    // LMDB sets `length` as a property of its own; a fresh view makes the buffer's methods respect it.
    return reused?.subarray(0, reused.length);
  }

  state(transaction?: Transaction): StoreState {
    const bytes = this.#tables.meta.get(stateKey, transaction === undefined ? {} : { transaction });
    if (bytes === undefined) throw new StorageError("Corrupt", `${this.path} has no state record`);
    return decodeState(bytes);
  }

  /** A snapshot that does not change between event turns; call `done` when finished. */
  snapshot(): Transaction {
    return this.#environment.useReadTransaction();
  }

  /** Up to which log record the tables hold commits. Undefined for a format without a log. */
  logPosition(): LogPosition | undefined {
    const bytes = this.#tables.meta.get(logKey);
    return bytes === undefined ? undefined : decodeLogPosition(bytes);
  }

  /** Writes all or nothing; resolves when everything is on disk. `log`: the tables' new log position, if it changes. */
  async commit(writes: readonly TableWrite[], state: StoreState, log?: LogPosition): Promise<void> {
    const tables = this.#tables;
    const committed = this.#environment.batch(() => {
      for (const { table, key, value } of writes) {
        // The promises of single writes settle together with the batch's.
        if (value === undefined) void tables[table].remove(key);
        else void tables[table].put(key, value);
      }
      void tables.meta.put(stateKey, encodeState(state));
      if (log !== undefined) void tables.meta.put(logKey, encodeLogPosition(log));
    });
    await committed;
  }

  initialize(state: StoreState): void {
    this.#environment.transactionSync(() => {
      this.#writeFormat();
      this.#tables.meta.putSync(stateKey, encodeState(state));
    });
  }

  /** From now on the tables have another log: records of an older one do not belong to them. */
  startLog(): LogPosition {
    return this.#environment.transactionSync(() => this.#writeFormat());
  }

  #writeFormat(): LogPosition {
    const version = Buffer.alloc(4);
    version.writeUInt32BE(formatVersion);
    this.#tables.meta.putSync(formatKey, version);
    const log = { storeId: randomBytes(storeIdBytes), sequence: 0 };
    this.#tables.meta.putSync(logKey, encodeLogPosition(log));
    return log;
  }

  /** Undefined in a fresh file. */
  format(): number | undefined {
    return this.#tables.meta.get(formatKey)?.readUInt32BE(0);
  }

  /** Bytes of the pages that hold data, without free pages. */
  usedBytes(): number {
    let bytes = 0;
    for (const table of Object.values(this.#tables)) bytes += bytesOf(table.getStats());
    return bytes;
  }

  /** Where the last page that ever held data ends; the file may be longer. */
  endBytes(): number {
    const stats = this.#environment.getStats();
    return (numberOf(stats, "lastPageNumber") + 1) * numberOf(stats, "pageSize");
  }

  async fileBytes(): Promise<number> {
    return (await stat(this.path)).size;
  }

  /** A consistent copy of the newest snapshot without free pages, while writes go on. */
  async copyTo(file: string): Promise<void> {
    await this.#environment.backup(file, true);
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }
}

/** Rejects with `Corrupt` when the file is foreign or of an unknown format. `passing`: writes need not reach the disk. */
export async function openTables(path: string, access: "write" | "passing" | "read"): Promise<LmdbTables> {
  const { open } = await import("lmdb");
  const environment = orFail(path, () =>
    open<Buffer, Buffer>({
      path,
      noSubdir: true,
      encoding: "binary",
      keyEncoding: "binary",
      maxDbs: 8,
      mapSize: mapBytes,
      // Without this, a commit is reported before it is flushed.
      overlappingSync: false,
      // With this, a failed commit would end the process: one of its promises has no handler.
      eventTurnBatching: false,
      noSync: access === "passing",
      readOnly: access === "read",
    }),
  );
  try {
    const tables = orFail(path, () => new LmdbTables(path, environment));
    const format = tables.format();
    if (format !== undefined && format !== formatVersion && format !== formatWithoutLog) {
      throw new StorageError(
        "Corrupt",
        `${path} has format ${format}; this version reads formats ${formatWithoutLog} and ${formatVersion}`,
      );
    }
    return tables;
  } catch (error) {
    await environment.close();
    throw error;
  }
}

function orFail<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const text = messageOf(error);
    // LMDB's own codes are negative; those of the system, such as out of memory or no permission, are positive.
    const isSystems = error instanceof Error && "code" in error && Number(error.code) > 0;
    const code = isSystems ? "Unavailable" : "Corrupt";
    throw new StorageError(code, `${path} cannot be opened as a store: ${text}`, { cause: error });
  }
}

function bytesOf(stats: object): number {
  const pages =
    numberOf(stats, "treeBranchPageCount") +
    numberOf(stats, "treeLeafPageCount") +
    numberOf(stats, "overflowPages");
  return pages * numberOf(stats, "pageSize");
}

/** LMDB declares its statistics as `{}`. */
function numberOf(stats: object, name: string): number {
  return Number(Reflect.get(stats, name));
}
