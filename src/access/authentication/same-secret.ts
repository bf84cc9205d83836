import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in a time that reveals neither where they differ nor how long the stored one is. */
export function isSameSecret(given: string | Uint8Array, stored: string | Uint8Array): boolean {
  return timingSafeEqual(digest(given), digest(stored));
}

function digest(secret: string | Uint8Array): Buffer {
  return createHash("sha256").update(secret).digest();
}
