import { statfsSync } from "node:fs";
import { StorageError } from "../storage-error.js";
import type { LmdbTables } from "./lmdb-tables.js";

/**
 * Disk space that puts leave for deletes and compaction: LMDB writes new pages before it frees old ones, so on a completely full disk
 * nothing could be deleted. Twice what one commit carries.
 */
export const diskReserveBytes = 16 * 1024 * 1024;

/** Other programs use the disk too, but space for the next commits is already allocated. */
const recheckMs = 100;

/** Refuses puts when the disk is nearly full or the data outgrows its limit. */
export class SpaceGuard {
  readonly #tables: Pick<LmdbTables, "path" | "usedBytes">;
  readonly #bytesMax: number;
  /** Free space on the disk, when it was last checked. */
  #availableBytes = 0;
  #asked: { readonly at: number; readonly fileBytes: number } | undefined;

  constructor(tables: Pick<LmdbTables, "path" | "usedBytes">, bytesMax: number | undefined) {
    this.#tables = tables;
    this.#bytesMax = bytesMax ?? Number.POSITIVE_INFINITY;
  }

  /** Called for each commit. Checks the disk when the file has grown, and now and then. */
  check(fileBytes: number): StorageError | undefined {
    if (fileBytes > this.#bytesMax && this.#tables.usedBytes() > this.#bytesMax) {
      return new StorageError("NoSpace", `the store has reached its limit of ${this.#bytesMax} bytes`);
    }
    const available = this.#available(fileBytes);
    // The file never shrinks: pages freed by compaction are free space inside it.
    if (available < diskReserveBytes && available + fileBytes - this.#tables.usedBytes() < diskReserveBytes) {
      return new StorageError("NoSpace", `the store's disk is full: ${available} bytes are left`);
    }
    return undefined;
  }

  #available(fileBytes: number): number {
    const at = performance.now();
    if (this.#asked?.fileBytes !== fileBytes || at - this.#asked.at >= recheckMs) {
      this.#asked = { at, fileBytes };
      this.#availableBytes = availableBytes(this.#tables.path);
    }
    return this.#availableBytes;
  }
}

/** Infinite when the file system does not report it. */
export function availableBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
