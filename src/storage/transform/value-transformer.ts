/** A result that is a promise only when it must be: the common case costs no turn of the event loop. */
export type MaybePromise<V> = V | Promise<V>;

export interface TransformedValue {
  readonly value: Uint8Array;
  /** Written with anything but the current first provider and key: the next update rewrites it even if unchanged. */
  readonly stale: boolean;
}

/**
 * What happens to a value between the codec and the store. `key` is the absolute storage key; ciphers authenticate it, so
 * that a stored value cannot be moved to another key.
 */
export interface ValueTransformer {
  fromStorage(value: Uint8Array, key: string): MaybePromise<TransformedValue>;
  toStorage(value: Uint8Array, key: string): MaybePromise<Uint8Array>;
}
