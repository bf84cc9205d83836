import { constants } from "node:fs";
import { access, copyFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { flush } from "../../files/flush.js";
import { isStorageError, StorageError } from "../storage-error.js";
import { type CheckReport, checkTables } from "./check.js";
import { inspectDataFile } from "./data-file.js";
import { lockDirectory } from "./directory-lock.js";
import type { EmbeddedStore } from "./embedded-store.js";
import { dataFileName, type LmdbTables, openTables } from "./lmdb-tables.js";
import type { LogRecord } from "./log-record.js";
import { applyRecords, damagedLog, readLog } from "./write-ahead-log.js";

/** Reading a log of 2 MiB takes a millisecond or two, less than the time between checkpoints. */
const logReadsMax = 20;
const logPauseMs = 5;

export interface RestoreOptions {
  /**
   * How far the revision jumps; older history is compacted. So a client that saw revisions after the backup cannot mistake new ones for
   * them: it finds its revision compacted or in the future, and lists again. Default one billion, as etcd's manual advises; 0 keeps the
   * revisions and the history of the backup.
   */
  readonly revisionBump?: number | undefined;
}

/**
 * Writes a consistent copy of the store while the store is in use. The file appears under its name once it is complete and on disk, and
 * replaces an existing one.
 */
export async function backup(store: EmbeddedStore, file: string): Promise<void> {
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  try {
    await store.copyTo(partial);
    await publish(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Like `backup`, but from another process than the one that has the store open, if any: LMDB lets several processes read a file while
 * one writes. Rejects with `KeyNotFound` when the directory holds no store, and with `KeyExists` for a target inside that directory: a
 * copy that replaced the data file would separate the store from the server that has it open.
 */
export async function backupDirectory(directory: string, file: string): Promise<void> {
  const source = join(directory, dataFileName);
  if (!(await exists(source))) throw new StorageError("KeyNotFound", `${directory} has no store`);
  if (await isSame(dirname(file), directory)) {
    throw new StorageError("KeyExists", `${directory} is the store itself: write the copy elsewhere`);
  }
  await inspectUnlessOpen(directory);
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    const records = await withTables(source, "read", async (tables) => {
      const logged = await readWholeLog(directory, tables);
      await tables.copyTo(partial);
      return logged;
    });
    await completeCopy(partial, records);
    await publish(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}

/**
 * The commits that a store has only in its log, while another process may write to it. Read before the copy of the tables, so that the
 * copy lacks none.
 */
async function readWholeLog(directory: string, tables: LmdbTables): Promise<LogRecord[]> {
  for (let attempt = 0; attempt < logReadsMax; attempt++) {
    const position = tables.logPosition();
    if (position === undefined) return [];
    const { records, isWhole } = await readLog(directory, position);
    if (isWhole) return records;
    // If a checkpoint has moved more to the tables meanwhile, the next attempt sees it.
    await setTimeout(logPauseMs);
  }
  throw damagedLog(directory);
}

async function completeCopy(file: string, records: readonly LogRecord[]): Promise<void> {
  await withTables(file, "write", async (tables) => {
    await applyRecords(tables, records);
    tables.startLog();
  });
  await rm(`${file}-lock`, { force: true });
}

/** A process that has the store open has checked its file and extends it, so no other process may change its length. */
async function inspectUnlessOpen(directory: string): Promise<void> {
  let release: () => Promise<void>;
  try {
    release = await lockDirectory(directory);
  } catch (error) {
    if (isStorageError(error, "Unavailable")) return;
    throw error;
  }
  try {
    await inspectDataFile(join(directory, dataFileName), "store");
  } finally {
    await release();
  }
}

/**
 * Makes a store directory from a backup. Rejects with `KeyNotFound` when there is no such file, with `KeyExists` when the directory already
 * holds a store, with `Corrupt` when the backup is damaged, and with `Unavailable` while a process has the directory open.
 */
export async function restore(file: string, directory: string, options: RestoreOptions = {}): Promise<void> {
  await refuseMissing(file);
  const release = await lockDirectory(directory);
  const partial = join(directory, `${dataFileName}.partial`);
  try {
    const target = join(directory, dataFileName);
    if (await exists(target)) {
      throw new StorageError(
        "KeyExists",
        `${directory} already holds a store: restore into an empty directory`,
      );
    }
    await rm(partial, { force: true });
    await inspectDataFile(file, "copy");
    await copyFile(file, partial, constants.COPYFILE_FICLONE);
    const revisionBump = options.revisionBump ?? 1_000_000_000;
    await withTables(partial, "write", (tables) => prepareRestored(tables, file, revisionBump));
    await publish(partial, target);
  } finally {
    await rm(partial, { force: true });
    await rm(`${partial}-lock`, { force: true });
    await release();
  }
}

/** Reads a whole store, or a backup file, and reports every inconsistency. The store must not be open. */
export async function check(path: string): Promise<CheckReport> {
  return await readTables(path, checkTables);
}

/** Calls `read` with the tables of a store, which must not be open, or of a backup file. */
export async function readTables<T>(path: string, read: (tables: LmdbTables) => Promise<T>): Promise<T> {
  await refuseMissing(path);
  if (!(await stat(path)).isDirectory()) return readBackup(path, read);
  const release = await lockDirectory(path);
  try {
    const file = join(path, dataFileName);
    if (!(await exists(file))) throw new StorageError("KeyNotFound", `${path} has no store`);
    await inspectDataFile(file, "store");
    const records = await withTables(file, "read", (tables) => readWholeLog(path, tables));
    if (records.length > 0) await withTables(file, "write", (tables) => applyRecords(tables, records));
    return await withTables(file, "read", read);
  } finally {
    await release();
  }
}

async function readBackup<T>(file: string, read: (tables: LmdbTables) => Promise<T>): Promise<T> {
  await inspectDataFile(file, "copy");
  const hadLock = await exists(`${file}-lock`);
  try {
    return await withTables(file, "read", read);
  } finally {
    if (!hadLock) await rm(`${file}-lock`, { force: true });
  }
}

async function withTables<T>(
  file: string,
  access: "read" | "write",
  work: (tables: LmdbTables) => Promise<T>,
): Promise<T> {
  const tables = await openTables(file, access);
  try {
    return await work(tables);
  } finally {
    await tables.close();
  }
}

/** Makes the tables of a backup those of a new store, or throws `Corrupt`. */
async function prepareRestored(tables: LmdbTables, name: string, revisionBump: number): Promise<void> {
  const { problems } = await checkTables(tables);
  if (problems.length > 0) throw new StorageError("Corrupt", `${name} is inconsistent: ${problems[0]}`);
  tables.startLog();
  if (revisionBump === 0) return;
  const state = tables.state();
  const revision = state.revision + revisionBump;
  await tables.commit([], { ...state, revision, compactedRevision: revision });
}

/** Renames a finished file into place, so that after a power failure the target is complete or unchanged. */
async function publish(partial: string, target: string): Promise<void> {
  await flush(partial);
  await rename(partial, target);
  await flush(dirname(target));
}

async function isSame(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([stat(path).catch(() => undefined), stat(other)]);
  return one !== undefined && one.dev === two.dev && one.ino === two.ino;
}

async function refuseMissing(path: string): Promise<void> {
  await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new StorageError("KeyNotFound", `${path} does not exist`) : error;
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
