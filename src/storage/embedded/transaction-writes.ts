import type { Transaction } from "../kv.js";

/** How much a transaction writes. */
export interface Writes {
  /** Bytes of the values. */
  readonly bytes: number;
  /** Entries that are not appended in order: all but those of history. */
  readonly scattered: number;
}

/** Entries of a put besides its history: its head, the previous one, and the leases that it leaves and joins. */
const scatteredOfPut = 4;
/** Bytes of each of these entries, and of the header of its history. */
const entryBytesMax = 64;

/** An upper bound of what a transaction writes. Undefined if the store decides how many keys it deletes. */
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
