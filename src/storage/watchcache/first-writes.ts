import { type KeyValueStore, type KvEvent, prefixEnd, type Revision } from "../kv.js";

/** Called once: with the revision of the write, or with undefined when writes may have been missed. */
export type FirstWriteListener = (revision: Revision | undefined) => void;

/** Listeners for the first write below a prefix that ends with a slash. Each prefix costs an entry of a map. */
export class FirstWrites {
  readonly #listeners = new Map<string, Set<FirstWriteListener>>();

  add(prefix: string, listener: FirstWriteListener): () => void {
    const siblings = this.#listeners.get(prefix) ?? new Set<FirstWriteListener>();
    this.#listeners.set(prefix, siblings);
    siblings.add(listener);
    return () => {
      siblings.delete(listener);
      if (siblings.size === 0 && this.#listeners.get(prefix) === siblings) this.#listeners.delete(prefix);
    };
  }

  tell(events: readonly KvEvent[]): void {
    if (this.#listeners.size === 0) return;
    for (const { type, kv } of events) if (type === "put") this.#tellOf(kv.key, kv.modRevision);
  }

  /** Calls all listeners, because writes may have been missed. */
  tellAll(): void {
    const all = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const siblings of all) for (const listener of siblings) listener(undefined);
  }

  #tellOf(key: string, revision: Revision): void {
    for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) {
      const prefix = key.slice(0, slash + 1);
      const siblings = this.#listeners.get(prefix);
      if (siblings === undefined) continue;
      this.#listeners.delete(prefix);
      for (const listener of siblings) listener(revision);
    }
  }
}

export async function isEmptyBelow(kv: Pick<KeyValueStore, "range">, prefix: string): Promise<boolean> {
  const range = { start: prefix, end: prefixEnd(prefix) };
  const { kvs } = await kv.range({ ...range, limit: 1, keysOnly: true, withoutCount: true });
  return kvs.length === 0;
}
