import type { Revision } from "../storage/kv.js";
import type { StoredObject } from "../storage/object-store.js";
import { type Followable, type Following, follow } from "./follow.js";
import { InformerIndex } from "./informer-index.js";

export interface InformerOptions<T, V, I extends string> {
  /** Called when the informer starts. Undefined when the resource is not served: then there is nothing to see. */
  readonly source: () => Followable<T> | undefined;
  /**
   * What is kept of an object: computed once per change and shared by all readers, who must not change it. Keep only what is needed:
   * `(stored) => stored.decode()` would hold every object in memory twice.
   */
  readonly view: (stored: StoredObject<T>) => V;
  /**
   * Shows a change as part of the write that makes it, if the source can (`WatchRequest.immediate`): for decisions that must not use
   * outdated state.
   */
  readonly immediate?: boolean | undefined;
  /** Named indexes; each returns the keys under which a value is found. */
  readonly indexes?: Readonly<Record<I, (value: V, key: string) => readonly string[]>> | undefined;
}

/** A view of a resource, which lags behind the store like any watch. */
export interface Lister<V, I extends string = never> {
  /** Whether the whole state was seen at least once. */
  readonly hasSynced: boolean;
  /** `key` is `namespace/name`, or `name` of a cluster-scoped object. */
  get(key: string): V | undefined;
  values(): Iterable<V>;
  readonly size: number;
  /** Values under the index key `text`, in no particular order. */
  find(index: I, text: string): Iterable<V>;
}

export interface Change<V> {
  readonly key: string;
  /** Undefined when the object is gone. */
  readonly value: V | undefined;
  /** Undefined when the object is new. */
  readonly previous: V | undefined;
}

/** Called synchronously with each change. Must not throw and must be quick: put work into a queue. */
export type ChangeListener<V> = (change: Change<V>) => void;

interface Entry<V> {
  readonly value: V;
  readonly revision: Revision;
  /** The run of the watch that saw it last. */
  run: number;
}

/**
 * Keeps a view of all objects of a resource up to date by a watch, and notifies listeners of changes. A lost watch starts over with the
 * state; listeners then receive only the differences, including missed deletions.
 */
export class Informer<T, V, I extends string = never> implements Lister<V, I> {
  readonly #options: InformerOptions<T, V, I>;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #indexes: ReadonlyMap<string, InformerIndex<V>>;
  readonly #listeners = new Set<ChangeListener<V>>();
  readonly #synced: Promise<void>;
  #markSynced: () => void = () => undefined;
  #hasSynced = false;
  #run = 0;
  #following: Promise<Following> | undefined;

  constructor(options: InformerOptions<T, V, I>) {
    this.#options = options;
    const indexes = Object.entries<(value: V, key: string) => readonly string[]>(options.indexes ?? {});
    this.#indexes = new Map(indexes.map(([name, textsOf]) => [name, new InformerIndex(textsOf)]));
    this.#synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Resolves once the whole state was seen; never when `stop` comes first. */
  get synced(): Promise<void> {
    return this.#synced;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  *values(): Iterable<V> {
    for (const { value } of this.#entries.values()) yield value;
  }

  find(index: I, text: string): Iterable<V> {
    return this.#indexes.get(index)?.find(text) ?? [];
  }

  /** Notifies `listener` of all existing objects as new, then of each change, until the returned function is called. */
  onChange(listener: ChangeListener<V>): () => void {
    this.#listeners.add(listener);
    for (const [key, { value }] of this.#entries) listener({ key, value, previous: undefined });
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when the watch is registered, which may be before the state was seen. Further calls do nothing. */
  async start(): Promise<void> {
    this.#following ??= this.#follow(this.#options.source());
    await this.#following;
  }

  async #follow(source: Followable<T> | undefined): Promise<Following> {
    if (source === undefined) {
      this.#endOfState();
      return { stop: () => undefined };
    }
    return await follow(
      source,
      {
        change: (type, stored) => {
          if (type === "DELETED") this.#remove(stored.key);
          else this.#set(stored);
        },
        synced: () => this.#endOfState(),
        restarting: () => void this.#run++,
      },
      { immediate: this.#options.immediate },
    );
  }

  async stop(): Promise<void> {
    (await this.#following)?.stop();
  }

  #set(stored: StoredObject<T>): void {
    const { key, revision } = stored;
    const before = this.#entries.get(key);
    if (before?.revision === revision) {
      before.run = this.#run;
      return;
    }
    const value = this.#options.view(stored);
    if (before !== undefined) for (const index of this.#indexes.values()) index.remove(key, before.value);
    this.#entries.set(key, { value, revision, run: this.#run });
    for (const index of this.#indexes.values()) index.set(key, value);
    this.#tell({ key, value, previous: before?.value });
  }

  #remove(key: string): void {
    const before = this.#entries.get(key);
    if (before === undefined) return;
    this.#entries.delete(key);
    for (const index of this.#indexes.values()) index.remove(key, before.value);
    this.#tell({ key, value: undefined, previous: before.value });
  }

  /** Objects that a restarted watch did not show were deleted in the meantime. */
  #endOfState(): void {
    for (const [key, { run }] of this.#entries) if (run !== this.#run) this.#remove(key);
    this.#hasSynced = true;
    this.#markSynced();
  }

  #tell(change: Change<V>): void {
    for (const listener of this.#listeners) listener(change);
  }
}
