import {
  type KeyRange,
  type KeyValue,
  type KeyValueStore,
  noRevision,
  type Revision,
} from "../../storage/kv.js";
import { isStorageError } from "../../storage/storage-error.js";
import { type ChangedKey, readChanges } from "./read-changes.js";

export interface RewindParts {
  readonly store: KeyValueStore;
  readonly range: KeyRange;
  /** Keys of the server itself, which are not rewound. */
  readonly isKept: (key: string) => boolean;
  /** Lifetime of restored keys whose lease has expired. */
  readonly leaseSeconds: number;
}

export interface Rewound {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** The store's revision afterwards. */
  readonly revision: Revision;
  /** Whether nobody else wrote meanwhile, so that the state at `revision` is that of the snapshot. */
  readonly isExact: boolean;
}

/** One write of a rewind. */
interface Step {
  readonly key: string;
  /** The former version; undefined deletes the key. */
  readonly wanted: KeyValue | undefined;
  /** The version that it replaces. */
  readonly found: KeyValue | undefined;
}

/** A writer that does not stop may keep some keys from being rewound. */
const roundsMax = 20;

/**
 * Returns the store to its state at `revision`, by writes at new revisions. Values are the former bytes, so objects have their former uids
 * and times. Changes of other writers meanwhile are undone too, if they come before the last write.
 */
export async function rewindStore(parts: RewindParts, revision: Revision): Promise<Rewound> {
  const { store, range } = parts;
  const counts = { created: 0, updated: 0, deleted: 0 };
  const leases = new RenewedLeases(parts);
  let until = await store.currentRevision();
  const wanted = new Map<string, KeyValue | undefined>();
  let steps = stepsBack(await readChanges(store, range, { after: revision, until }), wanted, parts);
  for (let round = 0; ; round++) {
    const results = await Promise.all(inOrder(steps).map((step) => take(step, parts, leases)));
    for (const done of results) if (done.isDone) counts[done.what]++;
    const after = await store.currentRevision();
    // Only changes that others made meanwhile are left.
    const changes = await readChanges(store, range, { after: until, until: after });
    until = after;
    steps = stepsBack(changes, wanted, parts);
    const isLost = results.some(({ isDone }) => !isDone);
    if (!isLost || round === roundsMax) return { ...counts, revision: after, isExact: steps.length === 0 };
  }
}

/** The steps that restore each changed key to the version before its first change. */
function stepsBack(
  changes: ReadonlyMap<string, ChangedKey>,
  wanted: Map<string, KeyValue | undefined>,
  { isKept }: RewindParts,
): Step[] {
  const steps: Step[] = [];
  for (const { key, before, after } of changes.values()) {
    if (isKept(key)) continue;
    if (!wanted.has(key)) wanted.set(key, before);
    const first = wanted.get(key);
    if (!isSame(first, after)) steps.push({ key, wanted: first, found: after });
  }
  return steps;
}

function isSame(a: KeyValue | undefined, b: KeyValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a.value, b.value) === 0;
}

/**
 * Restores first, in order of creation, then deletes, in reverse order: owners then exist before their dependents, and kinds before their
 * objects.
 */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const back = steps.filter(({ wanted }) => wanted !== undefined);
  const gone = steps.filter(({ wanted }) => wanted === undefined);
  back.sort((a, b) => (a.wanted?.createRevision ?? 0) - (b.wanted?.createRevision ?? 0));
  gone.sort((a, b) => (b.found?.createRevision ?? 0) - (a.found?.createRevision ?? 0));
  return [...back, ...gone];
}

interface Taken {
  readonly isDone: boolean;
  readonly what: "created" | "updated" | "deleted";
}

async function take(step: Step, { store }: RewindParts, leases: RenewedLeases): Promise<Taken> {
  const { key, wanted, found } = step;
  const compare = [{ key, target: "mod", revision: found?.modRevision ?? noRevision }] as const;
  const remove = async (): Promise<boolean> => {
    const success = [{ kind: "delete", range: { start: key } }] as const;
    return (await store.transact({ compare, success, failure: [] })).succeeded;
  };
  if (wanted === undefined) return { isDone: await remove(), what: "deleted" };
  const put = async (lease: bigint): Promise<Taken> => {
    const success = [{ kind: "put", key, value: wanted.value, lease }] as const;
    if (!isAnother(wanted, found)) {
      const { succeeded } = await store.transact({ compare, success, failure: [] });
      return { isDone: succeeded, what: found === undefined ? "created" : "updated" };
    }
    // An object is never replaced by another one of its name: that one is deleted first.
    const absent = [{ key, target: "mod", revision: noRevision }] as const;
    const [, { succeeded }] = await Promise.all([
      remove(),
      store.transact({ compare: absent, success, failure: [] }),
    ]);
    return { isDone: succeeded, what: "updated" };
  };
  try {
    return await put(wanted.lease);
  } catch (error) {
    if (wanted.lease === 0n || !isStorageError(error, "KeyNotFound")) throw error;
    return await put(await leases.of(wanted.lease));
  }
}

/** Whether the existing object was created under the same name after the one to restore. */
function isAnother(wanted: KeyValue, found: KeyValue | undefined): boolean {
  return found !== undefined && found.createRevision !== wanted.createRevision;
}

/** Leases that replace expired ones: one for all that shared a lease. */
class RenewedLeases {
  readonly #parts: RewindParts;
  readonly #leases = new Map<bigint, Promise<bigint>>();

  constructor(parts: RewindParts) {
    this.#parts = parts;
  }

  of(lease: bigint): Promise<bigint> {
    let renewed = this.#leases.get(lease);
    if (renewed === undefined) {
      renewed = this.#parts.store.grantLease(this.#parts.leaseSeconds);
      this.#leases.set(lease, renewed);
    }
    return renewed;
  }
}
