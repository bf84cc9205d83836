import { createPublicKey, type KeyObject } from "node:crypto";
import { parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { implicit, objectId, octetString, sequence, set, utf8String } from "./der-writer.js";
import {
  type Authority,
  alternativeNamesId,
  basicConstraints,
  type CertificateContent,
  extendedKeyUsage,
  extendedKeyUsageExtension,
  keyIdentifier,
  keyUsage,
  keyUsageExtension,
  signCertificate,
  signerOf,
  spkiOf,
  subjectKeyIdentifier,
} from "./sign-certificate.js";

/** Certificates in the profile of RFC 5280 that a local authority needs. */

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

const commonNameId = objectId("2.5.4.3");
const organizationId = objectId("2.5.4.10");
/** Of a GeneralName (RFC 5280, 4.2.1.6). */
const dnsName = 2;
const ipAddress = 7;

/** A certificate signed by its own key, as PEM. */
export function createAuthority(
  request: Omit<CertificateRequest, "publicKey">,
  privateKey: KeyObject,
): string {
  const content = contentOf({ ...request, publicKey: createPublicKey(privateKey) });
  const signer = { name: content.subject, keyIdentifier: keyIdentifier(content.publicKey), privateKey };
  return signCertificate(content, signer);
}

/** PEM. */
export function issueCertificate(request: CertificateRequest, authority: Authority): string {
  return signCertificate(contentOf(request), signerOf(authority));
}

function contentOf(request: CertificateRequest): CertificateContent {
  const { notBefore, notAfter } = request;
  const publicKey = spkiOf(request.publicKey);
  return {
    subject: nameOf(request.subject),
    notBefore,
    notAfter,
    publicKey,
    extensions: extensionsOf(request, publicKey),
  };
}

function extensionsOf({ usage, names = [] }: CertificateRequest, publicKey: Uint8Array): Buffer[] {
  const { digitalSignature, keyCertSign, cRLSign } = keyUsage;
  const { serverAuth, clientAuth } = extendedKeyUsage;
  const extensions =
    usage === "authority"
      ? [
          keyUsageExtension(digitalSignature | keyCertSign | cRLSign),
          basicConstraints(true),
          subjectKeyIdentifier(keyIdentifier(publicKey)),
        ]
      : [
          keyUsageExtension(digitalSignature),
          basicConstraints(false),
          extendedKeyUsageExtension([usage === "server" ? serverAuth : clientAuth]),
        ];
  if (names.length === 0) return extensions;
  const alternatives = sequence(...names.map(alternativeName));
  return [...extensions, sequence(objectId(alternativeNamesId), octetString(alternatives))];
}

function alternativeName(name: string): Buffer {
  const address = parseIp(name);
  return address === undefined
    ? implicit(dnsName, Buffer.from(name, "latin1"))
    : implicit(ipAddress, address);
}

/** One part per attribute: organizations in their order, then the common name. */
function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const part = (id: Buffer, text: string) => set(sequence(id, utf8String(text)));
  return sequence(...organizations.map((name) => part(organizationId, name)), part(commonNameId, commonName));
}
