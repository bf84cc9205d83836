import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { ValueTransformer } from "./value-transformer.js";

const tooShort = "the stored data was shorter than the required size";
const cbcBlockBytes = 16;
const gcmNonceBytes = 12;
const gcmTagBytes = 16;
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

/** AES-GCM: `nonce[12] ciphertext tag[16]`, the storage key authenticated with it. Keys of 16, 24 or 32 bytes. */
export function createAesGcm(key: Uint8Array): ValueTransformer {
  const algorithm = `aes-${key.length * 8}-gcm` as "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm"; // sizes are validated
  return {
    toStorage(value, storageKey) {
      const nonce = randomBytes(gcmNonceBytes);
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

/** XSalsa20 and Poly1305 as NaCl's secretbox: `nonce[24] tag[16] ciphertext`. Keys of 32 bytes. */
export async function createSecretBox(key: Uint8Array): Promise<ValueTransformer> {
  // Few configurations have it.
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
