import {
  type KeyRange,
  type KeyValue,
  type KeyValueStore,
  type KvEvent,
  type LeaseId,
  type Operation,
  prefixEnd,
  type Revision,
  type Transaction,
  type TransactionResult,
  toRevision,
  type WatchBatch,
  type WatchRequest,
} from "../kv.js";
import { isStorageError } from "../storage-error.js";

/** What an engine provides for the contract suite. */
export interface KvSubject {
  readonly store: KeyValueStore;
  /** Closes the store and opens it again on the same data; absent when the engine keeps no data itself. */
  readonly reopen?: (() => Promise<KeyValueStore>) | undefined;
  /** Moves the engine's clock. Absent when it runs on real time: then the suite waits. */
  readonly advance?: ((milliseconds: number) => Promise<void>) | undefined;
  readonly close: () => Promise<void>;
}

/**
 * One test's corner of a store: all its keys start with `prefix`, so that a suite may run in a store that lives on, as a real cluster does.
 */
export class KvGround {
  readonly prefix: string;
  readonly subject: KvSubject;
  store: KeyValueStore;
  readonly #watches: AbortController[] = [];

  constructor(subject: KvSubject, prefix: string) {
    this.subject = subject;
    this.store = subject.store;
    this.prefix = prefix;
  }

  async close(): Promise<void> {
    for (const watch of this.#watches) watch.abort();
    await this.subject.close();
  }

  async reopen(): Promise<void> {
    if (this.subject.reopen === undefined) throw new Error("this engine cannot be reopened");
    this.store = await this.subject.reopen();
  }

  async advance(milliseconds: number): Promise<void> {
    if (this.subject.advance !== undefined) return this.subject.advance(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  key(name: string): string {
    return this.prefix + name;
  }

  /** Every key of this ground. */
  all(): KeyRange {
    return this.under("");
  }

  under(name: string): KeyRange {
    const start = this.key(name);
    return { start, end: prefixEnd(start) };
  }

  putOperation(name: string, value: string | Uint8Array, lease?: LeaseId): Operation {
    return { kind: "put", key: this.key(name), value: toBytes(value), lease };
  }

  deleteOperation(name: string): Operation {
    return { kind: "delete", range: { start: this.key(name) } };
  }

  async transact(...operations: Operation[]): Promise<TransactionResult> {
    return this.store.transact({ compare: [], success: operations, failure: [] });
  }

  async put(name: string, value: string | Uint8Array, lease?: LeaseId): Promise<Revision> {
    return (await this.transact(this.putOperation(name, value, lease))).revision;
  }

  async delete(name: string): Promise<Revision> {
    return (await this.transact(this.deleteOperation(name))).revision;
  }

  async get(name: string, revision?: Revision): Promise<KeyValue | undefined> {
    return (await this.store.range({ start: this.key(name), revision })).kvs[0];
  }

  /** The ground's keys without prefix, with their values as text. */
  async contents(revision?: Revision): Promise<Record<string, string>> {
    const { kvs } = await this.store.range({ ...this.all(), revision });
    return Object.fromEntries(kvs.map((kv) => [this.name(kv.key), toText(kv.value)]));
  }

  name(key: string): string {
    return key.slice(this.prefix.length);
  }

  /** Writes `value` if the key last changed at `expected` (0: if it is absent). */
  compareAndPut(name: string, expected: Revision, value: string): Promise<TransactionResult> {
    return this.store.transact({
      compare: [{ key: this.key(name), target: "mod", revision: expected }],
      success: [this.putOperation(name, value)],
      failure: [{ kind: "range", range: { start: this.key(name) } }],
    } satisfies Transaction);
  }

  watch(request?: Partial<WatchRequest>): RecordedWatch {
    const controller = new AbortController();
    this.#watches.push(controller);
    return new RecordedWatch(this.store, { ...this.all(), ...request }, controller);
  }

  /** The events in [from, to] of this ground; reopens watches for a slow consumer. */
  async history(from: Revision, to: Revision, request?: Partial<WatchRequest>): Promise<KvEvent[]> {
    const events: KvEvent[] = [];
    let next = from;
    for (;;) {
      const watch = this.watch({ ...request, startRevision: next });
      try {
        for (;;) {
          const batch = await watch.next();
          if (batch.revision > to) return events;
          if (batch.kind === "events") events.push(...batch.events);
          next = toRevision(batch.revision + 1);
          if (next > to) return events;
        }
      } catch (error) {
        if (!isStorageError(error, "Unavailable")) throw error;
      } finally {
        await watch.stop();
      }
    }
  }
}

/** A watch that is read batch by batch. */
class RecordedWatch {
  readonly #controller: AbortController;
  readonly #iterator: AsyncIterator<WatchBatch>;

  constructor(store: KeyValueStore, request: WatchRequest, controller: AbortController) {
    this.#controller = controller;
    this.#iterator = store.watch(request, controller.signal)[Symbol.asyncIterator]();
  }

  async next(): Promise<WatchBatch> {
    const { value, done } = await this.#iterator.next();
    if (done === true) throw new Error("the watch ended");
    return value;
  }

  /** The next batch of events; skips progress. */
  async nextEvents(): Promise<Extract<WatchBatch, { kind: "events" }>> {
    for (;;) {
      const batch = await this.next();
      if (batch.kind === "events") return batch;
    }
  }

  /** Reads until a batch at or after `revision`. */
  async until(revision: Revision): Promise<KvEvent[]> {
    const events: KvEvent[] = [];
    for (;;) {
      const batch = await this.next();
      if (batch.kind === "events") events.push(...batch.events);
      if (batch.revision >= revision) return events;
    }
  }

  /** Aborts, and resolves when the iteration has ended without an error. */
  async stop(): Promise<void> {
    this.#controller.abort();
    for (;;) {
      const { done } = await this.#iterator.next();
      if (done === true) return;
    }
  }
}

function toBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? Buffer.from(value) : value;
}

export function toText(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
}

/** An event in a form that is easy to compare: `put a=1 (was 0)`. */
export function describeEvent(ground: KvGround, event: KvEvent): string {
  const name = ground.name(event.kv.key);
  const previous = event.previous === undefined ? "" : ` (was ${toText(event.previous.value)})`;
  if (event.type === "delete") return `delete ${name}${previous}`;
  return `put ${name}=${toText(event.kv.value)}${previous}`;
}
