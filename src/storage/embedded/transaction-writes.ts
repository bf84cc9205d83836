import type { RangeRequest, Transaction } from "../kv.js";

/** How much a transaction or a commit writes. */
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

/**
 * An upper bound of the pages that it adds to a commit: values are contiguous, in the order of their revisions; each entry of another table
 * may touch and split a separate page, and the branch pages above it.
 */
export function bytesAddedBy({ bytes, scattered }: Writes): number {
  return Math.ceil(bytes * 1.5 + scattered * 8192);
}

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

/** Whether it reads more than one key at its newest version. */
export function isScan({ end, revision }: RangeRequest): boolean {
  return end !== undefined || Boolean(revision);
}

/** Whether a transaction reads or deletes more than single keys at their newest versions. */
export function hasScan({ success, failure }: Transaction): boolean {
  return [success, failure].some((operations) =>
    operations.some((operation) => operation.kind !== "put" && isScan(operation.range)),
  );
}
