import { generateKeyPairSync, webcrypto, X509Certificate } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { expect, test } from "vitest";
import { createAuthority } from "./certificate.js";
import { signRequestedCertificate } from "./sign-request.js";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const now = Date.UTC(2026, 0, 15, 12);
const dayMs = 86_400_000;
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const certificate = new X509Certificate(
  createAuthority(
    { subject: { commonName: "ca" }, notBefore: now, notAfter: now + 10 * dayMs, usage: "authority" },
    privateKey,
  ),
);
const authority = { certificate, privateKey };

async function askFor(names: x509.JsonGeneralNames): Promise<x509.Pkcs10CertificateRequest> {
  return await x509.Pkcs10CertificateRequestGenerator.create({
    name: "O=system:nodes, CN=system:node:one",
    keys: await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]),
    signingAlgorithm: algorithm,
    extensions:
      names.length === 0
        ? []
        : [
            new x509.BasicConstraintsExtension(true, 3, true),
            new x509.SubjectAlternativeNameExtension(names),
          ],
  });
}

function sign(request: string, usages: readonly string[], days: number): X509Certificate {
  const [notBefore, notAfter] = [new Date(now), new Date(now + days * dayMs)];
  return new X509Certificate(signRequestedCertificate({ request, usages, notBefore, notAfter }, authority));
}

test("a request gets its subject, key and names, with the usages that were approved", async () => {
  const asked = await askFor([
    { type: "dns", value: "one.example" },
    { type: "ip", value: "10.0.0.1" },
  ]);
  const signed = sign(asked.toString("pem"), ["digital signature", "key encipherment", "server auth"], 1);
  expect(signed.checkIssued(certificate)).toBe(true);
  expect(signed.verify(certificate.publicKey)).toBe(true);
  expect(signed.subject).toBe("O=system:nodes\nCN=system:node:one");
  expect(signed.subjectAltName).toBe("DNS:one.example, IP Address:10.0.0.1");
  expect(signed.ca).toBe(false);
  expect(signed.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(signed.publicKey.export({ type: "spki", format: "der" })).toEqual(
    Buffer.from(asked.publicKey.rawData),
  );
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  const read = new x509.X509Certificate(signed.raw);
  expect(read.getExtension(x509.KeyUsagesExtension)?.usages).toBe(digitalSignature | keyEncipherment);
});

test("a certificate does not outlive its authority, and has no names that nobody asked for", async () => {
  const signed = sign((await askFor([])).toString("pem"), ["client auth"], 100);
  expect(Date.parse(signed.validTo)).toBe(now + 10 * dayMs);
  expect(signed.subjectAltName).toBeUndefined();
});

test("a request that another key has signed is refused", async () => {
  const bytes = Buffer.from((await askFor([])).rawData);
  const at = bytes.indexOf("system:node:one");
  bytes.write("system:node:two", at);
  const pem = x509.PemConverter.encode(bytes, "CERTIFICATE REQUEST");
  expect(() => sign(pem, ["client auth"], 1)).toThrow("the signature of the request is not valid");
});
