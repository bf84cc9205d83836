import { existsSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "../storage-error.js";
import { dataFileName, type LmdbTables } from "./lmdb-tables.js";
import { availableBytes } from "./space-guard.js";
import type { WriteBatch } from "./write-batch.js";

const mebibyte = 1024 * 1024;
/** What puts leave to deletes and compaction: LMDB writes new pages before it frees old ones. */
const reserveBytes = 4 * mebibyte;
/** One request may have 1.5 MiB, and pages of its own. */
const smallestPutBytes = 2 * mebibyte;
const growthBytesMin = 4 * mebibyte;
const growthBytesMax = 32 * mebibyte;
/** After a failure, and between looks at a disk that is full. */
const retryMs = 1000;
const pieceBytes = mebibyte;

/** Makes `bytes` bytes exist on disk behind the first `from` of a file; rejects with the system's error, having done a part maybe. */
export type Allocate = (path: string, from: number, bytes: number) => Promise<void>;

export interface RoomForCommit {
  /** What a batch with puts may need, by `bytesNeededBy`. */
  readonly putBytes: number;
  /** What one without may: deletes and compaction make room. */
  readonly otherBytes: number;
  /** Why there may be no puts. */
  readonly refusePuts: StorageError | undefined;
}

/**
 * Pages of the data file that are on disk before LMDB wants them: when the disk ends in the middle of a commit, LMDB's library may
 * end the process. Asked between commits, when nothing else writes to the file; LMDB takes what lies behind its last page as it is.
 */
export class Room {
  readonly #tables: Pick<LmdbTables, "path" | "endBytes" | "usedBytes" | "fileBytes">;
  readonly #allocate: Allocate;
  readonly #now: () => number;
  #fileBytes: number;
  #failed: { readonly at: number; readonly reason: unknown } | undefined;

  constructor(parts: {
    readonly tables: Pick<LmdbTables, "path" | "endBytes" | "usedBytes" | "fileBytes">;
    readonly fileBytes: number;
    readonly allocate?: Allocate | undefined;
    /** Milliseconds; monotonic. */
    readonly now?: (() => number) | undefined;
  }) {
    this.#tables = parts.tables;
    this.#fileBytes = parts.fileBytes;
    this.#allocate = parts.allocate ?? writeZeros;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** At once, unless the file has to grow. */
  prepare(): RoomForCommit | Promise<RoomForCommit> {
    const growth = Math.min(growthBytesMax, Math.max(growthBytesMin, Math.floor(this.#fileBytes / 8)));
    if (this.#tail() >= reserveBytes + growth / 2 || !this.#mayGrow()) return this.#room();
    return this.#grow(reserveBytes + growth).then(() => this.#room());
  }

  /** For a batch that turned out larger than what was prepared; a lack of room shows in the answer. */
  async prepareFor(bytes: number): Promise<RoomForCommit> {
    if (this.#mayGrow()) await this.#grow(reserveBytes + bytes);
    return this.#room();
  }

  #room(): RoomForCommit {
    const tail = this.#tail();
    if (this.#failed === undefined) {
      return { putBytes: tail - reserveBytes, otherBytes: tail, refusePuts: undefined };
    }
    // Free pages inside the file need not lie together, as large values want: what is behind its last page has to be enough.
    const free = Math.max(0, this.#tables.endBytes() - this.#tables.usedBytes());
    const putBytes = Math.min(tail, tail + free - reserveBytes);
    const refusePuts =
      putBytes >= smallestPutBytes
        ? undefined
        : new StorageError("NoSpace", "the store's disk is full", { cause: this.#failed.reason });
    return { putBytes, otherBytes: tail + free / 2, refusePuts };
  }

  #tail(): number {
    return this.#fileBytes - this.#tables.endBytes();
  }

  #mayGrow(): boolean {
    return this.#failed === undefined || this.#now() - this.#failed.at >= retryMs;
  }

  async #grow(tailBytes: number): Promise<void> {
    // LMDB itself may have made the file longer.
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

/**
 * Pages that a commit writes at most: values in the order of their revisions lie together, each entry of another table may have a
 * page of its own and split it, and there are the ways down to them.
 */
export function bytesNeededBy({ bytes, scattered }: Pick<WriteBatch, "bytes" | "scattered">): number {
  return Math.ceil(bytes * 1.5 + scattered * 8192 + 256 * 1024);
}

/** LMDB's lock file is mapped: a page of it for which there is no room would end the process. */
const lockFileBytes = 64 * 1024;

/** Before LMDB makes its files in a directory. Rejects with `NoSpace` when there is no room for them. */
export async function reserveFirstPages(directory: string): Promise<void> {
  const lockFile = join(directory, `${dataFileName}-lock`);
  if (existsSync(lockFile)) return;
  if (availableBytes(directory) < reserveBytes + growthBytesMin) {
    throw new StorageError("NoSpace", `no room for a store in ${directory}: its disk is full`);
  }
  await writeFile(lockFile, Buffer.alloc(lockFileBytes), { mode: 0o600 });
}

/** Node.js has no `fallocate`. Flushed, because some file systems tell only then that there is no room. */
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
