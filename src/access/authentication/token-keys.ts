import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";

export type TokenAlgorithm = "RS256" | "ES256" | "ES384" | "ES512";

/** A key that verifies tokens. */
export interface TokenKey {
  /** Base64url of the SHA-256 of the public key in DER, as Kubernetes names keys. */
  readonly keyId: string;
  readonly algorithm: TokenAlgorithm;
  readonly publicKey: KeyObject;
}

/** The keys that verify tokens. Those of an external signer change. */
export interface TokenKeys {
  /** The same array until they change. */
  readonly all: readonly TokenKey[];
  /** Keys that are published to relying parties; the same array until they change. */
  readonly published: readonly TokenKey[];
  /** For how many seconds relying parties may cache them. */
  readonly freshSeconds: number;
  /** Keys that may have signed a token whose header has this key ID; undefined when it has none. */
  forToken(keyId: string | undefined): readonly TokenKey[] | Promise<readonly TokenKey[]>;
}

/** Keys from files. Before 1.31, tokens may have key IDs of another form. */
export function fixedTokenKeys(keys: readonly TokenKey[], level: ApiLevel): TokenKeys {
  const goByName = isAtLeast(level, "1.31");
  const forToken = (keyId = "") =>
    goByName && keyId !== "" ? keys.filter((key) => key.keyId === keyId) : keys;
  return { all: keys, published: keys, freshSeconds: 3600, forToken };
}

/** A key that can also sign tokens. */
export interface TokenSigningKey extends TokenKey {
  readonly privateKey: KeyObject;
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

/**
 * The RSA and ECDSA keys of a PEM file: public keys, certificates, or private keys, which verify their own signatures. Other blocks
 * (curve parameters) are skipped. Throws an `Error` when there is no key.
 */
export function parseVerifyingKeys(pem: string, source: string): TokenKey[] {
  const keys: TokenKey[] = [];
  for (const [block, label] of pem.matchAll(pemBlock)) {
    const publicKey = publicKeyOf(block, label ?? "", source);
    if (publicKey !== undefined) keys.push(describeKey(publicKey, source));
  }
  if (keys.length === 0) throw new Error(`${source}: does not contain any valid RSA or ECDSA public keys`);
  return keys;
}

/** Throws an `Error` when the file holds no RSA or ECDSA private key. */
export function parseSigningKey(pem: string, source: string): TokenSigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch (error) {
    throw new Error(`${source}: does not contain a valid private key`, { cause: error });
  }
  return { ...describeKey(createPublicKey(privateKey), source), privateKey };
}

function publicKeyOf(block: string, label: string, source: string): KeyObject | undefined {
  try {
    if (label === "CERTIFICATE") return new X509Certificate(block).publicKey;
    if (label.endsWith("PUBLIC KEY")) return createPublicKey(block);
    if (label.endsWith("PRIVATE KEY")) return createPublicKey(createPrivateKey(block));
    return undefined;
  } catch (error) {
    throw new Error(`${source}: ${label} cannot be read`, { cause: error });
  }
}

export function describeKey(publicKey: KeyObject, source: string): TokenKey {
  const der = publicKey.export({ type: "spki", format: "der" });
  return {
    keyId: createHash("sha256").update(der).digest("base64url"),
    algorithm: algorithmOf(publicKey, source),
    publicKey,
  };
}

function algorithmOf(key: KeyObject, source: string): TokenAlgorithm {
  if (key.asymmetricKeyType === "rsa") return "RS256";
  if (key.asymmetricKeyType === "ec") {
    switch (key.asymmetricKeyDetails?.namedCurve) {
      case "prime256v1":
        return "ES256";
      case "secp384r1":
        return "ES384";
      case "secp521r1":
        return "ES512";
      default:
    }
  }
  throw new Error(`${source}: only RSA keys and ECDSA keys on P-256, P-384 and P-521 can be used for tokens`);
}
