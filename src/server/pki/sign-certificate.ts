import { createHash, type KeyObject, randomBytes, sign, type X509Certificate } from "node:crypto";
import { derElements, derObjectId, derSequence } from "../../apimachinery/values/der.js";
import {
  bitString,
  derNull,
  derTrue,
  explicit,
  implicit,
  integer,
  namedBits,
  objectId,
  octetString,
  sequence,
  time,
} from "./der-writer.js";

/** Certificates of version 3 (RFC 5280), in the order in which they are encoded. */

/** The content of a certificate, apart from what says who signed it. Names, keys and extensions are DER. */
export interface CertificateContent {
  readonly subject: Uint8Array;
  /** Milliseconds since the epoch; seconds count. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
}

export interface Signer {
  /** DER, as in the signer's own certificate: chains are matched by it. */
  readonly name: Uint8Array;
  readonly keyIdentifier: Uint8Array;
  readonly privateKey: KeyObject;
}

/** An authority's certificate and key. */
export interface Authority {
  readonly certificate: X509Certificate;
  /** An RSA key or one of an elliptic curve. */
  readonly privateKey: KeyObject;
}

/** Bits of the key usage extension (RFC 5280, 4.2.1.3). */
export const keyUsage = {
  digitalSignature: 0x80,
  nonRepudiation: 0x40,
  keyEncipherment: 0x20,
  dataEncipherment: 0x10,
  keyAgreement: 0x08,
  keyCertSign: 0x04,
  cRLSign: 0x02,
} as const;

/** Purposes of extended key usage (RFC 5280, 4.2.1.12). */
export const extendedKeyUsage = {
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  emailProtection: "1.3.6.1.5.5.7.3.4",
} as const;

const subjectKeyIdentifierId = "2.5.29.14";
export const alternativeNamesId = "2.5.29.17";

const version3 = explicit(0, integer(Buffer.from([2])));
const serialBytes = 16;
const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));
const rsaWithSha256 = sequence(objectId("1.2.840.113549.1.1.11"), derNull);
const subjectTag = 0x30;
const extensionsTag = 0xa3;

/** PEM. */
export function signCertificate(content: CertificateContent, signer: Signer): string {
  const algorithm = signer.privateKey.asymmetricKeyType === "rsa" ? rsaWithSha256 : ecdsaWithSha256;
  const serial = randomBytes(serialBytes);
  // Positive, and no longer than it must be.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const toBeSigned = sequence(
    version3,
    integer(serial),
    algorithm,
    signer.name,
    sequence(time(content.notBefore), time(content.notAfter)),
    content.subject,
    content.publicKey,
    explicit(3, sequence(...content.extensions, authorityKeyIdentifier(signer.keyIdentifier))),
  );
  const signature = sign("sha256", toBeSigned, signer.privateKey);
  return pemOf(sequence(toBeSigned, algorithm, bitString(signature)));
}

export function signerOf({ certificate, privateKey }: Authority): Signer {
  const [toBeSigned] = derSequence(derElements(certificate.raw)[0]);
  // The version, which comes before the serial number, is left out in version 1.
  const fields = derSequence(toBeSigned);
  const name = fields.filter(({ tag }) => tag === subjectTag)[3];
  if (name === undefined) throw new Error("DER: the certificate has no subject");
  const extensions = derElements(
    fields.find(({ tag }) => tag === extensionsTag)?.content ?? new Uint8Array(),
  );
  const identifier = derSequence(extensions[0] ?? emptySequence)
    .map(derSequence)
    .find(([id]) => id !== undefined && derObjectId(id.content) === subjectKeyIdentifierId)
    ?.at(-1);
  const [own] = identifier === undefined ? [] : derElements(identifier.content);
  return {
    name: name.bytes,
    keyIdentifier: own?.content ?? keyIdentifier(spkiOf(certificate.publicKey)),
    privateKey,
  };
}

const [emptySequence] = derElements(sequence());

/** The SHA-1 hash of the key itself (RFC 5280, 4.2.1.2). */
export function keyIdentifier(spki: Uint8Array): Uint8Array {
  const key = derSequence(derElements(spki)[0])[1]?.content ?? new Uint8Array();
  // The first octet of a bit string counts its unused bits.
  return createHash("sha1").update(key.subarray(1)).digest();
}

export function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

export function keyUsageExtension(flags: number): Buffer {
  return sequence(objectId("2.5.29.15"), derTrue, octetString(namedBits(flags)));
}

export function basicConstraints(isAuthority: boolean): Buffer {
  const value = isAuthority ? sequence(derTrue) : sequence();
  return sequence(objectId("2.5.29.19"), derTrue, octetString(value));
}

export function extendedKeyUsageExtension(purposes: readonly string[]): Buffer {
  return sequence(objectId("2.5.29.37"), octetString(sequence(...purposes.map(objectId))));
}

export function subjectKeyIdentifier(identifier: Uint8Array): Buffer {
  return sequence(objectId(subjectKeyIdentifierId), octetString(octetString(identifier)));
}

function authorityKeyIdentifier(identifier: Uint8Array): Buffer {
  return sequence(objectId("2.5.29.35"), octetString(sequence(implicit(0, identifier))));
}

function pemOf(der: Buffer): string {
  const lines = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
