import {
  createHash,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  type X509Certificate,
} from "node:crypto";
import { isIPv4 } from "node:net";
import * as der from "./der.js";

/**
 * Makes X.509 certificates with `node:crypto` alone. The certificate libraries for Node take 100 ms and more to load,
 * which is most of what a first start may take; what is needed here is one profile of RFC 5280.
 */

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[] | undefined;
}

export interface CertificateRequest {
  readonly subject: Subject;
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

/** A certificate signed by its own key (P-256). Returns PEM. */
export function createAuthority(
  request: Omit<CertificateRequest, "publicKey">,
  privateKey: KeyObject,
): string {
  const publicKey = createPublicKey(privateKey);
  return signCertificate({ ...request, publicKey }, nameOf(request.subject), publicKey, privateKey);
}

/** Returns PEM. */
export function issueCertificate(request: CertificateRequest, issuer: Authority): string {
  const name = subjectOf(issuer.certificate);
  return signCertificate(request, name, issuer.certificate.publicKey, issuer.privateKey);
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));

/** Key usage bits (RFC 5280 §4.2.1.3): 0 digitalSignature, 5 keyCertSign, 6 cRLSign. */
const leafUsage = der.bitString(Buffer.of(0b1000_0000), 7);
const authorityUsage = der.bitString(Buffer.of(0b1000_0110), 1);
const extendedUsage = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;

function signCertificate(
  request: CertificateRequest,
  issuerName: Uint8Array,
  issuerKey: KeyObject,
  signingKey: KeyObject,
): string {
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    issuerName,
    der.sequence(der.time(request.notBefore), der.time(request.notAfter)),
    nameOf(request.subject),
    request.publicKey.export({ type: "spki", format: "der" }),
    der.explicit(3, der.sequence(...extensionsOf(request, issuerKey))),
  );
  const signature = sign("sha256", body, { key: signingKey, dsaEncoding: "der" });
  return toPem("CERTIFICATE", der.sequence(body, ecdsaWithSha256, der.bitString(signature)));
}

function extensionsOf(request: CertificateRequest, issuerKey: KeyObject): Buffer[] {
  const isAuthority = request.usage === "authority";
  const extensions = [
    extension("2.5.29.15", true, isAuthority ? authorityUsage : leafUsage),
    extension("2.5.29.19", true, isAuthority ? der.sequence(der.boolean(true)) : der.sequence()),
    extension("2.5.29.35", false, der.sequence(der.implicit(0, keyIdentifier(issuerKey)))),
  ];
  if (request.usage === "authority") {
    extensions.push(extension("2.5.29.14", false, der.octetString(keyIdentifier(request.publicKey))));
  } else {
    const usage = der.objectIdentifier(extendedUsage[request.usage]);
    extensions.push(extension("2.5.29.37", false, der.sequence(usage)));
  }
  const names = request.names ?? [];
  if (names.length > 0) extensions.push(extension("2.5.29.17", false, der.sequence(...names.map(altName))));
  return extensions;
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  const flag = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(id), ...flag, der.octetString(value));
}

/** SHA-1 of the key's bits (RFC 5280 §4.2.1.2): an identifier, not a safeguard. */
function keyIdentifier(key: KeyObject): Buffer {
  const [, bits] = der.childrenOf(key.export({ type: "spki", format: "der" }));
  if (bits === undefined) throw new Error("a public key without bits");
  return createHash("sha1")
    .update(Buffer.from(bits).subarray(bits.length - 65))
    .digest();
}

function nameOf(subject: Subject): Buffer {
  const attribute = (id: string, text: string): Buffer =>
    der.set(der.sequence(der.objectIdentifier(id), der.utf8String(text)));
  const organizations = (subject.organizations ?? []).map((text) => attribute("2.5.4.10", text));
  return der.sequence(...organizations, attribute("2.5.4.3", subject.commonName));
}

/** The name exactly as the certificate has it: chains are matched byte by byte. */
function subjectOf(certificate: X509Certificate): Uint8Array {
  const [body] = der.childrenOf(certificate.raw);
  const subject = body === undefined ? undefined : der.childrenOf(body)[5];
  if (subject === undefined) throw new Error("a certificate without subject");
  return subject;
}

function altName(name: string): Buffer {
  const address = addressBytes(name);
  return address === undefined ? der.implicit(2, Buffer.from(name, "latin1")) : der.implicit(7, address);
}

/** 4 or 16 bytes; undefined when `text` is no IP address. */
export function addressBytes(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split(".").map(Number));
  if (!text.includes(":") || !URL.canParse(`http://[${text}]`)) return undefined;
  // The URL parser turns every spelling into hexadecimal groups with at most one gap.
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const gap = new Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...gap, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

function toPem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
