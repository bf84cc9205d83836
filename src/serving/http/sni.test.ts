import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { createAuthority } from "../../server/pki/certificate.js";
import { CertificateSelector, namesOfCertificate } from "./sni.js";

async function certificateFor(commonName: string, names: readonly string[]): Promise<string> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const notBefore = Date.UTC(2026, 0, 1);
  const subject = { commonName };
  return await createAuthority(
    { subject, notBefore, notAfter: notBefore + 1e9, usage: "authority", names },
    privateKey,
  );
}

test("names come from the alternative names, or else the common name", async () => {
  expect(namesOfCertificate(await certificateFor("cn", ["a.example", "10.0.0.1"]))).toEqual([
    "a.example",
    "10.0.0.1",
  ]);
  expect(namesOfCertificate(await certificateFor("cn.example", []))).toEqual(["cn.example"]);
});

const selector = new CertificateSelector([
  {
    value: "extracted",
    patterns: [],
    certPem: await certificateFor("x", ["exact.example.org", "*.shared.org", "10.0.0.9"]),
  },
  { value: "wild", patterns: ["*.example.org", "*.shared.org"], certPem: "" },
  { value: "explicit", patterns: ["Both.example.org", "192.0.2.1", "fd00::1"], certPem: "" },
  { value: "late", patterns: ["both.example.org"], certPem: "" },
]);

test.each<[string, string | undefined, string]>([
  ["exact.example.org", "extracted", "exact beats wildcard, even one that was given"],
  ["other.example.org", "wild", "a wildcard stands for one label"],
  ["a.b.example.org", undefined, "not for two"],
  ["x.shared.org", "wild", "given patterns beat names of the certificate"],
  ["both.example.org", "explicit", "the first of equals wins"],
  ["BOTH.EXAMPLE.ORG.", "explicit", "case and the last dot do not count"],
  ["example.org", undefined, "the domain itself is not covered"],
  ["192.0.2.1", "explicit", "addresses are names"],
  ["fd00:0:0::1", "explicit", "in any spelling"],
  ["localhost", undefined, "unknown names get the default"],
])("%s → %s (%s)", (name, expected) => {
  expect(selector.select(name)).toBe(expected);
});

test("addresses with a certificate of their own are listed", () => {
  expect(Object.fromEntries(selector.addresses)).toEqual({
    "192.0.2.1": "explicit",
    "fd00::1": "explicit",
    "10.0.0.9": "extracted",
  });
});
