import { randomBytes, randomUUID } from "node:crypto";
import type { RegistryRandom } from "../registry/generic/resource-registry.js";

/** Without vowels and look-alikes, so that no words come up; Kubernetes' alphabet for generated names. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixCharacters = 5;

export const systemRandom: RegistryRandom = {
  uid: () => randomUUID(),
  nameSuffix() {
    let suffix = "";
    while (suffix.length < suffixCharacters) {
      for (const byte of randomBytes(8)) {
        // Bytes beyond the last whole multiple would make the first characters likelier.
        if (byte < 243 && suffix.length < suffixCharacters) suffix += alphabet[byte % alphabet.length] ?? "";
      }
    }
    return suffix;
  },
};
