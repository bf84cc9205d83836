import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { KeyValue } from "../kv.js";
import type { ObjectCodec, StoredObject } from "../object-store.js";
import { createStoredObject } from "../stored-object.js";
import type { TransformedValue, ValueTransformer } from "../transform/value-transformer.js";
import { type ReadingStep, UnreadableObject } from "../unreadable-object.js";

/** An object together with what an update must know of the bytes it was read from. */
export interface ReadState<T> {
  readonly object: StoredObject<T>;
  /** Before encryption. */
  readonly bytes: Uint8Array;
  readonly stale: boolean;
}

/** Turns stored values of one resource into objects. */
export class ObjectReader<T> {
  readonly #prefix: string;
  readonly #codec: ObjectCodec<T>;
  readonly #transformer: ValueTransformer | undefined;
  readonly #reportsUnreadable: boolean;
  readonly #onUndecodable: (() => void) | undefined;

  constructor(
    prefix: string,
    codec: ObjectCodec<T>,
    transformer: ValueTransformer | undefined,
    options: {
      readonly reportsUnreadable?: boolean | undefined;
      /** Called for each value that cannot be decoded. */
      readonly onUndecodable?: (() => void) | undefined;
    } = {},
  ) {
    this.#reportsUnreadable = options.reportsUnreadable ?? false;
    this.#onUndecodable = options.onUndecodable;
    this.#prefix = prefix;
    this.#codec = codec;
    this.#transformer = transformer;
  }

  /** Throws or rejects with an `UnreadableObject` when the value cannot be decrypted or decoded. */
  read(kv: KeyValue): MaybePromise<StoredObject<T>> {
    const opened = this.#open(kv);
    return opened instanceof Promise
      ? opened.then(({ value }) => this.#decode(kv, value))
      : this.#decode(kv, opened.value);
  }

  /** See `ObjectCodec.preparation`. */
  preparation(): Iterable<() => void> | undefined {
    return this.#codec.preparation?.();
  }

  readState(kv: KeyValue): MaybePromise<ReadState<T>> {
    const opened = this.#open(kv);
    const finish = ({ value, stale }: TransformedValue): ReadState<T> => ({
      object: this.#decode(kv, value),
      bytes: value,
      stale,
    });
    return opened instanceof Promise ? opened.then(finish) : finish(opened);
  }

  #open(kv: KeyValue): MaybePromise<TransformedValue> {
    if (this.#transformer === undefined) return { value: kv.value, stale: false };
    try {
      const opened = this.#transformer.fromStorage(kv.value, kv.key);
      return opened instanceof Promise
        ? opened.catch((error: unknown) => this.#unreadable(kv, "transform", error))
        : opened;
    } catch (error) {
      return this.#unreadable(kv, "transform", error);
    }
  }

  #decode(kv: KeyValue, bytes: Uint8Array): StoredObject<T> {
    try {
      const key = kv.key.slice(this.#prefix.length);
      return createStoredObject(this.#codec, key, this.#codec.fromStorage(bytes), kv.modRevision);
    } catch (error) {
      this.#onUndecodable?.();
      return this.#unreadable(kv, "decode", error);
    }
  }

  #unreadable({ key, modRevision: revision }: KeyValue, step: ReadingStep, cause: unknown): never {
    const details = { key, revision, reason: messageOf(cause), cause };
    throw new UnreadableObject(step, details, this.#reportsUnreadable);
  }
}
