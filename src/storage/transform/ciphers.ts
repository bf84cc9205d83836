import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { ValueTransformer } from "./value-transformer.js";

const tooShort = "the stored data was shorter than the required size";
const cbcBlockBytes = 16;
const gcmNonceBytes = 12;
const gcmTagBytes = 16;
const infoBytes = 32;
const secretBoxNonceBytes = 24;
const secretBoxTagBytes = 16;

/** AES-CBC with PKCS #7 padding: `iv[16] ciphertext`. Does not authenticate. Keys of 16, 24 or 32 bytes. */
export function createAesCbc(key: Uint8Array): ValueTransformer {
  const algorithm = `aes-${key.length * 8}-cbc`;
  return {
    toStorage(value) {
      const iv = randomBytes(cbcBlockBytes);
      const cipher = createCipheriv(algorithm, key, iv);
      return Buffer.concat([iv, cipher.update(value), cipher.final()]);
    },
    fromStorage(value) {
      if (value.length < cbcBlockBytes) throw new Error(tooShort);
      const encrypted = value.subarray(cbcBlockBytes);
      if (encrypted.length % cbcBlockBytes !== 0) {
        throw new Error(
          `the stored data is not a multiple of the block size (${cbcBlockBytes}): ${encrypted.length}`,
        );
      }
      const decipher = createDecipheriv(algorithm, key, value.subarray(0, cbcBlockBytes));
      try {
        return { value: Buffer.concat([decipher.update(encrypted), decipher.final()]), stale: false };
      } catch (cause) {
        throw new Error("invalid padding on input", { cause });
      }
    },
  };
}

/**
 * AES-GCM: `nonce[12] ciphertext tag[16]`, the storage key authenticated with it. Keys of 16, 24 or 32 bytes. `nextNonce` must never
 * return the same one twice.
 */
export function createAesGcm(
  key: Uint8Array,
  nextNonce: () => Uint8Array = () => randomBytes(gcmNonceBytes),
): ValueTransformer {
  const algorithm = `aes-${key.length * 8}-gcm` as "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm"; // sizes are validated
  return {
    toStorage(value, storageKey) {
      const nonce = nextNonce();
      const cipher = createCipheriv(algorithm, key, nonce);
      cipher.setAAD(Buffer.from(storageKey));
      return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },
    fromStorage(value, storageKey) {
      if (value.length < gcmNonceBytes + gcmTagBytes) throw new Error(tooShort);
      const decipher = createDecipheriv(algorithm, key, value.subarray(0, gcmNonceBytes), {
        authTagLength: gcmTagBytes,
      });
      decipher.setAAD(Buffer.from(storageKey));
      decipher.setAuthTag(value.subarray(value.length - gcmTagBytes));
      try {
        const encrypted = value.subarray(gcmNonceBytes, value.length - gcmTagBytes);
        return { value: Buffer.concat([decipher.update(encrypted), decipher.final()]), stale: false };
      } catch (cause) {
        throw new Error("cipher: message authentication failed", { cause });
      }
    },
  };
}

/**
 * AES-GCM with a separate key for each value, which HKDF-SHA256 derives from a seed and random bytes: `info[32] nonce[12] ciphertext
 * tag[16]`. There is no limit to how many values one seed may encrypt. Source: apiserver
 * `pkg/storage/value/encrypt/aes/aes_extended_nonce.go`.
 */
export function createExtendedNonceGcm(seed: Uint8Array): ValueTransformer {
  if (seed.length < infoBytes) throw new Error(`invalid seed length ${seed.length} used for key generation`);
  // One block of HKDF's second step (RFC 5869 §2.3): the seed is random already.
  const keyOf = (info: Uint8Array): Buffer => createHmac("sha256", seed).update(info).update("\x01").digest();
  return {
    toStorage(value, storageKey) {
      const info = randomBytes(infoBytes);
      const nonce = randomBytes(gcmNonceBytes);
      const cipher = createCipheriv("aes-256-gcm", keyOf(info), nonce);
      cipher.setAAD(Buffer.from(storageKey));
      return Buffer.concat([info, nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },
    fromStorage(value, storageKey) {
      if (value.length < infoBytes) throw new Error(tooShort);
      return createAesGcm(keyOf(value.subarray(0, infoBytes))).fromStorage(
        value.subarray(infoBytes),
        storageKey,
      );
    },
  };
}

/** XSalsa20 and Poly1305 as NaCl's secretbox: `nonce[24] tag[16] ciphertext`. Keys of 32 bytes. */
export async function createSecretBox(key: Uint8Array): Promise<ValueTransformer> {
  // Loaded here, because few configurations have it.
  const { xsalsa20poly1305 } = await import("@noble/ciphers/salsa.js");
  return {
    toStorage(value) {
      const nonce = randomBytes(secretBoxNonceBytes);
      return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(value)]);
    },
    fromStorage(value) {
      if (value.length < secretBoxNonceBytes + secretBoxTagBytes) throw new Error(tooShort);
      const box = xsalsa20poly1305(key, value.subarray(0, secretBoxNonceBytes));
      try {
        return { value: box.decrypt(value.subarray(secretBoxNonceBytes)), stale: false };
      } catch (cause) {
        throw new Error("the stored data was not encrypted with this key", { cause });
      }
    },
  };
}
