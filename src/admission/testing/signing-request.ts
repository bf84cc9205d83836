import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { Name, Pkcs10CertificateRequestGenerator } from "@peculiar/x509";

/** A PEM certificate request for organizations, in base64. */
export async function testSigningRequest(
  organizations: readonly string[],
  commonName = "user",
): Promise<string> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const request = await Pkcs10CertificateRequestGenerator.create(
    {
      name: new Name([
        { CN: [commonName] },
        ...organizations.map((organization) => ({ O: [organization] })),
      ]).toString(),
      keys: keys as never, // the library's types are those of browsers
      signingAlgorithm: algorithm,
    },
    webcrypto as never,
  );
  return Buffer.from(request.toString("pem")).toString("base64");
}
