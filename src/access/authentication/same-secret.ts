import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets without revealing by its duration where they differ or how long the stored one is. */
export function isSameSecret(given: string | Uint8Array, stored: string | Uint8Array): boolean {
  return timingSafeEqual(digest(given), digest(stored));
}

function digest(secret: string | Uint8Array): Buffer {
  return createHash("sha256").update(secret).digest();
}
