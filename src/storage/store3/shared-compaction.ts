import type { Clock } from "../../time/clock.js";
import type { HeldRevisions } from "../held-revisions.js";
import { type KeyValueStore, noRevision, type Revision } from "../kv.js";
import { isStorageError } from "../storage-error.js";

/** The same key as kube-apiserver's, so that both can share the compaction of one store. */
const compactionKey = "compact_rev_key";

export interface SharedCompactionOptions {
  readonly store: KeyValueStore;
  readonly clock: Clock;
  readonly held?: HeldRevisions | undefined;
  readonly intervalMs: number;
  readonly onFailure: (reason: unknown) => void;
}

interface Turn {
  /** The key's version as last seen by this server: a logical clock of compactions. */
  readonly time: number;
  /** The store's revision when the key had that version: the target of the next compaction. */
  readonly revision: Revision;
}

/**
 * Every interval, one of all servers on the store compacts to the revision of the interval before: the first to raise the key's version.
 * The others learn the time from it and try again after the next interval. Source: apiserver `pkg/storage/etcd3/compact.go`.
 */
export function startSharedCompaction(options: SharedCompactionOptions): () => void {
  let turn: Turn = { time: 0, revision: noRevision };
  let stopped = false;
  let cancel: () => void = () => undefined;
  const schedule = (): void => {
    cancel = options.clock.schedule(options.intervalMs, () => {
      void run();
    });
  };
  const run = async (): Promise<void> => {
    try {
      turn = await compactOnce(options, turn);
    } catch (error) {
      if (!stopped) options.onFailure(error);
    }
    if (!stopped) schedule();
  };
  schedule();
  return () => {
    stopped = true;
    cancel();
  };
}

async function compactOnce({ store, held, onFailure }: SharedCompactionOptions, turn: Turn): Promise<Turn> {
  const { succeeded, revision, results } = await store.transact({
    compare: [{ key: compactionKey, target: "version", version: turn.time }],
    success: [{ kind: "put", key: compactionKey, value: Buffer.from(String(turn.revision)) }],
    failure: [{ kind: "range", range: { start: compactionKey } }],
  });
  if (!succeeded) {
    const [read] = results;
    const time = read?.kind === "range" ? (read.result.kvs[0]?.version ?? 0) : 0;
    return { time, revision };
  }
  const next = { time: turn.time + 1, revision };
  // The first round only notes the current revision.
  if (turn.revision === noRevision) return next;
  try {
    await store.compact(held?.spare(turn.revision) ?? turn.revision);
  } catch (error) {
    if (!isStorageError(error, "Compacted")) onFailure(error);
  }
  return next;
}
