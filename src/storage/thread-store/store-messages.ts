import { messageOf } from "../../apimachinery/errors/message-of.js";
import type {
  KeyValue,
  KeyValueStore,
  KvEvent,
  Operation,
  RangeResult,
  Revision,
  Transaction,
  TransactionResult,
  WatchBatch,
} from "../kv.js";
import { StorageError, type StorageErrorCode } from "../storage-error.js";

/** The part of a port that a store needs; `MessagePort` is one. */
export interface StorePort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  close(): void;
}

/** What a thread may ask of a store, except for watches, which are streams. */
export type StoreMethod = Exclude<keyof KeyValueStore, "watch" | "close">;

/** From the thread to the store. `id` is chosen by the thread, and names a call or a watch. */
export type ToStore =
  | {
      readonly kind: "call";
      readonly id: number;
      readonly method: StoreMethod;
      readonly args: unknown[];
      /** On whose behalf; undefined: the thread's own. */
      readonly actor: number | undefined;
    }
  | { readonly kind: "watch"; readonly id: number; readonly request: Parameters<KeyValueStore["watch"]>[0] }
  /** One batch of the watch was consumed. */
  | { readonly kind: "taken"; readonly id: number }
  | { readonly kind: "stop"; readonly id: number }
  /** Asks for a message for every commit from now on. `sent`, an Int32Array with one element, counts these messages. */
  | { readonly kind: "follow"; readonly sent: SharedArrayBuffer };

/** From the store to the thread. */
export type FromStore =
  | { readonly kind: "result"; readonly id: number; readonly value: unknown }
  | { readonly kind: "batch"; readonly id: number; readonly batch: WatchBatch }
  | ({ readonly kind: "commit" } & ToldCommit)
  /** The call or the watch has failed. */
  | { readonly kind: "failure"; readonly id: number; readonly error: PortableError };

/** What a thread that follows the store is told of a commit. */
export interface ToldCommit {
  /** Without `previous`. */
  readonly events: readonly KvEvent[];
  readonly revision: Revision;
  readonly compacted: Revision;
}

/** An error that keeps what callers depend on when it crosses threads. */
export interface PortableError {
  readonly code: StorageErrorCode | "RangeError" | undefined;
  readonly message: string;
  readonly key: string | undefined;
  readonly revision: number | undefined;
  readonly newest: number | undefined;
}

export function portableError(error: unknown): PortableError {
  const message = messageOf(error);
  if (!(error instanceof StorageError)) {
    const code = error instanceof RangeError ? "RangeError" : undefined;
    return { code, message, key: undefined, revision: undefined, newest: undefined };
  }
  const { code, key, revision, newest } = error;
  return { code, message, key, revision, newest };
}

export function errorOf({ code, message, key, revision, newest }: PortableError): Error {
  if (code === undefined) return new Error(message);
  return code === "RangeError"
    ? new RangeError(message)
    : new StorageError(code, message, { key, revision, newest });
}

/** Replaces the values of what crosses a port. */
class ValueMap {
  readonly #of: (value: Uint8Array) => Uint8Array;

  constructor(of: (value: Uint8Array) => Uint8Array) {
    this.#of = of;
  }

  bytes(value: Uint8Array): Uint8Array {
    return this.#of(value);
  }

  kv(kv: KeyValue): KeyValue {
    return { ...kv, value: this.#of(kv.value) };
  }

  range(result: RangeResult): RangeResult {
    return { ...result, kvs: result.kvs.map((kv) => this.kv(kv)) };
  }

  operations(operations: readonly Operation[]): readonly Operation[] {
    return operations.map((one) => (one.kind === "put" ? { ...one, value: this.#of(one.value) } : one));
  }

  transaction({ compare, success, failure }: Transaction): Transaction {
    return { compare, success: this.operations(success), failure: this.operations(failure) };
  }

  outcome(result: TransactionResult): TransactionResult {
    const results = result.results.map((one) =>
      one.kind === "range" ? { kind: one.kind, result: this.range(one.result) } : one,
    );
    return { ...result, results };
  }

  batch(batch: WatchBatch): WatchBatch {
    if (batch.kind === "progress") return batch;
    const events = batch.events.map(({ type, kv, previous }) => ({
      type,
      kv: this.kv(kv),
      previous: previous && this.kv(previous),
    }));
    return { ...batch, events };
  }

  commit(events: readonly KvEvent[]): KvEvent[] {
    return events.map(({ type, kv }) => ({ type, kv: this.kv(kv), previous: undefined }));
  }
}

/** Copies values to buffers of their own, which are transferred: cloning a view would copy its whole buffer. */
export class ValueMover extends ValueMap {
  readonly buffers: ArrayBuffer[];

  constructor() {
    const buffers: ArrayBuffer[] = [];
    super((value) => {
      const copy = new Uint8Array(value.length);
      copy.set(value);
      buffers.push(copy.buffer);
      return copy;
    });
    this.buffers = buffers;
  }
}

/** A port delivers the values as plain arrays of bytes; engines hand out buffers. */
export const received = new ValueMap(({ buffer, byteOffset, length }) =>
  Buffer.from(buffer, byteOffset, length),
);
