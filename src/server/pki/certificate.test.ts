import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { createAuthority, issueCertificate } from "./certificate.js";

const now = Date.UTC(2026, 0, 15, 12);
const dayMs = 86_400_000;

async function authority() {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = await createAuthority(
    { subject: { commonName: "ca" }, notBefore: now, notAfter: now + 10 * dayMs, usage: "authority" },
    privateKey,
  );
  return { certificate: new X509Certificate(pem), privateKey };
}

test("a CA is self-signed and may sign certificates", async () => {
  const { certificate, privateKey } = await authority();
  expect(certificate.ca).toBe(true);
  expect(certificate.verify(createPublicKey(privateKey))).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(Date.parse(certificate.validFrom)).toBe(now);
  expect(Date.parse(certificate.validTo)).toBe(now + 10 * dayMs);
});

test("a server certificate names hosts and addresses and is signed by its CA", async () => {
  const issuer = await authority();
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = await issueCertificate(
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
  const certificate = new X509Certificate(await issueCertificate(request, await authority()));
  expect(certificate.toLegacyObject().subject).toMatchObject({
    CN: "admin",
    O: ["system:masters", "ünï,=+x"],
  });
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
});

test("serial numbers differ", async () => {
  const [first, second] = await Promise.all([authority(), authority()]);
  expect(first.certificate.serialNumber).not.toBe(second.certificate.serialNumber);
});
