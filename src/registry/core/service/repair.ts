import type { Service } from "../../../apis/gen/core-v1.js";
import { AllocationBitmap } from "./allocation-bitmap.js";
import type { RangeRecord } from "./range-record.js";

/** How often a leak must be seen before it is freed while others write: an address is taken a moment before its service is stored. */
const sightingsBeforeCleanup = 3;
const conflictsMax = 5;

/** Which of a service's items a repair is about. */
export type RepairedItem = "clusterIp" | "nodePort";

/** A problem that a repair finds with one service, reported as an event. */
export interface RepairFinding {
  readonly service: Service;
  readonly of: RepairedItem;
  /** The event's reason: `ClusterIPNotAllocated`. */
  readonly reason: string;
  readonly message: string;
}

/** Reconciles recorded allocations with what services have. */
export interface Repairs {
  /** `nobodyWrites`: no write is in progress that has taken an item but not yet stored its service. */
  repairOnce(nobodyWrites?: boolean): Promise<void>;
}

/** An item that a service has: its number in the range (undefined when outside) and its printed form. */
export interface UsedItem {
  readonly service: Service;
  readonly item: number | undefined;
  readonly text: string;
}

/** Event reasons and messages for one range. */
export interface RepairWords {
  readonly of: RepairedItem;
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
  /** The items of this range that services have now. */
  readonly used: () => Promise<readonly UsedItem[]>;
  readonly words: RepairWords;
  readonly report: (finding: RepairFinding) => void;
}

/**
 * Reconciles the allocations of one range with the services: initializes them for a new store or range, adds items that services have,
 * and frees items that no service has (a server crashed between taking and storing one).
 */
export class RangeRepair implements Repairs {
  readonly #parts: RangeRepairParts;
  /** How often each item was found taken without a service. */
  readonly #sightings = new Map<number, number>();

  constructor(parts: RangeRepairParts) {
    this.#parts = parts;
  }

  /**
   * Safe beside writes of this and other servers: leaks are freed when they have been seen several times. With `nobodyWrites` they are
   * freed at once, because no write can be in progress that took them. Rejects when the store cannot be reached, or changes too fast.
   */
  async repairOnce(nobodyWrites = false): Promise<void> {
    const sightingsMax = nobodyWrites ? 1 : sightingsBeforeCleanup;
    for (let attempt = 0; attempt < conflictsMax; attempt++) {
      if (await this.#tryRepair(sightingsMax)) return;
    }
    throw new Error(`the allocations of ${this.#parts.rangeText} kept changing while they were repaired`);
  }

  async #tryRepair(sightingsMax: number): Promise<boolean> {
    const { record, rangeText, size, used, report } = this.#parts;
    // Read the record first: items taken afterwards then cannot be mistaken for leaks, because the record has changed.
    const stored = await record.read();
    const isSameRange = stored.rangeText === rangeText;
    const leaked = isSameRange ? AllocationBitmap.fromBytes(size, stored.data) : AllocationBitmap.empty(size);
    const rebuilt = AllocationBitmap.empty(size);
    // A record that is being initialized has no missing items to report.
    const findings = this.#takeUsed(await used(), { rebuilt, leaked, isNew: !isSameRange });
    const sightings = this.#keepYoungLeaks(leaked, rebuilt, sightingsMax);
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

  /** Takes the used items in `rebuilt`, and releases them in `leaked`, so that only leaks remain there. */
  #takeUsed(
    items: readonly UsedItem[],
    { rebuilt, leaked, isNew }: { rebuilt: AllocationBitmap; leaked: AllocationBitmap; isNew: boolean },
  ): RepairFinding[] {
    const { words } = this.#parts;
    const findings: RepairFinding[] = [];
    for (const { service, item, text } of items) {
      const found = (word: RepairWord): void => {
        findings.push({ service, of: words.of, reason: word.reason, message: word.message(text) });
      };
      if (item === undefined) found(words.outOfRange);
      else if (!rebuilt.take(item)) found(words.alreadyAllocated);
      else if (!leaked.release(item) && !isNew) found(words.notAllocated);
    }
    return findings;
  }

  /** Takes leaks in `rebuilt` that were not yet seen often enough. */
  #keepYoungLeaks(
    leaked: AllocationBitmap,
    rebuilt: AllocationBitmap,
    sightingsMax: number,
  ): ReadonlyMap<number, number> {
    const sightings = new Map<number, number>();
    for (const item of leaked.items()) {
      const count = (this.#sightings.get(item) ?? 0) + 1;
      if (count >= sightingsMax) continue;
      sightings.set(item, count);
      rebuilt.take(item);
    }
    return sightings;
  }
}
