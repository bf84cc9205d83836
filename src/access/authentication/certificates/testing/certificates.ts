import { webcrypto, X509Certificate } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

/** A certificate with its key, to sign others with or to connect with. */
export interface Issued {
  readonly certificate: X509Certificate;
  readonly certPem: string;
  readonly keyPem: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly subject: string;
}

export interface Wanted {
  /** RFC 4514 text, such as `CN=jane, O=admins`. */
  readonly subject: string;
  /** Undefined makes it self-signed. */
  readonly issuer?: Issued | undefined;
  /** The issuer's name, to forge one. */
  readonly issuerName?: string | undefined;
  readonly authority?: boolean | undefined;
  readonly pathLength?: number | undefined;
  readonly usages?: readonly x509.ExtendedKeyUsageType[] | undefined;
  readonly notBefore?: Date | undefined;
  readonly notAfter?: Date | undefined;
  readonly hash?: "SHA-256" | "SHA-1" | undefined;
  /** Reuses an earlier key. */
  readonly keys?: webcrypto.CryptoKeyPair | undefined;
  readonly extensions?: readonly x509.Extension[] | undefined;
}

const hourMs = 3_600_000;
const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/** Makes certificates of every shape, including invalid ones, to test what is trusted. */
export async function issue(wanted: Wanted): Promise<Issued> {
  const keys = wanted.keys ?? (await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]));
  const { issuer } = wanted;
  const extensions = [
    ...(wanted.authority === undefined && wanted.pathLength === undefined
      ? []
      : [new x509.BasicConstraintsExtension(wanted.authority === true, wanted.pathLength, true)]),
    ...(wanted.usages === undefined ? [] : [new x509.ExtendedKeyUsageExtension([...wanted.usages])]),
    ...(wanted.extensions ?? []),
  ];
  const made = await x509.X509CertificateGenerator.create({
    subject: wanted.subject,
    issuer: wanted.issuerName ?? issuer?.subject ?? wanted.subject,
    notBefore: wanted.notBefore ?? new Date(Date.now() - hourMs),
    notAfter: wanted.notAfter ?? new Date(Date.now() + hourMs),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: { name: "ECDSA", hash: wanted.hash ?? "SHA-256" },
    extensions,
  });
  const der = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return {
    certificate: new X509Certificate(Buffer.from(made.rawData)),
    certPem: `${made.toString("pem")}\n`,
    keyPem: `-----BEGIN PRIVATE KEY-----\n${Buffer.from(der).toString("base64")}\n-----END PRIVATE KEY-----\n`,
    keys,
    subject: wanted.subject,
  };
}
