import type { Clock } from "../../time/clock.js";
import type { ValueTransformer } from "./value-transformer.js";

/** Ciphers of decrypted keys, by what is stored of the keys. */
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
 * The ciphers of one day: with one key for many values they are few, about as many as the service's keys and the servers' starts together.
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
