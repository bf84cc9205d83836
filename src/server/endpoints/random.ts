import { randomUUID } from "node:crypto";
import type { RegistryRandom } from "../../registry/generic/before-create.js";

/** Without vowels and look-alikes, so that no words appear; Kubernetes' alphabet for generated names. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixCharacters = 5;

export const systemRandom: RegistryRandom = {
  uid: () => randomUUID(),
  nameSuffix() {
    let suffix = "";
    for (let count = 0; count < suffixCharacters; count++) {
      // Names must differ, not be secret. Reading random bytes for each was 2 % of a pod create.
      suffix += alphabet[Math.floor(Math.random() * alphabet.length)] ?? "";
    }
    return suffix;
  },
};
