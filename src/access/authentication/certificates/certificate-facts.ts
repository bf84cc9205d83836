import type { X509Certificate } from "node:crypto";
import { type DerElement, derElements, derObjectId } from "../../../apimachinery/values/der.js";

/**
 * The facts about one certificate that chain verification needs. Node.js reports most of them; version, path length and critical extensions
 * are parsed here, because loading the X.509 library would delay a request too much.
 */
export interface CertificateFacts {
  readonly certificate: X509Certificate;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly subject: string;
  readonly issuer: string;
  /** May sign certificates, as an intermediate authority. */
  readonly isAuthority: boolean;
  /** A certificate of version 1 cannot say whether it may sign. */
  readonly isVersion1: boolean;
  /** How many intermediate authorities may follow below this one; undefined for any number. */
  readonly pathLength: number | undefined;
  /** Object identifiers; undefined allows any use. */
  readonly extendedUsages: readonly string[] | undefined;
  readonly hasNameConstraints: boolean;
  readonly hasAlternativeNames: boolean;
  /** Signed with an algorithm whose signatures can be forged. */
  readonly isWeaklySigned: boolean;
  /** An unknown critical extension, if any. */
  readonly unhandledExtension: string | undefined;
}

const basicConstraints = "2.5.29.19";
const alternativeNames = "2.5.29.17";
const nameConstraints = "2.5.29.30";
/**
 * Extensions that may be critical, as in Go's `crypto/x509`: key usage, key identifiers, names, constraints, policies, extended usage.
 */
const understood: ReadonlySet<string> = new Set([
  "2.5.29.14",
  "2.5.29.15",
  alternativeNames,
  basicConstraints,
  nameConstraints,
  "2.5.29.31",
  "2.5.29.32",
  "2.5.29.35",
  "2.5.29.37",
]);

/** Algorithms whose signatures can be forged: MD2, MD4, MD5 and SHA-1 with RSA, DSA or ECDSA. */
const brokenSignatures: ReadonlySet<string> = new Set([
  "1.2.840.113549.1.1.2",
  "1.2.840.113549.1.1.3",
  "1.2.840.113549.1.1.4",
  "1.2.840.113549.1.1.5",
  "1.2.840.10040.4.3",
  "1.2.840.10045.4.1",
]);

const versionTag = 0xa0;
const extensionsTag = 0xa3;
const integerTag = 0x02;
const booleanTag = 0x01;

export function factsOf(certificate: X509Certificate): CertificateFacts {
  const { version, signature, extensions } = contentsOf(certificate.raw);
  const ids = new Set(extensions.map(({ id }) => id));
  const unknown = extensions.find(({ id, critical }) => critical && !understood.has(id));
  return {
    certificate,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    subject: certificate.subject,
    issuer: certificate.issuer,
    isAuthority: certificate.ca,
    isVersion1: version === 1,
    pathLength: pathLengthOf(extensions.find(({ id }) => id === basicConstraints)?.value),
    extendedUsages: certificate.keyUsage,
    hasNameConstraints: ids.has(nameConstraints),
    hasAlternativeNames: ids.has(alternativeNames),
    isWeaklySigned: brokenSignatures.has(signature),
    unhandledExtension: unknown?.id,
  };
}

interface Extension {
  readonly id: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

/** RFC 5280 §4.1. Throws an `Error` for a malformed certificate. */
function contentsOf(raw: Uint8Array) {
  const certificate = only(derElements(raw));
  const [tbs, algorithm] = derElements(certificate.content);
  if (tbs === undefined || algorithm === undefined) throw new Error("DER: not a certificate");
  const fields = derElements(tbs.content);
  const version = fields.find(({ tag }) => tag === versionTag);
  const list = fields.find(({ tag }) => tag === extensionsTag);
  const [signature] = derElements(algorithm.content);
  return {
    version: version === undefined ? 1 : (only(derElements(version.content)).content.at(-1) ?? 0) + 1,
    signature: signature === undefined ? "" : derObjectId(signature.content),
    extensions: list === undefined ? [] : derElements(only(derElements(list.content)).content).map(extension),
  };
}

function extension({ content }: DerElement): Extension {
  const [id, ...rest] = derElements(content);
  const value = rest.at(-1);
  if (id === undefined || value === undefined) throw new Error("DER: not an extension");
  const critical = rest.some(({ tag, content: [flag] }) => tag === booleanTag && flag !== 0);
  return { id: derObjectId(id.content), critical, value: value.content };
}

function pathLengthOf(constraints: Uint8Array | undefined): number | undefined {
  if (constraints === undefined) return undefined;
  const length = derElements(only(derElements(constraints)).content).find(({ tag }) => tag === integerTag);
  return length?.content.reduce((value, byte) => value * 256 + byte, 0);
}

function only(elements: readonly DerElement[]): DerElement {
  const [first] = elements;
  if (first === undefined) throw new Error("DER: empty");
  return first;
}
