import { randomBytes } from "node:crypto";

/** Receives the generation of keys. */
export interface KeyGenerationObserver {
  keyGenerated(milliseconds: number): void;
  keyGenerationFailed(): void;
}

export const dataKeyBytes = 32;

/** A new key or seed. */
export function randomKey(observer: KeyGenerationObserver): Buffer {
  const startedAtMs = performance.now();
  try {
    const key = randomBytes(dataKeyBytes);
    observer.keyGenerated(performance.now() - startedAtMs);
    return key;
  } catch (error) {
    observer.keyGenerationFailed();
    throw error;
  }
}
