import { alreadyExists, badRequest, expired, notFound } from "../../apimachinery/errors/status.js";
import type { EmbeddedStore, EmbeddedStoreOptions } from "../../storage/embedded/embedded-store.js";
import type { HeldRevisions } from "../../storage/held-revisions.js";
import type { Revision } from "../../storage/kv.js";
import { isStorageError } from "../../storage/storage-error.js";
import type { ChangesOfKeys } from "../../storage/watchcache/inherited-collections.js";
import { copyStore, hasHistory } from "./copy-store.js";
import { readChanges } from "./read-changes.js";
import { type RewindParts, type Rewound, rewindStore } from "./rewind-store.js";

export interface Snapshot {
  readonly name: string;
  /** By the cluster's clock. */
  readonly createdAt: Date;
}

/** What a rewind wrote. */
export type RewindReport = Pick<Rewound, "created" | "updated" | "deleted">;

export interface SnapshotsParts extends RewindParts {
  readonly held: HeldRevisions;
  readonly now: () => Date;
  /** Resolves after the bootstrap; earlier states are not worth restoring. */
  readonly started: Promise<void>;
  /** Called after a rewind; resolves when the server's caches reflect it. */
  readonly rewound: () => Promise<void>;
}

export interface StoreCopy {
  readonly store: EmbeddedStore;
  /** Returns what differs from the original at a revision from before the copy. Undefined when the copy has its own revisions. */
  readonly changesSince: ((revision: Revision, until: Revision) => Promise<ChangesOfKeys>) | undefined;
}

interface Kept extends Snapshot {
  /** The revision of its state. It moves on with each rewind, so that the history to read stays short. */
  revision: Revision;
  letGo: () => void;
}

/** Snapshots are revisions that are not compacted: making one costs nothing, and rewinding to it only what changed since. */
export class Snapshots {
  readonly #parts: SnapshotsParts;
  readonly #all = new Map<string, Kept>();
  #lastNumber = 0;
  /** Rewinds run one after the other. */
  #rewinds: Promise<unknown> = Promise.resolve();

  constructor(parts: SnapshotsParts) {
    this.#parts = parts;
  }

  /** Throws a `StatusError` for a name that is taken or invalid. Unset: the next number. */
  async create(name = `snapshot-${++this.#lastNumber}`): Promise<Snapshot> {
    if (!namePattern.test(name)) {
      throw badRequest(
        `not a name of a snapshot: ${JSON.stringify(name)}: letters, digits, "-", "_" and "."`,
      );
    }
    const { store, held, now, started } = this.#parts;
    await started;
    if (this.#all.has(name)) throw alreadyExists(subject, name);
    const revision = await store.currentRevision();
    const kept: Kept = { name, createdAt: now(), revision, letGo: held.hold(revision) };
    this.#all.set(name, kept);
    return shown(kept);
  }

  list(): readonly Snapshot[] {
    return [...this.#all.values()].map(shown);
  }

  delete(name: string): void {
    this.#find(name).letGo();
    this.#all.delete(name);
  }

  /** A new store with the state of a snapshot, or of now. Rejects with a `StatusError`. */
  async copy(options: EmbeddedStoreOptions, name?: string): Promise<StoreCopy> {
    const { store, range } = this.#parts;
    const revision = name === undefined ? await store.currentRevision() : this.#find(name).revision;
    const copy = await sparedBySnapshot(name ?? "", () => copyStore(store, { ...options, range, revision }));
    if (!hasHistory(store)) return { store: copy, changesSince: undefined };
    if (name !== undefined) await rewindStore({ ...this.#parts, store: copy }, revision);
    return {
      store: copy,
      async changesSince(after, until) {
        const changes = await readChanges(copy, range, { after, until });
        return new Map([...changes.values()].map(({ key, after: left }) => [key, left]));
      },
    };
  }

  /** Returns the store to the snapshot, which remains. Rejects with a `StatusError`. */
  rewind(name: string): Promise<RewindReport> {
    const rewound = this.#rewinds.then(() => this.#rewind(this.#find(name)));
    this.#rewinds = rewound.catch(() => undefined);
    return rewound;
  }

  async #rewind(kept: Kept): Promise<RewindReport> {
    const { held, rewound } = this.#parts;
    const { created, updated, deleted, revision, isExact } = await sparedBySnapshot(kept.name, () =>
      rewindStore(this.#parts, kept.revision),
    );
    if (isExact && this.#all.get(kept.name) === kept) {
      const letGo = held.hold(revision);
      kept.letGo();
      kept.letGo = letGo;
      kept.revision = revision;
    }
    await rewound();
    return { created, updated, deleted };
  }

  #find(name: string): Kept {
    const kept = this.#all.get(name);
    if (kept === undefined) throw notFound(subject, name);
    return kept;
  }
}

const subject = { group: "", resource: "snapshots" };
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

function shown({ name, createdAt }: Kept): Snapshot {
  return { name, createdAt };
}

/** The server's own compaction keeps what snapshots need, but others may compact the store too. */
async function sparedBySnapshot<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStorageError(error, "Compacted")) throw error;
    throw expired(
      `others have compacted the history since the snapshot ${JSON.stringify(name)} in the store`,
    );
  }
}
