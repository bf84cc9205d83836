import type { KeyValue, Revision } from "../kv.js";
import type { StoredObject } from "../object-store.js";

/** A write in progress; makes the object that the writer, the cache and watchers share. */
export interface PendingWrite<T> {
  readonly value: Uint8Array;
  /** Known once the transaction was answered. */
  revision: Revision | undefined;
  /** The object as of `revision`, encoded once however often it is requested. */
  stored(revision: Revision): StoredObject<T>;
}

/** Receives writes before they are attempted. */
export interface WriteRegister<T> {
  /** If true, a write need not be remembered after it is answered. */
  readonly eventsComeFirst: boolean;
  add(key: string, write: PendingWrite<T>): void;
  remove(key: string, write: PendingWrite<T>): void;
}

/**
 * Remembers what this process is writing, so that the event of its own write needs no decryption, decoding or encoding. A match is by key
 * and identical bytes, so it is right whether the answer or the event comes first.
 */
export class OwnWrites<T> implements WriteRegister<T> {
  readonly eventsComeFirst: boolean;
  readonly #pending = new Map<string, PendingWrite<T>[]>();
  readonly #writesMax: number;

  /**
   * With `eventsComeFirst` a write need not be remembered beyond its answer. At most `writesMax` keys (default 4096) are remembered;
   * beyond that, the oldest are forgotten and their events decoded.
   */
  constructor(options: { readonly eventsComeFirst: boolean; readonly writesMax?: number | undefined }) {
    this.eventsComeFirst = options.eventsComeFirst;
    this.#writesMax = options.writesMax ?? 4096;
  }

  clear(): void {
    this.#pending.clear();
  }

  add(key: string, write: PendingWrite<T>): void {
    const writes = this.#pending.get(key);
    if (writes !== undefined) {
      writes.push(write);
      return;
    }
    if (this.#pending.size >= this.#writesMax) {
      const oldest = this.#pending.keys().next();
      if (!oldest.done) this.#pending.delete(oldest.value);
    }
    this.#pending.set(key, [write]);
  }

  remove(key: string, write: PendingWrite<T>): void {
    const writes = this.#pending.get(key);
    if (writes === undefined) return;
    const index = writes.indexOf(write);
    if (index >= 0) writes.splice(index, 1);
    if (writes.length === 0) this.#pending.delete(key);
  }

  /** The object for the event `kv`, if this process wrote it. Forgets the write. */
  take(kv: KeyValue): StoredObject<T> | undefined {
    const writes = this.#pending.get(kv.key);
    if (writes === undefined) return undefined;
    const write = writes.find(
      ({ revision, value }) =>
        (revision === undefined || revision === kv.modRevision) &&
        (value === kv.value || Buffer.compare(value, kv.value) === 0),
    );
    if (write === undefined) return undefined;
    this.remove(kv.key, write);
    return write.stored(kv.modRevision);
  }
}
