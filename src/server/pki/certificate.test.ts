import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  webcrypto,
  X509Certificate,
} from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { expect, test } from "vitest";
import { createAuthority, issueCertificate } from "./certificate.js";

const now = Date.UTC(2026, 0, 15, 12);
const dayMs = 86_400_000;

function authority() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = createAuthority(
    { subject: { commonName: "ca" }, notBefore: now, notAfter: now + 10 * dayMs, usage: "authority" },
    privateKey,
  );
  return { certificate: new X509Certificate(pem), privateKey };
}

test("an authority is self-signed and may sign certificates", async () => {
  const { certificate, privateKey } = authority();
  expect(certificate.ca).toBe(true);
  expect(certificate.verify(createPublicKey(privateKey))).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(Date.parse(certificate.validFrom)).toBe(now);
  expect(Date.parse(certificate.validTo)).toBe(now + 10 * dayMs);
});

test("a server certificate names hosts and addresses and belongs to its authority", async () => {
  const issuer = authority();
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = issueCertificate(
    {
      subject: { commonName: "server" },
      publicKey,
      notBefore: now,
      notAfter: now + dayMs,
      usage: "server",
      names: ["a.example", "*.b.example", "10.0.0.1", "::1", "fd00::12:3"],
    },
    issuer,
  );
  const certificate = new X509Certificate(pem);
  expect(certificate.checkIssued(issuer.certificate)).toBe(true);
  expect(certificate.verify(issuer.certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(privateKey)).toBe(true);
  expect(certificate.ca).toBe(false);
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(certificate.checkHost("a.example")).toBe("a.example");
  expect(certificate.checkHost("x.b.example")).toBe("*.b.example");
  expect(certificate.checkHost("c.example")).toBeUndefined();
  for (const address of ["10.0.0.1", "::1", "fd00::12:3"]) expect(certificate.checkIP(address)).toBe(address);
  expect(certificate.checkIP("10.0.0.2")).toBeUndefined();
});

test("a client certificate carries its organizations in order", async () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = { commonName: "admin", organizations: ["system:masters", "ünï,=+x"] };
  const request = { subject, publicKey, notBefore: now, notAfter: now + dayMs, usage: "client" } as const;
  const certificate = new X509Certificate(issueCertificate(request, authority()));
  expect(certificate.toLegacyObject().subject).toMatchObject({
    CN: "admin",
    O: ["system:masters", "ünï,=+x"],
  });
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
});

test("serial numbers differ", async () => {
  const [first, second] = [authority(), authority()];
  expect(first.certificate.serialNumber).not.toBe(second.certificate.serialNumber);
});

test("another reader finds the same content", () => {
  const issuer = authority();
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = { commonName: "x".repeat(200), organizations: ["one", "two"] };
  const notAfter = Date.UTC(2051, 6, 1, 12, 30, 15);
  const names = Array.from({ length: 20 }, (_, i) => `host-${i}.example`);
  const read = new x509.X509Certificate(
    issueCertificate({ subject, publicKey, notBefore: now, notAfter, usage: "server", names }, issuer),
  );
  expect(read.subject).toBe(`O=one, O=two, CN=${subject.commonName}`);
  expect(read.issuer).toBe("CN=ca");
  expect(read.notBefore.getTime()).toBe(now);
  expect(read.notAfter.getTime()).toBe(notAfter);
  expect(read.getExtension(x509.SubjectAlternativeNameExtension)?.names.toJSON()).toEqual(
    names.map((value) => ({ type: "dns", value })),
  );
  const usages = read.getExtension(x509.KeyUsagesExtension);
  expect(usages).toMatchObject({ critical: true, usages: x509.KeyUsageFlags.digitalSignature });
  expect(read.getExtension(x509.BasicConstraintsExtension)).toMatchObject({ critical: true, ca: false });
  const own = new x509.X509Certificate(issuer.certificate.raw);
  expect(own.getExtension(x509.KeyUsagesExtension)?.usages).toBe(
    x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
  );
  expect(read.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId).toBe(
    own.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId,
  );
});

test("an authority that others have made signs with its RSA key, under its own key identifier", async () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const importKey = (format: "pkcs8" | "spki", key: KeyObject, use: "sign" | "verify") =>
    webcrypto.subtle.importKey(format, key.export({ type: format, format: "der" }), algorithm, true, [use]);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=theirs, O=others",
    notBefore: new Date(now),
    notAfter: new Date(now + dayMs),
    signingAlgorithm: algorithm,
    keys: {
      privateKey: await importKey("pkcs8", pair.privateKey, "sign"),
      publicKey: await importKey("spki", pair.publicKey, "verify"),
    },
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.SubjectKeyIdentifierExtension("0102030405"),
    ],
  });
  const issuer = {
    certificate: new X509Certificate(Buffer.from(made.rawData)),
    privateKey: pair.privateKey,
  };
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const request = {
    subject: { commonName: "one" },
    publicKey,
    notBefore: now,
    notAfter: now + dayMs,
  } as const;
  const issued = new X509Certificate(issueCertificate({ ...request, usage: "client" }, issuer));
  expect(issued.checkIssued(issuer.certificate)).toBe(true);
  expect(issued.verify(pair.publicKey)).toBe(true);
});
