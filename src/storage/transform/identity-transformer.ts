import { startsWith } from "./prefix-transformers.js";
import type { ValueTransformer } from "./value-transformer.js";

/** Leaves values unchanged. Refuses to read an encrypted one, which begins with `encryptedPrefix`, as plain text. */
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
