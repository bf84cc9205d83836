import {
  createPrivateKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ClientKeys } from "../settings/client-keys.js";
import type { Authority } from "./certificate.js";
import { writeFileAtomically } from "./write-file.js";

/** A certificate, possibly with its chain, and its key, as files and as content. */
export interface PkiPair {
  readonly certFile: string;
  readonly keyFile: string;
  readonly certPem: string;
  readonly keyPem: string;
}

export interface FoundPair extends Authority {
  readonly pair: PkiPair;
}

/** Undefined when a file is missing, or the two do not match. */
export function readPair(directory: string, name: string): FoundPair | undefined {
  const certificate = readCertificate(join(directory, `${name}.crt`));
  const privateKey = readKey(join(directory, `${name}.key`));
  if (certificate === undefined || privateKey === undefined) return undefined;
  return certificate.checkPrivateKey(privateKey)
    ? foundPair(directory, name, certificate, privateKey)
    : undefined;
}

/** The pair of `certificate` and `privateKey`, which were read from the files of this name. */
export function foundPair(
  directory: string,
  name: string,
  certificate: X509Certificate,
  privateKey: KeyObject,
): FoundPair {
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  // The whole file: further certificates of the chain may follow the first.
  const certPem = readText(certFile) ?? "";
  return { certificate, privateKey, pair: { certFile, keyFile, certPem, keyPem: exportKey(privateKey) } };
}

/**
 * Writes the certificate first: a crash in between leaves a certificate without a key, which the next start replaces. Leaves an
 * existing key alone.
 */
export function writePair(directory: string, name: string, certPem: string, privateKey: KeyObject): PkiPair {
  const pair = {
    certFile: join(directory, `${name}.crt`),
    keyFile: join(directory, `${name}.key`),
    certPem,
    keyPem: exportKey(privateKey),
  };
  writeFileAtomically(pair.certFile, pair.certPem, 0o644);
  if (readText(pair.keyFile) !== pair.keyPem) writeFileAtomically(pair.keyFile, pair.keyPem, 0o600);
  return pair;
}

export function missingHalf(missing: string, present: string): Error {
  return new Error(
    `${missing} is missing beside ${present}: restore it, or remove both to have a new pair made`,
  );
}

export function mismatch(keyFile: string, certFile: string): Error {
  return new Error(
    `${keyFile} is not the key of ${certFile}: restore the pair, or remove both to have a new one made`,
  );
}

/** P-256. */
export function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

export async function newClientKey(keys: ClientKeys = "rsa"): Promise<KeyObject> {
  if (keys === "ec") return newKey();
  return (await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })).privateKey;
}

/** RSA keys in PKCS #1, the form that most client libraries read; others in PKCS #8. */
export function exportKey(key: KeyObject): string {
  const type = key.asymmetricKeyType === "rsa" ? "pkcs1" : "pkcs8";
  return key.export({ type, format: "pem" }).toString();
}

/** Undefined when the file does not exist. Throws an `Error` that names a file with other content. */
export function readCertificate(path: string): X509Certificate | undefined {
  return readPem(path, "certificate", (text) => new X509Certificate(text));
}

/** Like `readCertificate`. */
export function readKey(path: string): KeyObject | undefined {
  return readPem(path, "private key", createPrivateKey);
}

function readPem<T>(path: string, what: string, parse: (text: string) => T): T | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${path} holds no ${what}: restore the file, or remove it to have a new one made`, {
      cause: error,
    });
  }
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
