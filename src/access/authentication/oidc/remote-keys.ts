import type { CryptoKey, createLocalJWKSet, JSONWebKeySet } from "jose";
import { messageOf } from "../../../apimachinery/errors/message-of.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { goList } from "../service-account-user.js";

export interface RemoteKeysOptions {
  /** Resolves with the current key set. */
  readonly read: () => Promise<JsonObject>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A token with an unknown key causes a fetch of the key set, but not more often than this. */
const pauseMs = 1000;
/** After this time the key set is fetched again, so that keys that the provider withdrew are no longer accepted. */
const freshMs = 10 * 60_000;
/** Limit of keys, because a token that does not name its key is tried with each of them. */
const keysMax = 1000;

type KeyLookup = ReturnType<typeof createLocalJWKSet>;

/** The keys of an identity provider (RFC 7517), fetched when an unknown key is needed. */
export class RemoteKeys {
  readonly #options: RemoteKeysOptions;
  #keys: KeyLookup | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #problem = "";
  #reading: Promise<void> | undefined;

  constructor(options: RemoteKeysOptions) {
    this.#options = options;
  }

  /**
   * The payload of a token signed by one of the keys with one of `algorithms`. Rejects with an `Error` otherwise. While the provider is
   * unavailable, an old set is used.
   */
  async verify(token: string, algorithms: readonly string[]): Promise<Uint8Array> {
    const isFresh = this.#options.now() - this.#readAt < freshMs;
    const known = this.#keys;
    if (known !== undefined && isFresh) {
      const payload = await tryVerify(token, known, algorithms);
      if (payload !== undefined) return payload;
    }
    await this.#readAgain();
    if (this.#keys !== undefined && (this.#keys !== known || !isFresh)) {
      const payload = await tryVerify(token, this.#keys, algorithms);
      if (payload !== undefined) return payload;
    }
    const problem = this.#problem === "" ? "" : `: fetching keys: ${this.#problem}`;
    throw new Error(`failed to verify signature: failed to verify id token signature${problem}`);
  }

  async #readAgain(): Promise<void> {
    if (this.#reading === undefined) {
      if (this.#options.now() - this.#triedAt < pauseMs) return;
      this.#triedAt = this.#options.now();
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined;
      });
    }
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const set = await this.#options.read();
      if (!isKeySet(set)) throw new Error("the key set has no keys");
      if (set.keys.length > keysMax) throw new Error(`the key set has more than ${keysMax} keys`);
      const { createLocalJWKSet } = await import("jose");
      this.#keys = createLocalJWKSet(set);
      this.#readAt = this.#options.now();
      this.#problem = "";
    } catch (error) {
      this.#problem = messageOf(error);
    }
  }
}

/** Undefined if no key fits. Several may fit if the token does not name its key. */
async function tryVerify(
  token: string,
  keys: KeyLookup,
  algorithms: readonly string[],
): Promise<Uint8Array | undefined> {
  const { compactVerify, decodeProtectedHeader, errors } = await import("jose");
  const options = { algorithms: [...algorithms] };
  try {
    return (await compactVerify(token, keys, options)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return await tryEach(token, error, options);
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    if (error instanceof errors.JWSSignatureVerificationFailed) return undefined;
    if (!(error instanceof errors.JOSEAlgNotAllowed)) throw error;
    const got = JSON.stringify(decodeProtectedHeader(token).alg ?? "");
    throw new Error(
      `oidc: id token signed with unsupported algorithm, expected ${goList(algorithms)} got ${got}`,
    );
  }
}

async function tryEach(
  token: string,
  keys: AsyncIterable<CryptoKey>,
  options: { readonly algorithms: string[] },
): Promise<Uint8Array | undefined> {
  const { compactVerify } = await import("jose");
  for await (const key of keys) {
    const verified = await compactVerify(token, key, options).catch(() => undefined);
    if (verified !== undefined) return verified.payload;
  }
  return undefined;
}

/** The library checks each key before it uses it. */
function isKeySet(set: object): set is JSONWebKeySet {
  return "keys" in set && Array.isArray(set.keys);
}
