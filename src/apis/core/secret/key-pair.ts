import { Buffer } from "node:buffer";
import { createPrivateKey, type KeyObject, type KeyType, X509Certificate } from "node:crypto";
import { pemBlocks } from "../../checks/pem-blocks.js";

/** Types of keys that TLS uses here. */
const usableTypes: ReadonlySet<string | undefined> = new Set<KeyType>(["rsa", "ec", "ed25519"]);
/** Several times the size of the largest keys in use. */
const keyBytesMax = 64 * 1024;

/** Why a server could not use a certificate chain with a private key (both base64 of PEM), in the words of Kubernetes. */
export function keyPairProblem(certificates: string, privateKey: string): string | undefined {
  const problem = problemOf(textOf(certificates), textOf(privateKey));
  return problem === undefined ? undefined : problem.startsWith("x509: ") ? problem : `tls: ${problem}`;
}

function textOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}

function problemOf(certificates: string, privateKey: string): string | undefined {
  const blocks = pemBlocks(certificates);
  const first = blocks.find(({ type }) => type === "CERTIFICATE");
  if (first === undefined) return noCertificate(blocks.map(({ type }) => type));
  const keyBlocks = pemBlocks(privateKey);
  const keyBlock = keyBlocks.find(({ type }) => isKeyType(type));
  if (keyBlock === undefined) return noKey(keyBlocks.map(({ type }) => type));
  const certificate = readCertificate(first.bytes);
  if (certificate === undefined) return "x509: malformed certificate";
  const key = readKey(keyBlock.bytes);
  if (key === undefined) return "failed to parse private key";
  if (!usableTypes.has(key.asymmetricKeyType)) return "found unknown private key type in PKCS#8 wrapping";
  const { publicKey } = certificate;
  if (!usableTypes.has(publicKey.asymmetricKeyType)) return "unknown public key algorithm";
  if (publicKey.asymmetricKeyType !== key.asymmetricKeyType) {
    return "private key type does not match public key type";
  }
  return certificate.checkPrivateKey(key) ? undefined : "private key does not match public key";
}

function isKeyType(type: string): boolean {
  return type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY");
}

function noCertificate(types: readonly string[]): string {
  const [only = "", ...others] = types;
  if (types.length === 0) return "failed to find any PEM data in certificate input";
  if (others.length === 0 && only.endsWith("PRIVATE KEY")) {
    return "failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return "failed to find any PEM data in key input";
  if (types.length === 1 && types[0] === "CERTIFICATE") {
    return "found a certificate rather than a key in the PEM for the private key";
  }
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function readCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    // Reading the key throws if it is malformed; the constructor does not.
    return certificate.publicKey.type === "public" ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function readKey(der: Uint8Array): KeyObject | undefined {
  if (der.length > keyBytesMax) return undefined;
  const key = Buffer.from(der);
  for (const type of ["pkcs1", "pkcs8", "sec1"] as const) {
    try {
      return createPrivateKey({ key, format: "der", type });
    } catch {
      // Not of this type; the next one may fit.
    }
  }
  return undefined;
}
