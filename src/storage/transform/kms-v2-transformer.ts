import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { type DataKey, type DataKeys, readingCipher } from "./data-keys.js";
import { decodeEncryptedObject, type EncryptedObject, encodeEncryptedObject } from "./encrypted-object.js";
import type { TransformationDirection } from "./envelope-transformer.js";
import { DecryptedKeys, type KeyCache } from "./key-cache.js";
import { type KeySource, keyOfSource } from "./key-source.js";
import type { KeyServiceV2 } from "./kms-v2-service.js";
import type { TransformedValue, ValueTransformer } from "./value-transformer.js";

/** Receives the use of keys. */
export interface KeyUseObserver {
  arrived(direction: TransformationDirection): void;
  /** A key had to be decrypted by its service. */
  keyMissed(): void;
  keyUsed(direction: TransformationDirection, keyId: string): void;
}

/**
 * Encrypts values with the keys of `keys`, and stores with each value what its service needs to decrypt the key. Source: apiserver
 * `pkg/storage/value/encrypt/envelope/kmsv2/envelope.go`.
 */
export class KmsV2Transformer implements ValueTransformer {
  readonly #service: KeyServiceV2;
  readonly #keys: DataKeys;
  readonly #cache: KeyCache;
  readonly #observer: KeyUseObserver;
  readonly #decrypted: DecryptedKeys;

  constructor(service: KeyServiceV2, keys: DataKeys, cache: KeyCache, observer: KeyUseObserver) {
    this.#service = service;
    this.#keys = keys;
    this.#cache = cache;
    this.#decrypted = new DecryptedKeys(cache);
    this.#observer = observer;
  }

  toStorage(value: Uint8Array, key: string): MaybePromise<Uint8Array> {
    this.#observer.arrived("to_storage");
    const dataKey = this.#keys.forWrite();
    return dataKey instanceof Promise
      ? dataKey.then((made) => this.#written(made, value, key))
      : this.#written(dataKey, value, key);
  }

  fromStorage(value: Uint8Array, key: string): MaybePromise<TransformedValue> {
    this.#observer.arrived("from_storage");
    const stored = decodeEncryptedObject(value);
    const stale = this.#keys.isStale(stored.source);
    const id = keyOfSource(stored.source);
    const known = this.#cache.get(id) ?? this.#keys.held(id);
    if (known !== undefined) return this.#read(known, stored, key, stale);
    this.#observer.keyMissed();
    return this.#decrypted
      .decrypt(id, () => this.#decrypt(stored.source))
      .then((cipher) => this.#read(cipher, stored, key, stale));
  }

  #written({ cipher, source, id }: DataKey, value: Uint8Array, key: string): MaybePromise<Uint8Array> {
    this.#cache.set(id, cipher);
    const finish = (data: Uint8Array): Uint8Array => {
      this.#observer.keyUsed("to_storage", source.keyId);
      return encodeEncryptedObject({ data, source });
    };
    const data = cipher.toStorage(value, key);
    return data instanceof Promise ? data.then(finish) : finish(data);
  }

  #read(
    cipher: ValueTransformer,
    { data, source }: EncryptedObject,
    key: string,
    stale: boolean,
  ): MaybePromise<TransformedValue> {
    this.#observer.keyUsed("from_storage", source.keyId);
    const finish = (read: TransformedValue): TransformedValue => ({ value: read.value, stale });
    const read = cipher.fromStorage(data, key);
    return read instanceof Promise ? read.then(finish) : finish(read);
  }

  async #decrypt(source: KeySource): Promise<ValueTransformer> {
    const plain = await this.#service.decrypt(source).catch((cause: unknown) => {
      throw new Error(`failed to decrypt DEK, error: ${messageOf(cause)}`, { cause });
    });
    return readingCipher(source.type, plain);
  }
}
