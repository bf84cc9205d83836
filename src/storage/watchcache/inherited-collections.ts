import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import {
  type KeyValue,
  type KeyValueStore,
  type KvEvent,
  type LocalCommits,
  noRevision,
  type Revision,
} from "../kv.js";
import type { StoredObject } from "../object-store.js";
import type { ObjectReader } from "../store/object-reader.js";
import type { SortedIndex } from "./sorted-index.js";

/** What a cache holds at a revision. */
export interface Collection<T> {
  readonly index: SortedIndex<StoredObject<T>>;
  readonly revision: Revision;
}

/** Collections by key prefix. They have the changes up to `revision`, and maybe later ones. */
export interface Collections<T> {
  readonly indexes: ReadonlyMap<string, SortedIndex<StoredObject<T>>>;
  readonly revision: Revision;
}

/** The last change of each key; undefined when the key is gone. */
export type ChangesOfKeys = ReadonlyMap<string, KeyValue | undefined>;

interface InheritedCollection<T> {
  readonly index: SortedIndex<StoredObject<T>>;
  readonly changes: Map<string, KeyValue | undefined>;
}

/**
 * Collections that the caches of a copied store inherit from those of the original instead of reading them. A collection that is written
 * before its cache is started must still be read.
 */
export class InheritedCollections<T> {
  readonly #collections = new Map<string, InheritedCollection<T>>();
  #revision = noRevision;

  /** `changesUntil` returns what has changed in the copy since the revision of the collections. */
  static async of<T>(
    copy: KeyValueStore & LocalCommits,
    { indexes }: Pick<Collections<T>, "indexes">,
    changesUntil: (revision: Revision) => Promise<ChangesOfKeys>,
  ): Promise<InheritedCollections<T>> {
    const handed = new InheritedCollections<T>();
    for (const [prefix, index] of indexes) handed.#collections.set(prefix, { index, changes: new Map() });
    copy.onCommit((events) => handed.#forget(events));
    handed.#revision = await copy.currentRevision();
    for (const [key, value] of await changesUntil(handed.#revision)) {
      for (const prefix of prefixesOf(key)) handed.#collections.get(prefix)?.changes.set(key, value);
    }
    return handed;
  }

  /** Call it once per prefix, when the cache starts to follow the store. Undefined if the collection must be read. */
  async take(prefix: string, reader: ObjectReader<T>): Promise<Collection<T> | undefined> {
    const handed = this.#collections.get(prefix);
    if (handed === undefined) return undefined;
    this.#collections.delete(prefix);
    const revision = this.#revision;
    let { index } = handed;
    for (const [key, value] of handed.changes) {
      const name = key.slice(prefix.length);
      index = value === undefined ? index.delete(name) : index.set(name, await reader.read(value));
      await turnIfRoundIsOver();
    }
    return { index, revision };
  }

  #forget(events: readonly KvEvent[]): void {
    if (this.#collections.size === 0) return;
    for (const { kv } of events) for (const prefix of prefixesOf(kv.key)) this.#collections.delete(prefix);
  }
}

/** The prefixes of a key that end with a slash, as those of collections do. */
function* prefixesOf(key: string): Generator<string, void, void> {
  for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1))
    yield key.slice(0, slash + 1);
}
