import type { Transaction } from "../kv.js";

/** How much is written. */
export interface Writes {
  /** Of the values. */
  readonly bytes: number;
  /** Entries that are not appended in order: all but those of history. */
  readonly scattered: number;
}

/** Of a put, beside its history: its head, the one before, and the leases that it leaves and joins. */
const scatteredOfPut = 4;
/** Of each of these entries, and of the header of its history. */
const entryBytesMax = 64;

/** What a transaction writes at most. Undefined where the store decides how many keys it deletes. */
export function writesOf({ success, failure }: Transaction): Writes | undefined {
  let bytes = 0;
  let scattered = 0;
  for (const operations of [success, failure]) {
    for (const operation of operations) {
      if (operation.kind === "delete") return undefined;
      if (operation.kind === "range") continue;
      // UTF-8 has up to three bytes for a character.
      bytes += 3 * operation.key.length + operation.value.length + (1 + scatteredOfPut) * entryBytesMax;
      scattered += scatteredOfPut;
    }
  }
  return { bytes, scattered };
}
