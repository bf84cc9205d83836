import { beforeAll, expect, test } from "vitest";
import { TestAuthority } from "../../../test/support/test-authority.js";
import type { CertificateSigningRequest } from "../../apis/gen/certificates-v1.js";
import { issuedCertificateHooks } from "./issued-certificates.js";

let pem: string;
let seconds: number;

beforeAll(async () => {
  const { X509Certificate } = await import("node:crypto");
  pem = (await TestAuthority.create("signer")).caPem;
  const { validFrom, validTo } = new X509Certificate(pem);
  seconds = (Date.parse(validTo) - Date.parse(validFrom)) / 1000;
});

function observed(
  expirationSeconds: number | undefined,
  after: string | undefined,
  before?: string,
): string[] {
  const told: string[] = [];
  const request = (certificate: string | undefined): CertificateSigningRequest => ({
    metadata: { name: "r" },
    spec: { request: "", signerName: "example.com/s", expirationSeconds },
    status: { certificate: certificate && Buffer.from(certificate).toString("base64") },
  });
  const hooks = issuedCertificateHooks((signer, isHonored) => told.push(`${signer} ${isHonored}`));
  hooks.afterUpdate?.(request(after), request(before));
  return told;
}

test("an issued certificate is counted once, when the request names a duration", () => {
  expect(observed(seconds, pem)).toEqual(["example.com/s true"]);
  expect(observed(Math.floor(seconds * 1.04), pem)).toEqual(["example.com/s true"]);
  expect(observed(Math.floor(seconds * 1.2) + 600, pem)).toEqual(["example.com/s false"]);
  expect(observed(undefined, pem)).toEqual([]);
  expect(observed(seconds, undefined)).toEqual([]);
  expect(observed(seconds, pem, pem)).toEqual([]);
});

test("a certificate that cannot be read honors nothing", () => {
  expect(observed(seconds, "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n")).toEqual([
    "example.com/s false",
  ]);
});
