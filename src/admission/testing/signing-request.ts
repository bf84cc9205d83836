import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { Name, Pkcs10CertificateRequestGenerator } from "@peculiar/x509";

/** A certificate request of a new key: PEM in base64, as in a CertificateSigningRequest. */
export async function testSigningRequest({
  commonName = "user",
  organizations = [],
}: {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
} = {}): Promise<string> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const subject = [{ CN: [commonName] }, ...organizations.map((organization) => ({ O: [organization] }))];
  const request = await Pkcs10CertificateRequestGenerator.create(
    {
      name: new Name(subject).toString(),
      keys: keys as never, // the library's types are those of browsers
      signingAlgorithm: algorithm,
    },
    webcrypto as never,
  );
  return Buffer.from(`${request.toString("pem")}\n`).toString("base64");
}
