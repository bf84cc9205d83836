import { constants, fdatasync, write, writeSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flush } from "../../files/flush.js";
import { StorageError } from "../storage-error.js";
import type { LmdbTables } from "./lmdb-tables.js";
import { decodeLogRecord, type LogRecord } from "./log-record.js";
import type { LogPosition } from "./record-layout.js";

export const logFileName = "data.log";

/** A commit of more bytes goes directly to the tables, so that its values are not written twice. */
export const recordBytesMax = 256 * 1024;
const halfBytes = 1024 * 1024;
const pageBytes = 4096;

/** Linux writes and flushes in one call; other systems need two. */
const flushesOnWrite = process.platform === "linux";

/**
 * The file in which commits become durable with one write to allocated space, and one flush. It has two halves: while a checkpoint moves
 * the commits of one to the tables, new ones go to the other. Nothing is erased; sequence numbers show which records the tables already
 * hold.
 */
export class WriteAheadLog {
  readonly #path: string;
  #file: FileHandle | undefined;
  #allocating: Promise<void> | undefined;
  #half = 0;
  #offset = 0;
  /** Sequence of the newest record in each half. */
  readonly #newest = [0, 0];
  /** Sequence of the newest commit that the tables hold. */
  #applied: number;

  constructor(directory: string, applied: number) {
    this.#path = join(directory, logFileName);
    this.#applied = applied;
  }

  /** Starts to allocate the file, once, without waiting. If the disk has no space for it, the store works without a log. */
  allocateSoon(): void {
    this.#allocating ??= this.#allocate();
  }

  /** Whether a record of this length can be appended now. None can before the file is allocated. */
  hasRoomFor(bytes: number): boolean {
    if (this.#file === undefined || bytes > recordBytesMax) return false;
    return this.#offset + bytes <= halfBytes || this.#canTurn();
  }

  /** Resolves when the record is on disk. Only one at a time, and only when there is room for it. */
  append(sequence: number, bytes: Buffer): Promise<void> {
    if (this.#offset + bytes.length > halfBytes) this.turn();
    const half = this.#half;
    this.#newest[half] = sequence;
    return new Promise((resolve, reject) => {
      writeDurably(this.#openFile().fd, bytes, half * halfBytes + this.#offset, (error) => {
        if (error !== undefined) return reject(error);
        // A checkpoint may have switched halves meanwhile.
        if (this.#half === half) this.#offset += bytes.length;
        resolve();
      });
    });
  }

  /** The tables hold everything up to `sequence`. */
  applied(sequence: number): void {
    this.#applied = sequence;
  }

  /** Switches to the other half, if the tables hold everything in it. */
  turn(): void {
    if (!this.#canTurn()) return;
    this.#half = 1 - this.#half;
    this.#offset = 0;
  }

  async close(): Promise<void> {
    await this.#allocating;
    await this.#file?.close();
  }

  #openFile(): FileHandle {
    if (this.#file === undefined) throw new StorageError("Unavailable", `${this.#path} is not open`);
    return this.#file;
  }

  #canTurn(): boolean {
    return (this.#newest[1 - this.#half] ?? 0) <= this.#applied;
  }

  async #allocate(): Promise<void> {
    try {
      this.#file = await openAllocated(this.#path);
    } catch {
      this.#file = undefined;
    }
  }
}

/** Calls back once, when the bytes are on disk. A file handle's own methods would make several promises for each commit. */
function writeDurably(
  fd: number,
  bytes: Buffer,
  place: number,
  done: (error: Error | undefined) => void,
): void {
  write(fd, bytes, 0, bytes.length, place, (error, written) => {
    if (error !== null) return done(error);
    if (written < bytes.length)
      return done(new StorageError("Unavailable", `${written} of ${bytes.length} bytes were written`));
    if (flushesOnWrite) return done(undefined);
    fdatasync(fd, (flushError) => done(flushError ?? undefined));
  });
}

/** Writes the commits in a directory's log that the tables do not hold to the tables. Resolves when they are on disk. */
export async function replayLog(directory: string, tables: LmdbTables): Promise<void> {
  const position = tables.logPosition();
  if (position === undefined) return;
  const { records, isWhole } = await readLog(directory, position);
  if (!isWhole) throw damagedLog(directory);
  await applyRecords(tables, records);
}

export function damagedLog(directory: string): StorageError {
  return new StorageError(
    "Corrupt",
    `${join(directory, logFileName)} is damaged: restore a backup of the store, or remove the file to lose the newest commits`,
  );
}

/** Writes those records to the tables that they do not hold. */
export async function applyRecords(tables: LmdbTables, records: readonly LogRecord[]): Promise<void> {
  const position = tables.logPosition();
  if (position === undefined) return;
  const later = records.filter(({ sequence }) => sequence > position.sequence);
  const last = later.at(-1);
  if (last === undefined) return;
  const writes = later.flatMap((record) => record.writes);
  await tables.commit(writes, last.state, { ...position, sequence: last.sequence });
}

/**
 * The commits in the log of a directory that its tables do not hold, in order. `isWhole`: false when some are missing between them, because
 * the file is damaged, or because a process went on writing while it was read.
 */
export async function readLog(
  directory: string,
  { storeId, sequence }: LogPosition,
): Promise<{ readonly records: LogRecord[]; readonly isWhole: boolean }> {
  const log = await readIfThere(join(directory, logFileName));
  const found = new Map<number, LogRecord>();
  for (const start of [0, halfBytes]) {
    const half = log.subarray(start, start + halfBytes);
    let next = decodeLogRecord(storeId, half, 0);
    while (next !== undefined) {
      const { record, end } = next;
      if (record.sequence > sequence) found.set(record.sequence, record);
      next = decodeLogRecord(storeId, half, end);
    }
  }
  const records: LogRecord[] = [];
  for (let at = sequence + 1; ; at++) {
    const record = found.get(at);
    if (record === undefined) return { records, isWhole: records.length === found.size };
    records.push(record);
  }
}

/** Opens the file, which is written with zeros first, so that later writes change no metadata of the file system. */
async function openAllocated(path: string): Promise<FileHandle> {
  const { O_RDWR, O_CREAT, O_DSYNC } = constants;
  const bytes = 2 * halfBytes;
  const plain = await open(path, O_RDWR | O_CREAT, 0o600);
  try {
    const { size } = await plain.stat();
    if (size < bytes) {
      const page = Buffer.alloc(pageBytes);
      for (let place = size; place < bytes; place += pageBytes)
        writeSync(plain.fd, page, 0, pageBytes, place);
      await plain.sync();
      await flush(dirname(path));
    }
    if (!flushesOnWrite) return plain;
    const flushing = await open(path, O_RDWR | O_DSYNC);
    await plain.close();
    return flushing;
  } catch (error) {
    await plain.close();
    throw error;
  }
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
