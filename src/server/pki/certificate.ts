import { createPublicKey, type KeyObject, webcrypto, type X509Certificate } from "node:crypto";
import { isIP } from "node:net";
// The library registers its parts through metadata that this module adds to classes: import it first.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

/**
 * Certificates signed with P-256 keys, in the profile of RFC 5280 that a local authority needs. The library takes 100 ms to load:
 * import this file only to make a certificate.
 */

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[] | undefined;
}

export interface CertificateRequest {
  readonly subject: Subject;
  /** A P-256 or RSA key. */
  readonly publicKey: KeyObject;
  /** Milliseconds since the epoch; seconds count. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly usage: "authority" | "server" | "client";
  /** Host names and IP addresses, mixed. */
  readonly names?: readonly string[] | undefined;
}

export interface Authority {
  readonly certificate: X509Certificate;
  /** A P-256 key. */
  readonly privateKey: KeyObject;
}

const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
const rsaAlgorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** A certificate signed by its own key (P-256). Resolves with PEM. */
export async function createAuthority(
  request: Omit<CertificateRequest, "publicKey">,
  privateKey: KeyObject,
): Promise<string> {
  const publicKey = createPublicKey(privateKey);
  return await certify({ ...request, publicKey }, nameOf(request.subject), { publicKey, privateKey });
}

/** Resolves with PEM. */
export async function issueCertificate(request: CertificateRequest, authority: Authority): Promise<string> {
  const { publicKey } = authority.certificate;
  return await certify(request, issuerName(authority), { publicKey, privateKey: authority.privateKey });
}

async function certify(
  { subject, notBefore, notAfter, ...request }: CertificateRequest,
  issuer: x509.JsonName,
  signer: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): Promise<string> {
  const publicKey = await importPublicKey(request.publicKey);
  return await sign(
    {
      issuer,
      subject: nameOf(subject),
      notBefore: new Date(notBefore),
      notAfter: new Date(notAfter),
      publicKey,
      extensions: await extensionsOf(request, publicKey, await importPublicKey(signer.publicKey)),
    },
    signer.privateKey,
  );
}

/** The exact name in the certificate: chains are matched by it. */
export function issuerName({ certificate }: Authority): x509.JsonName {
  return new x509.X509Certificate(certificate.raw).subjectName.toJSON();
}

/** Signs a certificate with a P-256 key. Resolves with PEM. */
export async function sign(
  content: Omit<x509.X509CertificateCreateWithKeyParams, "signingKey">,
  privateKey: KeyObject,
): Promise<string> {
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
  const certificate = await x509.X509CertificateGenerator.create({
    ...content,
    signingKey: await webcrypto.subtle.importKey("pkcs8", pkcs8, keyAlgorithm, false, ["sign"]),
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
  });
  return `${certificate.toString("pem")}\n`;
}

async function extensionsOf(
  { usage, names = [] }: Pick<CertificateRequest, "usage" | "names">,
  publicKey: webcrypto.CryptoKey,
  issuerKey: webcrypto.CryptoKey,
): Promise<x509.Extension[]> {
  const { KeyUsageFlags } = x509;
  const isAuthority = usage === "authority";
  const usages = isAuthority
    ? KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign
    : KeyUsageFlags.digitalSignature;
  const extensions: x509.Extension[] = [
    new x509.KeyUsagesExtension(usages, true),
    new x509.BasicConstraintsExtension(isAuthority, undefined, true),
    await x509.AuthorityKeyIdentifierExtension.create(issuerKey),
  ];
  if (isAuthority) {
    extensions.push(await x509.SubjectKeyIdentifierExtension.create(publicKey));
  } else {
    const extended = usage === "server" ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
    extensions.push(new x509.ExtendedKeyUsageExtension([extended]));
  }
  if (names.length > 0) {
    const typed = names.map((value) => ({
      type: isIP(value) === 0 ? ("dns" as const) : ("ip" as const),
      value,
    }));
    extensions.push(new x509.SubjectAlternativeNameExtension(typed));
  }
  return extensions;
}

export function importPublicKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const algorithm = key.asymmetricKeyType === "rsa" ? rsaAlgorithm : keyAlgorithm;
  return webcrypto.subtle.importKey("spki", key.export({ type: "spki", format: "der" }), algorithm, true, [
    "verify",
  ]);
}

/** One part per attribute: organizations in their order, then the common name. */
function nameOf(subject: Subject): x509.JsonName {
  return [
    ...(subject.organizations ?? []).map((organization) => ({ O: [organization] })),
    { CN: [subject.commonName] },
  ];
}
