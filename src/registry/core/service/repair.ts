import type { Service } from "../../../apis/gen/core-v1.js";
import { AllocationBitmap } from "./allocation-bitmap.js";
import type { RangeRecord } from "./range-record.js";

/** A leak is believed when it was seen this many times: an address is taken a moment before its service is stored. */
const sightingsBeforeCleanup = 3;
const conflictsMax = 5;

/** What a repair finds wrong with one service, as an event tells it. */
export interface RepairFinding {
  readonly service: Service;
  /** In one word: `ClusterIPNotAllocated`. */
  readonly reason: string;
  readonly message: string;
}

/** An item that a service has, by its number in the range (undefined: it is not in the range) and as it is printed. */
export interface UsedItem {
  readonly service: Service;
  readonly item: number | undefined;
  readonly text: string;
}

/** How the items of one range are spoken of. */
export interface RepairWords {
  readonly notAllocated: RepairWord;
  readonly alreadyAllocated: RepairWord;
  readonly outOfRange: RepairWord;
}

interface RepairWord {
  readonly reason: string;
  message(text: string): string;
}

export interface RangeRepairParts {
  readonly record: RangeRecord;
  readonly rangeText: string;
  readonly size: number;
  /** What all services have of this range, as of now. */
  readonly used: () => Promise<readonly UsedItem[]>;
  readonly words: RepairWords;
  readonly report: (finding: RepairFinding) => void;
}

/**
 * Makes the books of one range agree with the services there are: sets them up for a new store or a new range, enters what
 * services have, and frees what nobody has had for a while (a server crashed between taking and storing it).
 */
export class RangeRepair {
  readonly #parts: RangeRepairParts;
  /** How often an item was found taken without a service. */
  readonly #sightings = new Map<number, number>();

  constructor(parts: RangeRepairParts) {
    this.#parts = parts;
  }

  /** Safe beside writes of this and other servers. Rejects when the store cannot be reached, or changes too fast. */
  async repairOnce(): Promise<void> {
    for (let attempt = 0; attempt < conflictsMax; attempt++) {
      if (await this.#tryRepair()) return;
    }
    throw new Error(`the allocations of ${this.#parts.rangeText} kept changing while they were repaired`);
  }

  async #tryRepair(): Promise<boolean> {
    const { record, rangeText, size, used, report } = this.#parts;
    // The books first: what is taken after they were read cannot be mistaken for a leak, because then they have changed.
    const stored = await record.read();
    const isSameRange = stored.rangeText === rangeText;
    const leaked = isSameRange ? AllocationBitmap.fromBytes(size, stored.data) : AllocationBitmap.empty(size);
    const rebuilt = AllocationBitmap.empty(size);
    // Nothing is missing in books that are only being set up.
    const findings = this.#enter(await used(), { rebuilt, leaked, isNew: !isSameRange });
    const sightings = this.#keepYoungLeaks(leaked, rebuilt);
    const data = rebuilt.toBytes();
    if (!isSameRange || Buffer.compare(data, stored.data) !== 0) {
      const { written } = await record.write(stored, { rangeText, data });
      if (!written) return false;
    }
    this.#sightings.clear();
    for (const [item, count] of sightings) this.#sightings.set(item, count);
    for (const finding of findings) report(finding);
    return true;
  }

  #enter(
    items: readonly UsedItem[],
    books: { rebuilt: AllocationBitmap; leaked: AllocationBitmap; isNew: boolean },
  ): RepairFinding[] {
    const { words } = this.#parts;
    const findings: RepairFinding[] = [];
    for (const { service, item, text } of items) {
      const found = (word: RepairWord): void => {
        findings.push({ service, reason: word.reason, message: word.message(text) });
      };
      if (item === undefined) found(words.outOfRange);
      else if (!books.rebuilt.take(item)) found(words.alreadyAllocated);
      else if (!books.leaked.release(item) && !books.isNew) found(words.notAllocated);
    }
    return findings;
  }

  /** The leaks that are not sure yet are entered once more. */
  #keepYoungLeaks(leaked: AllocationBitmap, rebuilt: AllocationBitmap): ReadonlyMap<number, number> {
    const sightings = new Map<number, number>();
    for (const item of leaked.items()) {
      const count = (this.#sightings.get(item) ?? 0) + 1;
      if (count >= sightingsBeforeCleanup) continue;
      sightings.set(item, count);
      rebuilt.take(item);
    }
    return sightings;
  }
}
