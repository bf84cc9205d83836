import { type DerElement, derElements, derObjectId, derSequence } from "../../apimachinery/values/der.js";
import { pemBlocks } from "../../apis/certificates/certificate-signing-request/pem-block.js";
import { readRequest } from "../../apis/certificates/certificate-signing-request/request-signature.js";
import {
  type Authority,
  alternativeNamesId,
  basicConstraints,
  extendedKeyUsage,
  extendedKeyUsageExtension,
  keyUsage,
  keyUsageExtension,
  signCertificate,
  signerOf,
} from "./sign-certificate.js";

export interface RequestedCertificate {
  /** PEM of the request (PKCS #10). */
  readonly request: string;
  /** As in a CertificateSigningRequest: `digital signature`, `client auth`. */
  readonly usages: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const keyUsages: Readonly<Record<string, number>> = {
  "digital signature": keyUsage.digitalSignature,
  signing: keyUsage.digitalSignature,
  "content commitment": keyUsage.nonRepudiation,
  "key encipherment": keyUsage.keyEncipherment,
  "key agreement": keyUsage.keyAgreement,
  "data encipherment": keyUsage.dataEncipherment,
};
const extendedUsages: Readonly<Record<string, string>> = {
  "client auth": extendedKeyUsage.clientAuth,
  "server auth": extendedKeyUsage.serverAuth,
  "code signing": extendedKeyUsage.codeSigning,
  "email protection": extendedKeyUsage.emailProtection,
};

const attributesTag = 0xa0;
/** The attribute of a request that holds the extensions it asks for (RFC 2985, 5.4.2). */
const extensionRequest = "1.2.840.113549.1.9.14";

/** Signs what a client asks for: its subject, names and key. Returns PEM; throws for a request whose signature is not its key's. */
export function signRequestedCertificate(
  { request, usages, notBefore, notAfter }: RequestedCertificate,
  authority: Authority,
): string {
  const bytes = pemBlocks(request)[0]?.bytes ?? new Uint8Array();
  const problem = readRequest(bytes).signatureProblem();
  if (problem !== undefined) throw new Error(`the signature of the request is not valid: ${problem}`);
  const [info] = derSequence(derElements(bytes)[0]);
  const [, subject, publicKey, attributes] = derSequence(info);
  if (subject === undefined || publicKey === undefined)
    throw new Error("the request lacks its subject or key");
  const flags = usages.reduce((sum, usage) => sum | (keyUsages[usage] ?? 0), 0);
  const extended = usages.flatMap((usage) => extendedUsages[usage] ?? []);
  return signCertificate(
    {
      subject: subject.bytes,
      notBefore: notBefore.getTime(),
      notAfter: Math.min(notAfter.getTime(), Date.parse(authority.certificate.validTo)),
      publicKey: publicKey.bytes,
      extensions: [
        keyUsageExtension(flags),
        ...(extended.length === 0 ? [] : [extendedKeyUsageExtension(extended)]),
        basicConstraints(false),
        ...requestedNames(attributes),
      ],
    },
    signerOf(authority),
  );
}

/** The extensions with subject alternative names that a request asks for. */
function requestedNames(attributes: DerElement | undefined): Uint8Array[] {
  if (attributes?.tag !== attributesTag) return [];
  return derElements(attributes.content)
    .map(derSequence)
    .filter(([id]) => idOf(id) === extensionRequest)
    .flatMap(([, values]) => derElements(values?.content ?? new Uint8Array()))
    .flatMap(derSequence)
    .filter((extension) => idOf(derSequence(extension)[0]) === alternativeNamesId)
    .map(({ bytes }) => bytes);
}

function idOf(element: DerElement | undefined): string {
  return element === undefined ? "" : derObjectId(element.content);
}
