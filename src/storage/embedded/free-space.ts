import { existsSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "../storage-error.js";
import { dataFileName, type LmdbTables } from "./lmdb-tables.js";
import { availableBytes } from "./space-guard.js";
import { bytesAddedBy, type Writes } from "./transaction-writes.js";

const mebibyte = 1024 * 1024;
/** Allocated space that puts leave for deletes and compaction: LMDB writes new pages before it frees old ones. */
const fileReserveBytes = 4 * mebibyte;
/** A request may have 1.5 MiB, and needs further pages. */
const smallestPutBytes = 2 * mebibyte;
const growthBytesMin = 8 * mebibyte;
const growthBytesMax = 32 * mebibyte;
/** Pause after a failure, and between checks of a full disk. */
const retryMs = 1000;
const pieceBytes = mebibyte;
/** Limit for the space that pending commits may need at most and that LMDB does not have yet. */
export const pendingBytesMax = 2 * mebibyte;

/**
 * Allocates `bytes` bytes on disk after the first `from` of a file; rejects with the system's error, possibly after doing part of it.
 */
export type Allocate = (path: string, from: number, bytes: number) => Promise<void>;

export interface RoomForCommit {
  /** What a batch with puts may need, by `bytesNeededBy`. */
  readonly putBytes: number;
  /** What a batch without puts may need: deletes and compaction make room. */
  readonly otherBytes: number;
  /** Why puts are refused at present. */
  readonly refusePuts: StorageError | undefined;
  /** Whether the disk had too little space when the file had to grow. */
  readonly isScarce: boolean;
}

/** Commits that are not in LMDB yet. */
export interface PendingCommits {
  /** An upper bound of the space that they need. */
  readonly bytesPending: number;
  /** Resolves when LMDB has them. */
  catchUp(): Promise<void>;
}

type DataFile = Pick<LmdbTables, "path" | "endBytes" | "usedBytes" | "fileBytes">;

/**
 * Allocates pages of the data file on disk before LMDB needs them: if the disk runs out in the middle of a commit, LMDB's library may end
 * the process. Called between commits, when nothing else writes to the file; LMDB accepts any content behind its last page.
 */
export class FreeSpace {
  readonly #tables: DataFile;
  readonly #pending: PendingCommits;
  readonly #allocate: Allocate;
  readonly #now: () => number;
  #fileBytes: number;
  /** A lower bound of the space behind LMDB's last page. */
  #tailMin = 0;
  #failed: { readonly at: number; readonly reason: unknown } | undefined;

  constructor(parts: {
    readonly tables: DataFile;
    readonly pending: PendingCommits;
    readonly fileBytes: number;
    readonly allocate?: Allocate | undefined;
    /** Milliseconds; monotonic. */
    readonly now?: (() => number) | undefined;
  }) {
    this.#tables = parts.tables;
    this.#pending = parts.pending;
    this.#fileBytes = parts.fileBytes;
    this.#allocate = parts.allocate ?? writeZeros;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** Length of the data file, which only this class extends. */
  get fileBytes(): number {
    return this.#fileBytes;
  }

  /** Resolves at once unless the file has to grow. */
  prepare(): RoomForCommit | Promise<RoomForCommit> {
    const growth = Math.min(growthBytesMax, Math.max(growthBytesMin, Math.floor(this.#fileBytes / 8)));
    const enough = fileReserveBytes + growth / 2;
    // Asking LMDB where its pages end takes as long as encoding a small write.
    const tail = this.#tailMin >= enough ? this.#tailMin : this.#tail();
    if (tail >= enough || !this.#mayGrow()) return this.#room(tail);
    return this.#makeRoom(enough, fileReserveBytes + growth);
  }

  /** A commit begins that needs at most `bytes` bytes. */
  taken(bytes: number): void {
    this.#tailMin -= bytes;
  }

  /** For a batch larger than the prepared space; the result says whether puts must be refused. */
  async prepareFor(bytes: number): Promise<RoomForCommit> {
    await this.#pending.catchUp();
    if (this.#mayGrow()) await this.#grow(fileReserveBytes + bytes);
    return this.#room();
  }

  #room(tail = this.#tail()): RoomForCommit {
    if (this.#failed === undefined) {
      return { putBytes: tail - fileReserveBytes, otherBytes: tail, refusePuts: undefined, isScarce: false };
    }
    // Free pages inside the file may be scattered, but large values need adjacent ones: count only the space behind the last page.
    const free = Math.max(0, this.#tables.endBytes() - this.#tables.usedBytes());
    const putBytes = Math.min(tail, tail + free - fileReserveBytes);
    const refusePuts =
      putBytes >= smallestPutBytes
        ? undefined
        : new StorageError("NoSpace", "the store's disk is full", { cause: this.#failed.reason });
    return { putBytes, otherBytes: tail + free / 2, refusePuts, isScarce: true };
  }

  #tail(): number {
    this.#tailMin = this.#fileBytes - this.#tables.endBytes() - this.#pending.bytesPending;
    return this.#tailMin;
  }

  #mayGrow(): boolean {
    return this.#failed === undefined || this.#now() - this.#failed.at >= retryMs;
  }

  /**
   * Pending commits are written first: they often need much less than their upper bound, and LMDB must not write while the file grows.
   */
  async #makeRoom(enough: number, tailBytes: number): Promise<RoomForCommit> {
    await this.#pending.catchUp();
    if (this.#tail() < enough + pendingBytesMax) await this.#grow(tailBytes);
    return this.#room();
  }

  async #grow(tailBytes: number): Promise<void> {
    // LMDB may have extended the file itself.
    const from = Math.max(this.#fileBytes, await this.#tables.fileBytes());
    const missing = this.#tables.endBytes() + tailBytes - from;
    try {
      if (missing > 0) await this.#allocate(this.#tables.path, from, missing);
      this.#failed = undefined;
    } catch (reason) {
      this.#failed = { at: this.#now(), reason };
    }
    this.#fileBytes = await this.#tables.fileBytes();
  }
}

/** Besides its entries, a commit writes its state, LMDB's list of free pages, and the roots. */
const bytesOfCommit = 256 * 1024;

/** An upper bound of the pages that a commit writes. */
export function bytesNeededBy(writes: Writes): number {
  return bytesAddedBy(writes) + bytesOfCommit;
}

/** LMDB's lock file is mapped: without room for one of its pages the process would end. */
const lockFileBytes = 64 * 1024;

/** Call it before LMDB creates its files in a directory. Rejects with `NoSpace` when there is no room for them. */
export async function reserveFirstPages(directory: string): Promise<void> {
  const lockFile = join(directory, `${dataFileName}-lock`);
  if (existsSync(lockFile)) return;
  if (availableBytes(directory) < fileReserveBytes + growthBytesMin) {
    throw new StorageError("NoSpace", `there is no room for a store in ${directory}: free space on its disk`);
  }
  await writeFile(lockFile, Buffer.alloc(lockFileBytes), { mode: 0o600 });
}

/** Node.js has no `fallocate`. Flushed, because some file systems report a lack of space only then. */
export const writeZeros: Allocate = async (path, from, bytes) => {
  const file = await open(path, "r+");
  try {
    const zeros = Buffer.alloc(Math.min(bytes, pieceBytes));
    for (let done = 0; done < bytes; ) {
      const { bytesWritten } = await file.write(zeros, 0, Math.min(zeros.length, bytes - done), from + done);
      done += bytesWritten;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
};
