import type {
  AnnouncedWrite,
  KeyValueStore,
  LeaseId,
  RangeRequest,
  RangeResult,
  RemoteCaches,
  Revision,
  StoreStatus,
  Transaction,
  TransactionResult,
  WatchBatch,
  WatchRequest,
} from "../kv.js";
import { closedError } from "../storage-error.js";
import {
  errorOf,
  type FromStore,
  received,
  type StoreMethod,
  type StorePort,
  type ToldCommit,
  type ToStore,
  ValueMover,
} from "./store-messages.js";

export interface ThreadStoreOptions {
  /** On whose behalf a write happens; sent to the thread that serves the store. */
  readonly actor?: (() => number | undefined) | undefined;
  /** Receives commits after `follow`. */
  readonly committed?: ((commit: ToldCommit) => void) | undefined;
}

/**
 * The store of another thread, which serves it by `serveStore` at the other end of `port`. Reads and writes run on the other thread, so
 * this one sees every commit as soon as that does.
 */
export class ThreadStore implements KeyValueStore, RemoteCaches {
  readonly #port: StorePort;
  readonly #actor: () => number | undefined;
  readonly #committed: (commit: ToldCommit) => void;
  readonly #calls = new Map<number, Call>();
  readonly #watches = new Map<number, IncomingWatch>();
  readonly #announced = new Map<string, AnnouncedWrite>();
  #nextId = 1;
  #isClosed = false;

  constructor(port: StorePort, { actor, committed }: ThreadStoreOptions = {}) {
    this.#port = port;
    this.#actor = actor ?? nobody;
    this.#committed = committed ?? ignored;
    port.on("message", (message) => this.receive(message as FromStore)); // only serveStore writes to the port
    port.on("close", () => this.#end());
  }

  range(request: RangeRequest): Promise<RangeResult> {
    return this.#call<RangeResult>("range", [request]).then((result) => received.range(result));
  }

  transact(transaction: Transaction): Promise<TransactionResult> {
    const moved = new ValueMover();
    const announced = this.#announcedIn(transaction, moved);
    return this.#call<TransactionResult>("transact", [moved.transaction(transaction), announced], moved).then(
      (result) => received.outcome(result),
    );
  }

  announce(write: AnnouncedWrite): void {
    this.#announced.set(write.key, write);
  }

