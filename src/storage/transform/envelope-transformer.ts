import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { createAesCbc, createAesGcm } from "./ciphers.js";
import { DecryptedKeys, type KeyCache, recentKeys } from "./key-cache.js";
import { type KeyGenerationObserver, randomKey } from "./random-key.js";
import type { TransformedValue, ValueTransformer } from "./value-transformer.js";

/** Encrypts and decrypts small keys, in another process. */
export interface KeyService {
  encrypt(plain: Uint8Array): Promise<Uint8Array>;
  decrypt(encrypted: Uint8Array): Promise<Uint8Array>;
}

export type TransformationDirection = "to_storage" | "from_storage";

/** Observes the use of data encryption keys. */
export interface EnvelopeObserver extends KeyGenerationObserver {
  /** A value is about to be encrypted or decrypted. */
  arrived(direction: TransformationDirection): void;
  /** A key had to be decrypted by its service. */
  keyMissed(): void;
  /** A key was cached; `fraction`: how full the cache is now, from 0 to 1. */
  keysFilled(fraction: number): void;
}

const lengthBytes = 2;

/**
 * Encrypts each value with a key of its own, and that key by a service: `length[2, big endian] encryptedKey encrypted(value)`. Recently
 * used keys are cached, at most `keysMax` of them (negative: none), so that most reads need no call. Source: apiserver
 * `pkg/storage/value/encrypt/envelope/envelope.go`, version 1.
 */
export class EnvelopeTransformer implements ValueTransformer {
  readonly #service: KeyService;
  readonly #createCipher: CreateCipher;
  readonly #observer: EnvelopeObserver;
  /** By encrypted key. */
  readonly #ciphers: KeyCache;
  readonly #decrypted: DecryptedKeys;

  constructor(service: KeyService, keysMax: number, createCipher: CreateCipher, observer: EnvelopeObserver) {
    this.#service = service;
    this.#createCipher = createCipher;
    this.#observer = observer;
    this.#ciphers = recentKeys(keysMax, (fraction) => observer.keysFilled(fraction));
    this.#decrypted = new DecryptedKeys(this.#ciphers);
  }

  async toStorage(value: Uint8Array, key: string): Promise<Uint8Array> {
    this.#observer.arrived("to_storage");
    const dataKey = randomKey(this.#observer);
    const encryptedKey = await this.#service.encrypt(dataKey);
    if (encryptedKey.length > 0xffff) throw new Error("the encrypted data encryption key is too long");
    const cipher = this.#createCipher(dataKey);
    this.#ciphers.set(Buffer.from(encryptedKey).toString("latin1"), cipher);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(encryptedKey.length);
    return Buffer.concat([length, encryptedKey, await cipher.toStorage(value, key)]);
  }

  fromStorage(value: Uint8Array, key: string): MaybePromise<TransformedValue> {
    this.#observer.arrived("from_storage");
    const length = value.length < lengthBytes ? Number.NaN : (value[0] ?? 0) * 256 + (value[1] ?? 0);
    if (!(lengthBytes + length <= value.length)) {
      throw new Error("invalid data encountered by envelope transformer, length longer than available bytes");
    }
    const encryptedKey = value.subarray(lengthBytes, lengthBytes + length);
    const encrypted = value.subarray(lengthBytes + length);
    const id = Buffer.from(encryptedKey).toString("latin1");
    const known = this.#ciphers.get(id);
    if (known !== undefined) return known.fromStorage(encrypted, key);
    this.#observer.keyMissed();
    return this.#decrypted
      .decrypt(id, async () => this.#createCipher(await this.#service.decrypt(encryptedKey)))
      .then((cipher) => cipher.fromStorage(encrypted, key));
  }
}

/** Makes the cipher of a value's key. */
export type CreateCipher = (key: Uint8Array) => ValueTransformer;

/** Writes AES-GCM or AES-CBC, and reads both: the level decides which is written. */
export function gcmAndCbc(writes: "gcm" | "cbc"): CreateCipher {
  return (key) => {
    const gcm = createAesGcm(key);
    const cbc = createAesCbc(key);
    return {
      toStorage: (value, storageKey) => (writes === "gcm" ? gcm : cbc).toStorage(value, storageKey),
      fromStorage(value, storageKey) {
        // AES-GCM authenticates, so a value that it refuses was written with AES-CBC.
        try {
          const read = gcm.fromStorage(value, storageKey);
          return writes === "gcm" || read instanceof Promise ? read : { value: read.value, stale: true };
        } catch (refused) {
          return readOther(cbc, value, storageKey, writes === "cbc", refused);
        }
      },
    };
  };
}

function readOther(
  cbc: ValueTransformer,
  value: Uint8Array,
  storageKey: string,
  isWritten: boolean,
  refused: unknown,
): MaybePromise<TransformedValue> {
  try {
    const read = cbc.fromStorage(value, storageKey);
    return isWritten || read instanceof Promise ? read : { value: read.value, stale: true };
  } catch (error) {
    if (isWritten) throw error;
    throw new Error(`[${messageOf(refused)}, ${messageOf(error)}]`, { cause: error });
  }
}
