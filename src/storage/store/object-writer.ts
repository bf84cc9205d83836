import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import {
  type KeyValue,
  type KeyValueStore,
  noRevision,
  type Operation,
  type Revision,
  type Transaction,
  type TransactionResult,
} from "../kv.js";
import type { ObjectCodec, StoredObject } from "../object-store.js";
import { isStorageError, StorageError } from "../storage-error.js";
import type { ValueTransformer } from "../transform/value-transformer.js";
import type { EncodedWrite } from "./encoded-write.js";
import type { LeaseReuse } from "./lease-reuse.js";
import type { PendingWrite, WriteRegister } from "./own-writes.js";

export interface ObjectWriterOptions<T> {
  readonly kv: KeyValueStore;
  readonly codec: ObjectCodec<T>;
  readonly transformer: ValueTransformer | undefined;
  readonly leases: LeaseReuse;
  readonly ownWrites: WriteRegister<T> | undefined;
}

export interface Put<T> extends EncodedWrite<T> {
  /** Absolute. */
  readonly key: string;
  readonly ttlSeconds: number | undefined;
  /** The key must last have changed at this revision; 0: it must not exist. */
  readonly expected: Revision;
}

type Outcome =
  | { readonly succeeded: true; readonly revision: Revision }
  /** The key's newest state; undefined when it does not exist. */
  | { readonly succeeded: false; readonly newest: KeyValue | undefined };

/** What to do with a write if another one came first. `newest` is the key's state; undefined if it does not exist or was not read. */
export type Lost<R> = (newest: KeyValue | undefined) => MaybePromise<R>;

/** Compare-and-set of one key. */
export class ObjectWriter<T> {
  readonly #options: ObjectWriterOptions<T>;

  constructor(options: ObjectWriterOptions<T>) {
    this.#options = options;
  }

  async put<R>(put: Put<T>, lost: Lost<R>): Promise<StoredObject<T> | R> {
    const { transformer, leases, ownWrites } = this.#options;
    const { key, ttlSeconds } = put;
    const encrypting = transformer === undefined ? put.bytes : encrypted(transformer, put.bytes, key);
    const value = encrypting instanceof Promise ? await encrypting : encrypting;
    const lease = ttlSeconds === undefined || ttlSeconds === 0 ? undefined : await leases.lease(ttlSeconds);
    const write: PendingWrite<T> = { value, revision: undefined, stored: put.stored };
    ownWrites?.add(key, write);
    let eventToCome = false;
    let outcome: Outcome;
    try {
      outcome = outcomeOf(await this.#transact(key, put.expected, { kind: "put", key, value, lease }));
      if (outcome.succeeded) {
        write.revision = outcome.revision;
        eventToCome = ownWrites?.eventsComeFirst === false;
        return put.stored(outcome.revision);
      }
    } catch (error) {
      // The lease may no longer exist (revoked manually, restored backup): the next write takes a new one.
      if (ttlSeconds !== undefined) leases.forget(ttlSeconds);
      // An unavailable store may have committed anyway; its event may still arrive.
      eventToCome = ownWrites?.eventsComeFirst === false && isStorageError(error, "Unavailable");
      throw error;
    } finally {
      if (!eventToCome) ownWrites?.remove(key, write);
    }
    return await lost(outcome.newest);
  }

  /** Resolves with the result of `removed` for the revision of the deletion. */
  async delete<R, L>(
    key: string,
    expected: Revision,
    removed: (revision: Revision) => R,
    lost: Lost<L>,
  ): Promise<R | L> {
    const outcome = outcomeOf(await this.#transact(key, expected, { kind: "delete", range: { start: key } }));
    return outcome.succeeded ? removed(outcome.revision) : await lost(outcome.newest);
  }

  #transact(key: string, expected: Revision, operation: Operation): Promise<TransactionResult> {
    const transaction: Transaction = {
      compare: [{ key, target: "mod", revision: expected }],
      success: [operation],
      // A failed create does not need the existing value.
      failure: expected === noRevision ? [] : [{ kind: "range", range: { start: key } }],
    };
    return this.#options.kv.transact(transaction);
  }
}

function outcomeOf({ succeeded, revision, results }: TransactionResult): Outcome {
  if (succeeded) return { succeeded, revision };
  const read = results[0];
  return { succeeded, newest: read?.kind === "range" ? read.result.kvs[0] : undefined };
}

/** Throws or rejects with `EncryptionFailed`. */
function encrypted(transformer: ValueTransformer, bytes: Uint8Array, key: string): MaybePromise<Uint8Array> {
  const fail = (cause: unknown): never => {
    const reason = messageOf(cause);
    throw new StorageError("EncryptionFailed", reason, { key, cause });
  };
  try {
    const value = transformer.toStorage(bytes, key);
    return value instanceof Promise ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}
