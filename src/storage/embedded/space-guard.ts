import { statfsSync, statSync } from "node:fs";
import { StorageError } from "../storage-error.js";
import type { LmdbTables } from "./lmdb-tables.js";

/**
 * Disk space that puts leave for deletes and compaction: LMDB writes new pages before it frees old ones, so on a completely full disk
 * nothing could be deleted. Twice what one commit carries.
 */
export const reserveBytes = 16 * 1024 * 1024;

/** Refuses puts when the disk is nearly full or the data outgrows its limit. Each check costs a few microseconds. */
export class SpaceGuard {
  readonly #tables: LmdbTables;
  readonly #bytesMax: number;

  constructor(tables: LmdbTables, bytesMax: number | undefined) {
    this.#tables = tables;
    this.#bytesMax = bytesMax ?? Number.POSITIVE_INFINITY;
  }

  check(): StorageError | undefined {
    const fileBytes = statSync(this.#tables.path).size;
    if (fileBytes > this.#bytesMax && this.#tables.usedBytes() > this.#bytesMax) {
      return new StorageError("NoSpace", `the store has reached its limit of ${this.#bytesMax} bytes`);
    }
    const available = availableBytes(this.#tables.path);
    // The file never shrinks: pages that compaction freed are room inside it.
    if (available < reserveBytes && available + fileBytes - this.#tables.usedBytes() < reserveBytes) {
      return new StorageError("NoSpace", `the store's disk is full: ${available} bytes are left`);
    }
    return undefined;
  }
}

/** Infinite where the file system does not report it. */
export function availableBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
