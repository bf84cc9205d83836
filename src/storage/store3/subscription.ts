import { valueBytes } from "../event-size.js";
import { isInRange } from "../key-order.js";
import type { KeyRange, KvEvent, Revision, WatchBatch } from "../kv.js";

import { StorageError } from "../storage-error.js";

/** How many events a consumer may leave unread. */
const unreadEventsMax = 10_000;
const unreadBytesMax = 32 * 1024 * 1024;

/**
 * The consumer's end of a watch: buffers what feeds offer until it is read. A feed checks `isFull` and either slows the source down or
 * ends the subscription.
 */
export class Subscription {
  readonly range: KeyRange;
  /** Called when there is room again. */
  onRoom: () => void = () => undefined;
  /** Called when the consumer has left. */
  onClosed: () => void = () => undefined;
  readonly #queue: WatchBatch[] = [];
  #events = 0;
  #bytes = 0;
  #position: Revision;
  #ended: StorageError | undefined;
  #wake: () => void = () => undefined;

  constructor(range: KeyRange, after: Revision) {
    this.range = range;
    this.#position = after;
  }

  /** The last revision offered; anything up to it is ignored. */
  get position(): Revision {
    return this.#position;
  }

  get isFull(): boolean {
    return this.#events >= unreadEventsMax || this.#bytes >= unreadBytesMax;
  }

  offer(events: readonly KvEvent[], revision: Revision): void {
    if (revision <= this.#position || this.#ended !== undefined) return;
    this.#position = revision;
    const first = events[0];
    const isOne = events.length === 1 && first !== undefined;
    const selected = isOne
      ? isInRange(first.kv.key, this.range)
        ? events
        : []
      : events.filter((event) => isInRange(event.kv.key, this.range));
    if (selected.length === 0) return;
    this.#queue.push({ kind: "events", events: selected, revision });
    this.#events += selected.length;
    this.#bytes += valueBytes(selected);
    this.#wake();
  }

  progress(revision: Revision): void {
    if (this.#ended !== undefined || revision < this.#position) return;
    this.#position = revision;
    if (this.#queue.at(-1)?.kind === "progress") this.#queue.pop();
    this.#queue.push({ kind: "progress", revision });
    this.#wake();
  }

  /** Ends the subscription after the items offered so far. */
  end(reason: StorageError): void {
    this.#ended ??= reason;
    this.#wake();
  }

  batches(signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const close = (): void => {
      this.#ended ??= new StorageError("Unavailable", "the watch was ended by its consumer");
      this.onClosed();
      this.#wake();
    };
    if (signal.aborted) close();
    else signal.addEventListener("abort", close, { once: true });
    return this.#drain(signal, () => {
      signal.removeEventListener("abort", close);
      close();
    });
  }

  async *#drain(signal: AbortSignal, close: () => void): AsyncGenerator<WatchBatch> {
    try {
      while (!signal.aborted) {
        const batch = this.#queue.shift();
        if (batch !== undefined) {
          if (batch.kind === "events") this.#release(batch.events);
          yield batch;
        } else if (this.#ended !== undefined) {
          throw this.#ended;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      close();
    }
  }

  #release(events: readonly KvEvent[]): void {
    const wasFull = this.isFull;
    this.#events -= events.length;
    this.#bytes -= valueBytes(events);
    if (wasFull && !this.isFull) this.onRoom();
  }
}
