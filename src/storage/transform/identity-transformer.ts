import { startsWith } from "./prefix-transformers.js";
import type { ValueTransformer } from "./value-transformer.js";

/** Leaves values as they are. Refuses to take an encrypted one, which begins with `encryptedPrefix`, for a plain one. */
export function createIdentityTransformer(encryptedPrefix: Buffer): ValueTransformer {
  return {
    toStorage: (value) => value,
    fromStorage(value) {
      if (startsWith(value, encryptedPrefix)) {
        throw new Error("identity transformer tried to read encrypted data");
      }
      return { value, stale: false };
    },
  };
}
