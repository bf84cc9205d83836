import { createPublicKey } from "node:crypto";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Clock } from "../../time/clock.js";
import {
  codeOf,
  type ExternalSigner,
  type FetchedKeys,
  isKeyId,
  type SignerObserver,
} from "./external-signer.js";
import { describeKey, type TokenKey, type TokenKeys } from "./token-keys.js";

export interface ExternalTokenKeysOptions {
  readonly signer: Pick<ExternalSigner, "fetchKeys">;
  readonly observer: Pick<SignerObserver, "fetched">;
  /** The machine's clock. */
  readonly clock: Clock;
  /** Receives failed fetches; the previous keys stay. */
  readonly onFailure: (error: unknown) => void;
}

interface ExternalKey extends TokenKey {
  readonly isHidden: boolean;
}

/** Pause after a failed fetch. */
const retryMs = 10_000;

/**
 * The keys of an external signer, fetched as often as it asks for, and when a token names an unknown key. Source: Kubernetes'
 * `pkg/serviceaccount/externaljwt/plugin`.
 */
export class ExternalTokenKeys implements TokenKeys {
  readonly #options: ExternalTokenKeysOptions;
  #all: readonly ExternalKey[] = [];
  #published: readonly ExternalKey[] = [];
  /** Digest of everything known about the keys, to detect changes. */
  #text = "";
  #staleAt = 0;
  #fetching: Promise<void> | undefined;
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  private constructor(options: ExternalTokenKeysOptions) {
    this.#options = options;
  }

  /** Rejects when the keys cannot be fetched. */
  static async open(options: ExternalTokenKeysOptions): Promise<ExternalTokenKeys> {
    const keys = new ExternalTokenKeys(options);
    await keys.#fetch();
    keys.#schedule();
    return keys;
  }

  get all(): readonly TokenKey[] {
    return this.#all;
  }

  get published(): readonly TokenKey[] {
    return this.#published;
  }

  get freshSeconds(): number {
    return Math.max(0, Math.floor((this.#staleAt - this.#options.clock.now()) / 1000));
  }

  async forToken(keyId: string | undefined): Promise<readonly TokenKey[]> {
    return keyId === undefined ? this.#all : await this.#find(keyId);
  }

  /** Throws when tokens must not be signed with the key. */
  async checkSigns(keyId: string): Promise<void> {
    if ((await this.#find(keyId)).some(({ isHidden }) => isHidden)) {
      throw new Error(`key used for signing JWT (kid: ${keyId}) is excluded from OIDC discovery docs`);
    }
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  async #find(keyId: string): Promise<readonly ExternalKey[]> {
    const named = () => this.#all.filter((key) => key.keyId === keyId);
    const known = named();
    if (known.length > 0) return known;
    try {
      await this.#fetch();
    } catch (error) {
      this.#options.onFailure(error);
      return [];
    }
    return named();
  }

  #schedule(delayMs = Math.max(0, this.#staleAt - this.#options.clock.now())): void {
    if (this.#closed) return;
    this.#cancelTimer = this.#options.clock.schedule(delayMs, () => {
      this.#fetch().then(
        () => this.#schedule(),
        (error: unknown) => {
          this.#options.onFailure(error);
          this.#schedule(retryMs);
        },
      );
    });
  }

  /** One fetch at a time, shared by all callers. */
  #fetch(): Promise<void> {
    this.#fetching ??= this.#fetchNow().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetchNow(): Promise<void> {
    const { signer, observer, clock } = this.#options;
    try {
      const fetched = await signer.fetchKeys().catch((error: unknown) => {
        throw new Error(`while getting externally supported jwt signing keys: ${messageOf(error)}`, {
          cause: error,
        });
      });
      const seconds = checkedTimestamp(fetched);
      this.#take(keysOf(fetched), `${seconds}`);
      this.#staleAt = clock.now() + fetched.refreshHintSeconds * 1000;
      observer.fetched("OK", seconds);
    } catch (error) {
      observer.fetched(codeOf(error));
      throw new Error(`while fetching token verification keys: ${messageOf(error)}`, { cause: error });
    }
  }

  #take(keys: readonly ExternalKey[], timestamp: string): void {
    const texts = keys.map(({ keyId, isHidden, publicKey }) => [
      keyId,
      isHidden,
      publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    ]);
    const text = JSON.stringify([timestamp, texts]);
    if (text === this.#text) return;
    this.#text = text;
    this.#all = keys;
    this.#published = keys.filter(({ isHidden }) => !isHidden);
  }
}

/** The first and the last second of the calendar. */
const timestampSeconds = { min: -62_135_596_800, max: 253_402_300_799 };

/** In seconds since the epoch. */
function checkedTimestamp({ keys, timestamp, refreshHintSeconds }: FetchedKeys): number {
  if (refreshHintSeconds <= 0) throw new Error(`found invalid refresh hint (${refreshHintSeconds}s)`);
  if (keys.length === 0) throw new Error("found no keys");
  if (timestamp === undefined) throw new Error("invalid data timestamp: proto: invalid nil Timestamp");
  const { seconds, nanos } = timestamp;
  const isInRange = seconds >= timestampSeconds.min && seconds <= timestampSeconds.max;
  if (!isInRange || nanos < 0 || nanos >= 1e9)
    throw new Error("invalid data timestamp: it is no moment of the calendar");
  return seconds + nanos / 1e9;
}

function keysOf({ keys }: FetchedKeys): ExternalKey[] {
  return keys.map(({ keyId, publicKey, isHidden }) => {
    if (!isKeyId(keyId)) throw new Error(`found invalid public key id ${JSON.stringify(keyId)}`);
    if (publicKey.length === 0) throw new Error("found empty public key");
    try {
      const key = createPublicKey({ key: Buffer.from(publicKey), type: "spki", format: "der" });
      return { ...describeKey(key, keyId), keyId, isHidden };
    } catch (error) {
      throw new Error(`while parsing external public keys: ${messageOf(error)}`, { cause: error });
    }
  });
}
