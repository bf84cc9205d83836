import { createSecureContext, getCiphers } from "node:tls";
import { expect, test } from "vitest";
import { insecureCipherSuiteNames, preferredCipherSuiteNames, toTlsSettings } from "./tls-settings.js";

const available = new Set(getCiphers());

test("the default starts at TLS 1.2 and holds every preferred suite", () => {
  const { ciphers, minVersion } = toTlsSettings(undefined);
  expect(minVersion).toBe("TLSv1.2");
  expect(ciphers.split(":").slice(0, 4)).toEqual([
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
  ]);
  for (const name of ciphers.split(":")) expect(available).toContain(name.toLowerCase());
  expect(() => createSecureContext({ ciphers, minVersion })).not.toThrow();
});

test.each(preferredCipherSuiteNames)("%s can be chosen alone, TLS 1.3 stays", (suite) => {
  const { ciphers } = toTlsSettings([suite]);
  const chosen = ciphers.split(":").filter((name) => !name.startsWith("TLS_"));
  expect(chosen).toHaveLength(
    suite.startsWith("TLS_AES") || suite === "TLS_CHACHA20_POLY1305_SHA256" ? 0 : 1,
  );
  expect(ciphers).toMatch(/^TLS_AES_128_GCM_SHA256:/);
});

test.each(insecureCipherSuiteNames)("%s is accepted or refused by name, never ignored", (suite) => {
  try {
    expect(
      toTlsSettings([suite])
        .ciphers.split(":")
        .filter((name) => !name.startsWith("TLS_")),
    ).toHaveLength(1);
  } catch (error) {
    expect(String(error)).toContain(`cipher suite ${suite} is not available`);
  }
});

test("an unknown suite is named", () => {
  expect(() => toTlsSettings(["TLS_NONE"])).toThrow("cipher suite TLS_NONE is not known");
});

test.each([
  ["VersionTLS10", "TLSv1", true],
  ["VersionTLS11", "TLSv1.1", true],
  ["VersionTLS12", "TLSv1.2", false],
  ["VersionTLS13", "TLSv1.3", false],
] as const)("%s", (name, version, lowered) => {
  const settings = toTlsSettings(undefined, name);
  expect(settings.minVersion).toBe(version);
  expect(settings.ciphers.includes("SECLEVEL=0")).toBe(lowered);
});

test("key exchanges are chosen by number, in an order of their own", () => {
  expect(toTlsSettings(undefined).groups).toBeUndefined();
  expect(toTlsSettings(undefined, undefined, ["24", "29"]).groups).toBe("X25519:P-384");
  expect(() => toTlsSettings(undefined, undefined, ["1"])).toThrow("key exchange 1 is not known");
});
