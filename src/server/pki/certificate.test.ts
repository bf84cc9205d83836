import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { addressBytes, createAuthority, issueCertificate } from "./certificate.js";

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

test("an authority is self-signed and may sign certificates", () => {
  const { certificate, privateKey } = authority();
  expect(certificate.ca).toBe(true);
  expect(certificate.verify(createPublicKey(privateKey))).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(Date.parse(certificate.validFrom)).toBe(now);
  expect(Date.parse(certificate.validTo)).toBe(now + 10 * dayMs);
});

test("a server certificate names hosts and addresses and belongs to its authority", () => {
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

test("a client certificate carries its organizations in order", () => {
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

test("serial numbers differ", () => {
  expect(authority().certificate.serialNumber).not.toBe(authority().certificate.serialNumber);
});

test.each([
  ["1.2.3.4", "01020304"],
  ["::", "0".repeat(32)],
  ["::1", `${"0".repeat(31)}1`],
  ["fe80::1:2", "fe800000000000000000000000010002"],
  ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
  ["::ffff:1.2.3.4", "00000000000000000000ffff01020304"],
])("address %s", (text, hex) => {
  expect(addressBytes(text)?.toString("hex")).toBe(hex);
});

test.each(["example", "1.2.3", "1.2.3.4.5", "fe80::1::2", ":"])("%s is no address", (text) => {
  expect(addressBytes(text)).toBeUndefined();
});
