import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";

export interface TransformedValue {
  readonly value: Uint8Array;
  /** Not written with the current first provider and key: the next update rewrites it even if unchanged. */
  readonly stale: boolean;
}

/**
 * Transforms a value between the codec and the store. `key` is the absolute storage key; ciphers authenticate it, so that a stored value
 * cannot be moved to another key.
 */
export interface ValueTransformer {
  fromStorage(value: Uint8Array, key: string): MaybePromise<TransformedValue>;
  toStorage(value: Uint8Array, key: string): MaybePromise<Uint8Array>;
}
