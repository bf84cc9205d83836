import {
  type AnnouncedWrite,
  hasLocalCommits,
  type KeyValueStore,
  type LocalCommits,
  type RangeRequest,
  type Transaction,
  type TransactionResult,
  toRevision,
} from "../kv.js";
import {
  type FromStore,
  portableError,
  received,
  type StorePort,
  type ToStore,
  ValueMover,
} from "./store-messages.js";

/** Observes the other thread's use of the store. */
export interface ServedStoreObserver {
  /** Called before a write on behalf of `actor` is attempted. */
  readonly writes?: (actor: number) => void;
  /** Called before `value` is stored. The returned function is called if it was not. */
  readonly announced?: (write: AnnouncedWrite, value: Uint8Array) => () => void;
}

/** How many unconfirmed batches a watch may have before it pauses. The engine keeps the rest, as for any slow watch. */
const batchesAheadMax = 64;

/**
 * Lets the thread at the other end of `port` use `store` (by `ThreadStore`), until the port closes or the returned function is called. From
 * then on no further write begins for the other thread. The store stays open.
 */
export function serveStore(
  store: KeyValueStore,
  port: StorePort,
  observer: ServedStoreObserver = {},
): () => void {
  const watches = new Map<number, ServedWatch>();
  let isStopped = false;
  let unfollow = (): void => undefined;
  const stop = (): void => {
    isStopped = true;
    unfollow();
    for (const watch of watches.values()) watch.stop();
    watches.clear();
  };
  const post = (message: FromStore, moved?: ValueMover): void => {
    if (!isStopped) port.postMessage(message, moved?.buffers);
  };
  port.on("message", (received) => {
    if (isStopped) return;
    const message = received as ToStore; // only ThreadStore writes to the port
    switch (message.kind) {
      case "call":
        if (message.actor !== undefined && message.method === "transact") observer.writes?.(message.actor);
        void answer(store, message, observer).then(({ reply, moved }) => post(reply, moved));
        break;
      case "watch": {
        const { id } = message;
        const watch = new ServedWatch();
        watches.set(id, watch);
        void watch
          .run(store.watch(message.request, watch.signal), (batch, moved) =>
            post({ kind: "batch", id, batch }, moved),
          )
          .catch((error: unknown) => post({ kind: "failure", id, error: portableError(error) }))
          .finally(() => watches.delete(id));
        break;
      }
      case "taken":
        watches.get(message.id)?.taken();
        break;
      case "stop":
        watches.get(message.id)?.stop();
        break;
      case "follow":
        if (hasLocalCommits(store)) unfollow = tellCommits(store, message.sent, post);
        break;
    }
  });
  port.on("close", stop);
  return stop;
}

/** `sent` is increased once the message is posted, so that a reader of the count finds that many messages. */
function tellCommits(
  store: LocalCommits,
  sent: SharedArrayBuffer,
  post: (message: FromStore, moved: ValueMover) => void,
): () => void {
  const count = new Int32Array(sent);
  return store.onCommit((events, revision) => {
    const moved = new ValueMover();
    post(
      { kind: "commit", events: moved.commit(events), revision, compacted: store.compactedRevision() },
      moved,
    );
    Atomics.add(count, 0, 1);
  });
}

type Call = Extract<ToStore, { kind: "call" }>;

async function answer(
  store: KeyValueStore,
  call: Call,
  observer: ServedStoreObserver,
): Promise<{ readonly reply: FromStore; readonly moved?: ValueMover }> {
  const { id } = call;
  try {
    const moved = new ValueMover();
    return { reply: { kind: "result", id, value: await resultOf(store, call, moved, observer) }, moved };
  } catch (error) {
    return { reply: { kind: "failure", id, error: portableError(error) } };
  }
}

async function resultOf(
  store: KeyValueStore,
  { method, args }: Call,
  moved: ValueMover,
  observer: ServedStoreObserver,
): Promise<unknown> {
  switch (method) {
    case "range":
      return moved.range(await store.range(args[0] as RangeRequest)); // the other end has typed it
    case "transact":
      return moved.outcome(
        await transact(store, args[0] as Transaction, args[1] as AnnouncedWrite | undefined, observer), // as sent
      );
    case "compact":
      return await store.compact(toRevision(Number(args[0])));
    case "grantLease":
      return await store.grantLease(Number(args[0]));
    case "keepLeaseAlive":
      return await store.keepLeaseAlive(args[0] as bigint); // the other end has typed it
    case "revokeLease":
      return await store.revokeLease(args[0] as bigint); // the other end has typed it
    case "requestProgress":
      return await store.requestProgress();
    case "currentRevision":
      return await store.currentRevision();
    case "status":
      return await store.status();
  }
}

async function transact(
  store: KeyValueStore,
  sent: Transaction,
  announced: AnnouncedWrite | undefined,
  observer: ServedStoreObserver,
): Promise<TransactionResult> {
  const transaction = received.transaction(sent);
  const [put] = transaction.success;
  if (announced === undefined || put?.kind !== "put" || observer.announced === undefined) {
    return await store.transact(transaction);
  }
  const notStored = observer.announced(announced, put.value);
  try {
    const result = await store.transact(transaction);
    if (!result.succeeded) notStored();
    return result;
  } catch (error) {
    notStored();
    throw error;
  }
}

class ServedWatch {
  readonly #stopping = new AbortController();
  #ahead = 0;
  #resume: () => void = () => undefined;

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  async run(
    batches: ReturnType<KeyValueStore["watch"]>,
    send: (batch: ReturnType<ValueMover["batch"]>, moved: ValueMover) => void,
  ): Promise<void> {
    for await (const batch of batches) {
      if (this.signal.aborted) return;
      const moved = new ValueMover();
      send(moved.batch(batch), moved);
      this.#ahead += 1;
      if (this.#ahead < batchesAheadMax) continue;
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
  }

  taken(): void {
    this.#ahead -= 1;
    this.#resume();
  }

  stop(): void {
    this.#stopping.abort();
    this.#resume();
  }
}
