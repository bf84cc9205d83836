import { createSecureContext, getCiphers, type SecureVersion } from "node:tls";

export type TlsMinVersion = "VersionTLS10" | "VersionTLS11" | "VersionTLS12" | "VersionTLS13";

const secureVersions = {
  VersionTLS10: "TLSv1",
  VersionTLS11: "TLSv1.1",
  VersionTLS12: "TLSv1.2",
  VersionTLS13: "TLSv1.3",
} as const satisfies Record<TlsMinVersion, SecureVersion>;

/** TLS 1.3 suites cannot be selected, as in Go; ordered by speed with AES instructions. */
const tls13Suites = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

/** IANA name to OpenSSL's, in order of preference. */
const preferredSuites: ReadonlyMap<string, string> = new Map([
  ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ECDHE-ECDSA-AES128-SHA"],
  ["TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA"],
  ["TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ECDHE-ECDSA-AES256-SHA"],
  ["TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "ECDHE-RSA-AES256-SHA"],
  ["TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256"],
  ["TLS_RSA_WITH_AES_256_GCM_SHA384", "AES256-GCM-SHA384"],
  ["TLS_RSA_WITH_AES_128_CBC_SHA", "AES128-SHA"],
  ["TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA"],
]);

const insecureSuites: ReadonlyMap<string, string> = new Map([
  ["TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "ECDHE-ECDSA-AES128-SHA256"],
  ["TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", "ECDHE-RSA-AES128-SHA256"],
  ["TLS_RSA_WITH_AES_128_CBC_SHA256", "AES128-SHA256"],
  ["TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", "ECDHE-RSA-DES-CBC3-SHA"],
  ["TLS_RSA_WITH_3DES_EDE_CBC_SHA", "DES-CBC3-SHA"],
  ["TLS_ECDHE_ECDSA_WITH_RC4_128_SHA", "ECDHE-ECDSA-RC4-SHA"],
  ["TLS_ECDHE_RSA_WITH_RC4_128_SHA", "ECDHE-RSA-RC4-SHA"],
  ["TLS_RSA_WITH_RC4_128_SHA", "RC4-SHA"],
]);

export const preferredCipherSuiteNames: readonly string[] = [...tls13Suites, ...preferredSuites.keys()];
export const insecureCipherSuiteNames: readonly string[] = [...insecureSuites.keys()];

export interface TlsSettings {
  /** OpenSSL's cipher list. */
  readonly ciphers: string;
  readonly minVersion: SecureVersion;
  /** OpenSSL's list of groups; undefined leaves the choice to Node.js. */
  readonly groups?: string | undefined;
}

/** Named groups by their numbers in the TLS registry, in order of preference. */
const groups: ReadonlyMap<string, string> = new Map([
  ["4588", "X25519MLKEM768"],
  ["29", "X25519"],
  ["23", "P-256"],
  ["24", "P-384"],
  ["25", "P-521"],
]);

/** Throws an `Error` that names an unknown group, or one that this Node.js' OpenSSL lacks. */
function groupsOf(numbers: readonly string[]): string | undefined {
  if (numbers.length === 0) return undefined;
  const unknown = numbers.find((number) => !groups.has(number));
  if (unknown !== undefined) throw new Error(`key exchange ${unknown} is not known`);
  const names = [...groups].filter(([number]) => numbers.includes(number)).map(([, name]) => name);
  for (const name of names) {
    try {
      createSecureContext({ ecdhCurve: name });
    } catch {
      throw new Error(`key exchange ${name} is not available in this build of Node.js`);
    }
  }
  return names.join(":");
}

/**
 * `suites` are IANA names; none means the preferred list. The minimum version defaults to TLS 1.2. Throws an `Error` that names a suite
 * which is unknown, or which this Node's OpenSSL was built without (RC4, 3DES).
 */
export function toTlsSettings(
  suites: readonly string[] | undefined,
  minVersion: TlsMinVersion = "VersionTLS12",
  curves: readonly string[] = [],
): TlsSettings {
  const asked = suites === undefined || suites.length === 0 ? [...preferredSuites.keys()] : suites;
  const available = new Set(getCiphers());
  const names = new Set<string>(tls13Suites);
  for (const suite of asked) {
    if (tls13Suites.includes(suite)) continue;
    const name = preferredSuites.get(suite) ?? insecureSuites.get(suite);
    if (name === undefined) throw new Error(`cipher suite ${suite} is not known`);
    if (!available.has(name.toLowerCase())) {
      throw new Error(`cipher suite ${suite} is not available in this build of Node.js`);
    }
    names.add(name);
  }
  // OpenSSL 3 allows TLS before 1.2 only at security level 0.
  const level = minVersion === "VersionTLS10" || minVersion === "VersionTLS11" ? ":@SECLEVEL=0" : "";
  return {
    ciphers: [...names].join(":") + level,
    minVersion: secureVersions[minVersion],
    groups: groupsOf(curves),
  };
}
