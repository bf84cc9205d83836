// The library registers its parts through metadata that this module adds to classes: import it first.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { type Authority, importPublicKey, issuerName, sign } from "./certificate.js";

export interface RequestedCertificate {
  /** PEM of the request (PKCS #10). */
  readonly request: string;
  /** As in a CertificateSigningRequest: `digital signature`, `client auth`. */
  readonly usages: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const keyUsages: Readonly<Record<string, x509.KeyUsageFlags>> = {
  "digital signature": x509.KeyUsageFlags.digitalSignature,
  signing: x509.KeyUsageFlags.digitalSignature,
  "content commitment": x509.KeyUsageFlags.nonRepudiation,
  "key encipherment": x509.KeyUsageFlags.keyEncipherment,
  "key agreement": x509.KeyUsageFlags.keyAgreement,
  "data encipherment": x509.KeyUsageFlags.dataEncipherment,
};
const extendedUsages: Readonly<Record<string, string>> = {
  "client auth": x509.ExtendedKeyUsage.clientAuth,
  "server auth": x509.ExtendedKeyUsage.serverAuth,
  "code signing": x509.ExtendedKeyUsage.codeSigning,
  "email protection": x509.ExtendedKeyUsage.emailProtection,
};

/** Signs a client's request: its subject, names and key. Resolves with PEM; rejects for a request that its key has not signed. */
export async function signRequestedCertificate(
  { request, usages, notBefore, notAfter }: RequestedCertificate,
  authority: Authority,
): Promise<string> {
  const asked = new x509.Pkcs10CertificateRequest(request);
  if (!(await asked.verify())) throw new Error("the signature of the request is not valid");
  const flags = usages.reduce((sum, usage) => sum | (keyUsages[usage] ?? 0), 0);
  const extended = usages.flatMap((usage) => extendedUsages[usage] ?? []);
  const names = asked.extensions.filter(
    (extension) => extension instanceof x509.SubjectAlternativeNameExtension,
  );
  const { certificate, privateKey } = authority;
  const notAfterAuthority = new Date(certificate.validTo);
  const issuerKey = await importPublicKey(certificate.publicKey);
  return await sign(
    {
      issuer: issuerName(authority),
      subject: asked.subjectName.toJSON(),
      notBefore,
      notAfter: notAfter < notAfterAuthority ? notAfter : notAfterAuthority,
      publicKey: asked.publicKey,
      extensions: [
        new x509.KeyUsagesExtension(flags, true),
        ...(extended.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(extended)]),
        new x509.BasicConstraintsExtension(false, undefined, true),
        await x509.AuthorityKeyIdentifierExtension.create(issuerKey),
        ...names,
      ],
    },
    privateKey,
  );
}
