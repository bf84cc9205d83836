import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { createAesGcm, createExtendedNonceGcm } from "./ciphers.js";
import {
  type KeySource,
  type KeySourceType,
  keyOfSource,
  keySourceType,
  validateKeySource,
} from "./key-source.js";
import type { KeyServiceV2 } from "./kms-v2-service.js";
import { dataKeyBytes, type KeyGenerationObserver, randomKey } from "./random-key.js";
import type { ValueTransformer } from "./value-transformer.js";

/** The cipher for values, and what is stored with them to decrypt its key. */
export interface DataKey {
  readonly cipher: ValueTransformer;
  readonly source: KeySource;
  /** `keyOfSource` of the source. */
  readonly id: string;
  /** Threads may share a seed, but not a key, because a single thread must count its nonces. */
  readonly seed: Uint8Array | undefined;
}

/** The data encryption keys with which values are written. */
export interface DataKeys {
  /** Throws or rejects if there is no usable key. */
  forWrite(): MaybePromise<DataKey>;
  /** Whether a value with this source would now be written with another key. Throws while the service's key is unknown. */
  isStale(source: KeySource): boolean;
  /** The cipher for values with the source of this `id`, if its key is known. */
  held(id: string): ValueTransformer | undefined;
}

/** A new key or seed, encrypted by the service. */
export async function generateDataKey(
  service: KeyServiceV2,
  type: KeySourceType,
  observer: KeyGenerationObserver,
): Promise<DataKey> {
  const plain = randomKey(observer);
  const cipher = type === keySourceType.seed ? createExtendedNonceGcm(plain) : createAesGcm(plain, counted());
  const encrypted = await service.encrypt(plain).catch((cause: Error) => {
    throw new Error(`failed to encrypt DEK, error: ${cause.message}`, { cause });
  });
  const source = { ...encrypted, type };
  validateKeySource(source);
  const seed = type === keySourceType.seed ? plain : undefined;
  return { cipher, source, id: keyOfSource(source), seed };
}

/** A cipher that reads what was written with a key or seed. */
export function readingCipher(type: KeySourceType, plain: Uint8Array): ValueTransformer {
  if (type === keySourceType.seed) return createExtendedNonceGcm(plain);
  if (plain.length !== dataKeyBytes) throw new Error(`crypto/aes: invalid key size ${plain.length}`);
  return createAesGcm(plain);
}

/** A separate key for each value. Source: apiserver 1.25 and 1.26. */
export function keyForEachValue(service: KeyServiceV2, observer: KeyGenerationObserver): DataKeys {
  return {
    forWrite: () => generateDataKey(service, keySourceType.key, observer),
    isStale: () => false,
    held: () => undefined,
  };
}

/**
 * Counts nonces, so that they never repeat: random ones would after some billions of values with one key. No other process uses the key.
 */
function counted(): () => Uint8Array {
  let count = 0n;
  return () => {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64LE(count++);
    return nonce;
  };
}
