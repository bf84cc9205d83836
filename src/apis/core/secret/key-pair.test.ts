import "reflect-metadata";
import { generateKeyPairSync, type KeyObject, type webcrypto } from "node:crypto";
import { X509CertificateGenerator } from "@peculiar/x509";
import { expect, test } from "vitest";
import { keyPairProblem } from "./key-pair.js";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const block = (type: string, body: string): string =>
  `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
const problem = (certificates: string, key: string): string | undefined =>
  keyPairProblem(base64(certificates), base64(key));

async function generated(
  algorithm: webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams,
): Promise<readonly [string, string]> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({ keys, signingAlgorithm: signing });
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return [`${certificate.toString("pem")}\n`, block("PRIVATE KEY", key)];
}

const signing = { name: "ECDSA", hash: "SHA-256" };
const [certificate, key] = await generated({ name: "ECDSA", namedCurve: "P-256" });
const [, otherKey] = await generated({ name: "ECDSA", namedCurve: "P-256" });
const [rsaCertificate, rsaKey] = await generated({
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
});
const pemOf = (privateKey: KeyObject, type: "pkcs8" | "sec1"): string =>
  privateKey.export({ format: "pem", type }).toString();

test("a key belongs to the first certificate", () => {
  expect(problem(certificate, key)).toBeUndefined();
  expect(problem(certificate + rsaCertificate, key)).toBeUndefined();
  expect(problem(block("X", "aGk=") + certificate, block("X", "aGk=") + key)).toBeUndefined();
  expect(problem(rsaCertificate, rsaKey)).toBeUndefined();
  expect(problem(certificate, otherKey)).toBe("tls: private key does not match public key");
  expect(problem(certificate, rsaKey)).toBe("tls: private key type does not match public key type");
  expect(problem(rsaCertificate + certificate, key)).toBe(
    "tls: private key type does not match public key type",
  );
});

test.each<[string, string, string]>([
  ["", "", "tls: failed to find any PEM data in certificate input"],
  ["x", key, "tls: failed to find any PEM data in certificate input"],
  [
    key,
    certificate,
    "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
  ],
  [
    block("A", "aGk=") + block("B", "aGk="),
    key,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
  ],
  [certificate, "", "tls: failed to find any PEM data in key input"],
  [certificate, certificate, "tls: found a certificate rather than a key in the PEM for the private key"],
  [
    certificate,
    block("A", "aGk="),
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A]',
  ],
  [block("CERTIFICATE", "aGk="), key, "x509: malformed certificate"],
  [certificate, block("PRIVATE KEY", "aGk="), "tls: failed to parse private key"],
  [
    certificate,
    pemOf(generateKeyPairSync("x25519").privateKey, "pkcs8"),
    "tls: found unknown private key type in PKCS#8 wrapping",
  ],
])("%j with %j", (certificates, privateKey, expected) => {
  expect(problem(certificates, privateKey)).toBe(expected);
});

test("keys of other forms are read", () => {
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  expect(problem(certificate, pemOf(ec, "sec1"))).toBe("tls: private key does not match public key");
  const ed25519 = generateKeyPairSync("ed25519").privateKey;
  expect(problem(certificate, pemOf(ed25519, "pkcs8"))).toBe(
    "tls: private key type does not match public key type",
  );
});
