import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { KvEvent, Revision } from "../kv.js";
import type { StoredObject } from "../object-store.js";

/** One object per event; undefined for a deletion. */
export type EventObjects<T> = readonly (StoredObject<T> | undefined)[];

export interface EventBatchesParts<T> {
  /** The objects that the events leave behind; a promise when decryption takes time. */
  readonly decode: (events: readonly KvEvent[]) => MaybePromise<EventObjects<T>>;
  readonly apply: (events: readonly KvEvent[], objects: EventObjects<T>, revision: Revision) => void;
  /** Called when all waiting batches are applied. */
  readonly caughtUp: () => void;
  /** Called when a batch cannot be decoded or applied. */
  readonly failed: (error: unknown) => void;
}

interface Batch {
  readonly events: readonly KvEvent[];
  readonly revision: Revision;
}

/** Decodes batches of events and applies them in order, even if decryption is asynchronous. */
export class EventBatches<T> {
  readonly #parts: EventBatchesParts<T>;
  /** The batch being decrypted, and those behind it. */
  readonly #waiting: Batch[] = [];

  constructor(parts: EventBatchesParts<T>) {
    this.#parts = parts;
  }

  /** Whether batches were taken that are not applied yet. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  take(events: readonly KvEvent[], revision: Revision): void {
    if (this.isBehind) {
      this.#waiting.push({ events, revision });
      return;
    }
    const { decode, apply, failed } = this.#parts;
    try {
      const objects = decode(events);
      if (!(objects instanceof Promise)) {
        apply(events, objects, revision);
        return;
      }
      const batch = { events, revision };
      this.#waiting.push(batch);
      void this.#drain(batch, objects);
    } catch (error) {
      failed(error);
    }
  }

  /** Drops waiting batches. */
  clear(): void {
    this.#waiting.length = 0;
  }

  /** `first` is the head of the queue and being decrypted. */
  async #drain(first: Batch, decrypting: Promise<EventObjects<T>>): Promise<void> {
    const { decode, apply, caughtUp, failed } = this.#parts;
    let batch: Batch | undefined = first;
    let objects: MaybePromise<EventObjects<T>> = decrypting;
    try {
      while (batch !== undefined) {
        const decoded: EventObjects<T> = await objects;
        // Cleared meanwhile.
        if (this.#waiting[0] !== batch) return;
        apply(batch.events, decoded, batch.revision);
        this.#waiting.shift();
        batch = this.#waiting[0];
        if (batch !== undefined) objects = decode(batch.events);
      }
      caughtUp();
    } catch (error) {
      if (batch !== undefined && this.#waiting[0] === batch) failed(error);
    }
  }
}
