import type { Clock } from "../../time/clock.js";
import type { ValueTransformer } from "./value-transformer.js";

/** Caches ciphers of decrypted keys, by the encrypted key. */
export interface KeyCache {
  get(id: string): ValueTransformer | undefined;
  set(id: string, cipher: ValueTransformer): void;
}

/** The `keysMax` ciphers that were used last; none when it is negative. `filled` is called with the used fraction, from 0 to 1. */
export function recentKeys(keysMax: number, filled: (fraction: number) => void): KeyCache {
  /** Least recently used first. */
  const ciphers = new Map<string, ValueTransformer>();
  const set = (id: string, cipher: ValueTransformer): void => {
    ciphers.delete(id);
    ciphers.set(id, cipher);
  };
  return {
    get(id) {
      const known = ciphers.get(id);
      if (known !== undefined) set(id, known);
      return known;
    },
    set(id, cipher) {
      if (keysMax <= 0) return;
      set(id, cipher);
      if (ciphers.size > keysMax) {
        const oldest = ciphers.keys().next();
        if (!oldest.done) ciphers.delete(oldest.value);
      }
      filled(ciphers.size / keysMax);
    },
  };
}

const keptForMs = 24 * 60 * 60 * 1000;

/**
 * Keeps ciphers for a day. With one key for many values there are few: about as many as keys of the service and starts of servers.
 * `sized` is called with their number.
 */
export function keysOfADay(clock: Clock, sized: (keys: number) => void): KeyCache {
  /** The oldest first. */
  const ciphers = new Map<string, { readonly cipher: ValueTransformer; readonly until: number }>();
  return {
    get: (id) => ciphers.get(id)?.cipher,
    set(id, cipher) {
      const now = clock.now();
      ciphers.delete(id);
      ciphers.set(id, { cipher, until: now + keptForMs });
      for (const [oldest, { until }] of ciphers) {
        if (until > now) break;
        ciphers.delete(oldest);
      }
      sized(ciphers.size);
    },
  };
}

/** Makes ciphers of keys that a service decrypts, and caches them. Concurrent readers of values with the same key share one call. */
export class DecryptedKeys {
  readonly #cache: KeyCache;
  readonly #underWay = new Map<string, Promise<ValueTransformer>>();

  constructor(cache: KeyCache) {
    this.#cache = cache;
  }

  /** Call it when the cache does not have the cipher. */
  decrypt(id: string, make: () => Promise<ValueTransformer>): Promise<ValueTransformer> {
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const making = this.#made(id, make);
    this.#underWay.set(id, making);
    return making;
  }

  async #made(id: string, make: () => Promise<ValueTransformer>): Promise<ValueTransformer> {
    try {
      const cipher = await make();
      this.#cache.set(id, cipher);
      return cipher;
    } finally {
      this.#underWay.delete(id);
    }
  }
}