  /**
   * An announced write whose transaction never came, because its lease could not be granted, is replaced by the next write of that key.
   */
  #announcedIn({ success }: Transaction, moved: ValueMover): AnnouncedWrite | undefined {
    const [operation] = success;
    if (operation?.kind !== "put") return undefined;
    const announced = this.#announced.get(operation.key);
    this.#announced.delete(operation.key);
    return announced && { ...announced, body: moved.bytes(announced.body) };
  }

  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchBatch> {
    const id = this.#nextId++;
    const watch = new IncomingWatch(() => this.#post({ kind: "taken", id }));
    if (this.#isClosed) watch.fail(closedError());
    else if (signal.aborted) watch.stop();
    else {
      this.#watches.set(id, watch);
      this.#post({ kind: "watch", id, request });
      const stop = (): void => {
        watch.stop();
        if (this.#watches.delete(id) && !this.#isClosed) this.#post({ kind: "stop", id });
      };
      signal.addEventListener("abort", stop, { once: true });
      watch.onLeft(() => {
        signal.removeEventListener("abort", stop);
        stop();
      });
    }
    return watch.batches();
  }

  requestProgress(): Promise<void> {
    return this.#call("requestProgress", []);
  }

  currentRevision(): Promise<Revision> {
    return this.#call<Revision>("currentRevision", []);
  }

  compact(revision: Revision): Promise<void> {
    return this.#call("compact", [revision]);
  }

  grantLease(ttlSeconds: number): Promise<LeaseId> {
    return this.#call<LeaseId>("grantLease", [ttlSeconds]);
  }

  keepLeaseAlive(lease: LeaseId): Promise<number> {
    return this.#call<number>("keepLeaseAlive", [lease]);
  }

  revokeLease(lease: LeaseId): Promise<void> {
    return this.#call("revokeLease", [lease]);
  }

  status(): Promise<StoreStatus> {
    return this.#call<StoreStatus>("status", []);
  }

  /** Resolves when every open watch has delivered all commits from before the call, and its consumer has processed them. */
  async caughtUp(): Promise<void> {
    const revision = await this.currentRevision();
    const behind = [...this.#watches.values()].filter((watch) => watch.passed < revision);
    if (behind.length === 0) return;
    const reached = Promise.all(behind.map((watch) => watch.reaches(revision)));
    await this.requestProgress();
    await reached;
  }

  /** Asks the other thread to report every commit from now on, if it can. `sent` counts the reports. */
  follow(sent: SharedArrayBuffer): void {
    this.#post({ kind: "follow", sent });
  }

  /** Ends this thread's use of the store, which stays open. */
  async close(): Promise<void> {
    this.#end();
    this.#port.close();
  }

  #call<T>(method: StoreMethod, args: unknown[], moved?: ValueMover): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      // The other end answers a call with the result of the method that it names.
      this.#calls.set(id, { resolve: (value) => resolve(value as T), reject });
      this.#post({ kind: "call", id, method, args, actor: this.#actor() }, moved);
    });
  }

  #post(message: ToStore, moved?: ValueMover): void {
    this.#port.postMessage(message, moved?.buffers);
  }

  /** Handles a message from the port. */
  receive(message: FromStore): void {
    if (message.kind === "commit") {
      this.#committed({ ...message, events: received.commit(message.events) });
      return;
    }
    const { id } = message;
    if (message.kind === "batch") {
      this.#watches.get(id)?.offer(received.batch(message.batch));
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (message.kind === "result") call?.resolve(message.value);
    else if (call !== undefined) call.reject(errorOf(message.error));
    else this.#watches.get(id)?.fail(errorOf(message.error));
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const call of this.#calls.values()) call.reject(closedError());
    this.#calls.clear();
    for (const watch of this.#watches.values()) watch.fail(closedError());
    this.#watches.clear();
  }
}

function nobody(): undefined {}

function ignored(): void {}

interface Call {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Batches that have arrived and are not consumed yet; the other thread limits their number. */
class IncomingWatch {
  readonly #taken: () => void;
  readonly #buffer: WatchBatch[] = [];
  #failure: Error | undefined;
  #isStopped = false;
  #passed = 0;
  #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];
  #wake: () => void = () => undefined;
  #left: () => void = () => undefined;

  constructor(taken: () => void) {
    this.#taken = taken;
  }

  onLeft(listener: () => void): void {
    this.#left = listener;
  }

  /** The consumer has handled everything up to this revision. */
  get passed(): number {
    return this.#passed;
  }

  /** Also resolves when the watch ends. */
  reaches(revision: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }));
  }

  offer(batch: WatchBatch): void {
    this.#buffer.push(batch);
    this.#wake();
  }

  fail(error: Error): void {
    this.#failure = error;
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  async *batches(): AsyncGenerator<WatchBatch> {
    try {
      while (!this.#isStopped) {
        const batch = this.#buffer.shift();
        if (batch !== undefined) {
          this.#taken();
          yield batch;
          // The consumer asks for the next batch, so it has processed the last one.
          this.#pass(batch.revision);
        } else if (this.#failure !== undefined) {
          throw this.#failure;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#pass(Number.POSITIVE_INFINITY);
      this.#left();
    }
  }

  #pass(revision: number): void {
    this.#passed = revision;
    for (const { resolve } of this.#waiting.filter((one) => one.revision <= revision)) resolve();
    this.#waiting = this.#waiting.filter((one) => one.revision > revision);
  }
}
