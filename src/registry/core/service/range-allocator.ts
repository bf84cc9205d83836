import { StorageError } from "../../../storage/storage-error.js";
import { AllocationBitmap, type RandomInt } from "./allocation-bitmap.js";
import type { RangeRecord, RangeState } from "./range-record.js";

export interface RangeAllocatorParts {
  readonly record: RangeRecord;
  /** Canonical text of the range; a stored bitmap of another range is ignored. */
  readonly rangeText: string;
  /** Number of items. */
  readonly size: number;
  readonly random: RandomInt;
  /** The resource that errors name while the store is not initialized: `serviceipallocations`. */
  readonly resource: string;
  /** Items below it are only allocated by number. */
  readonly reservedItems?: number | undefined;
  /** Items below it are allocated without a number only when all others are taken. */
  readonly staticBand?: number | undefined;
}

type Change<R> = (bitmap: AllocationBitmap) => { readonly result: R; readonly changed: boolean };

interface PendingChange {
  /** Applies the change; the returned function runs once the bitmap is stored. */
  apply(bitmap: AllocationBitmap): { readonly changed: boolean; settle(): void };
  fail(error: unknown): void;
}

/**
 * Allocates the items of one range for all servers that share a store: every change is a compare-and-set on one object. Changes that
 * arrive during a write are combined into the next.
 */
export class RangeAllocator {
  readonly rangeText: string;
  readonly size: number;
  readonly #record: RangeRecord;
  readonly #random: RandomInt;
  readonly #resource: string;
  readonly #reservedItems: number;
  readonly #staticBand: number;
  #pending: PendingChange[] = [];
  #isWriting = false;
  /** The last known state; may be outdated. */
  #state: RangeState | undefined;

  constructor(parts: RangeAllocatorParts) {
    this.rangeText = parts.rangeText;
    this.size = parts.size;
    this.#record = parts.record;
    this.#random = parts.random;
    this.#resource = parts.resource;
    this.#reservedItems = parts.reservedItems ?? 0;
    this.#staticBand = parts.staticBand ?? 0;
  }

  /** False when it is taken. Rejects with `StorageError`. */
  take(item: number): Promise<boolean> {
    return this.#change((bitmap) => {
      const result = bitmap.take(item);
      return { result, changed: result };
    });
  }

  /** Undefined when all are taken. */
  takeAny(): Promise<number | undefined> {
    return this.#change((bitmap) => {
      const result =
        bitmap.takeAny(this.#random, Math.max(this.#staticBand, this.#reservedItems)) ??
        bitmap.takeAny(this.#random, this.#reservedItems);
      return { result, changed: result !== undefined };
    });
  }

  /** Releasing a free item has no effect. */
  async release(items: readonly number[]): Promise<void> {
    if (items.length === 0) return;
    await this.#change((bitmap) => {
      const released = items.filter((item) => bitmap.release(item));
      return { result: undefined, changed: released.length > 0 };
    });
  }

  /** By the last state that was read or written; undefined before the first. */
  usage(): { readonly taken: number; readonly free: number } | undefined {
    if (this.#state === undefined) return undefined;
    const taken = this.#bitmapOf(this.#state).count();
    return { taken, free: this.size - taken };
  }

  async has(item: number): Promise<boolean> {
    return this.#bitmapOf(await this.#record.read()).has(item);
  }

  #change<R>(change: Change<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#pending.push({
        apply(bitmap) {
          const { result, changed } = change(bitmap);
          return { changed, settle: () => resolve(result) };
        },
        fail: reject,
      });
      if (!this.#isWriting) void this.#writePending();
    });
  }

  async #writePending(): Promise<void> {
    this.#isWriting = true;
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        await this.#writeBatch(batch);
      } catch (error) {
        // The stored state is unknown now.
        this.#state = undefined;
        for (const change of batch) change.fail(error);
      }
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly PendingChange[]): Promise<void> {
    let isFresh = this.#state === undefined;
    let state = this.#state ?? (await this.#record.read());
    for (;;) {
      const bitmap = this.#bitmapOf(state);
      const outcomes = batch.map((change) => change.apply(bitmap));
      // "Taken" and "full" must be true of the stored state, not only of an older copy.
      if (!isFresh && outcomes.some(({ changed }) => !changed)) {
        state = await this.#record.read();
        isFresh = true;
        continue;
      }
      if (outcomes.some(({ changed }) => changed)) {
        const next = { rangeText: this.rangeText, data: bitmap.toBytes() };
        const answer = await this.#record.write(state, next);
        state = answer.state;
        if (!answer.written) {
          isFresh = true;
          continue;
        }
      }
      this.#state = state;
      for (const { settle } of outcomes) settle();
      return;
    }
  }

  #bitmapOf(state: RangeState): AllocationBitmap {
    if (state.rangeText === "") {
      throw new StorageError(
        "Unavailable",
        `cannot allocate resources of type ${this.#resource} at this time`,
      );
    }
    if (state.rangeText !== this.rangeText) {
      throw new StorageError("Unavailable", "the provided range does not match the current range");
    }
    return AllocationBitmap.fromBytes(this.size, state.data);
  }
}
