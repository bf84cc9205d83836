import { statSync } from "node:fs";
import { StorageError } from "../storage-error.js";
import type { LmdbTables } from "./lmdb-tables.js";

/** The size is looked up once in so many commits: a `stat` costs 2 µs, counting free pages far more. */
const commitsPerLook = 32;

/**
 * Refuses puts when the data outgrows a limit. The file itself never shrinks, so pages that compaction freed count as room.
 */
export class SpaceGuard {
  readonly #tables: LmdbTables;
  readonly #bytesMax: number;
  #commits = 0;
  #refusal: StorageError | undefined;

  constructor(tables: LmdbTables, bytesMax: number | undefined) {
    this.#tables = tables;
    this.#bytesMax = bytesMax ?? Number.POSITIVE_INFINITY;
  }

  check(): StorageError | undefined {
    if (this.#bytesMax === Number.POSITIVE_INFINITY) return undefined;
    if (this.#commits % commitsPerLook === 0 || this.#refusal !== undefined) this.#look();
    this.#commits += 1;
    return this.#refusal;
  }

  #look(): void {
    const fileBytes = statSync(this.#tables.path).size;
    const isOver = fileBytes > this.#bytesMax && this.#tables.usedBytes() > this.#bytesMax;
    this.#refusal = isOver
      ? new StorageError("NoSpace", `the store has reached its limit of ${this.#bytesMax} bytes`)
      : undefined;
  }
}
