import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and the names it serves. */
export interface NamedCertificate<T> {
  readonly value: T;
  /** Domain patterns of the option, `*.example.org` and IP addresses included; empty: those of the certificate. */
  readonly patterns: readonly string[];
  /** Text of the certificate file; its first certificate counts. */
  readonly certPem: string;
}

/** Finds the certificate for a server name. Among equally good matches, the earlier entry wins. */
export class CertificateSelector<T> {
  readonly #explicit: ReadonlyMap<string, T>;
  readonly #extracted: ReadonlyMap<string, T>;

  constructor(certificates: readonly NamedCertificate<T>[]) {
    const explicit = new Map<string, T>();
    const extracted = new Map<string, T>();
    for (const { value, patterns, certPem } of certificates) {
      const [target, names] =
        patterns.length > 0 ? [explicit, patterns] : [extracted, namesOfCertificate(certPem)];
      for (const name of names) {
        const key = normalize(name);
        if (!target.has(key)) target.set(key, value);
      }
    }
    this.#explicit = explicit;
    this.#extracted = extracted;
  }

  /** `name` is a host name or an IP address. Exact beats wildcard, then explicit beats extracted. */
  select(name: string): T | undefined {
    const exact = normalize(name);
    const found = this.#explicit.get(exact) ?? this.#extracted.get(exact);
    if (found !== undefined || isIP(exact) !== 0) return found;
    const dot = exact.indexOf(".");
    if (dot < 0) return undefined;
    const wildcard = `*${exact.slice(dot)}`;
    return this.#explicit.get(wildcard) ?? this.#extracted.get(wildcard);
  }

  /** IP addresses that have their own certificate, because clients that connect by address send no server name. */
  get addresses(): ReadonlyMap<string, T> {
    const addresses = new Map<string, T>();
    for (const names of [this.#explicit, this.#extracted]) {
      for (const [name, value] of names) {
        if (isIP(name) !== 0 && !addresses.has(name)) addresses.set(name, value);
      }
    }
    return addresses;
  }
}

/** Subject alternative names (DNS and IP), and the common name when there are none. */
export function namesOfCertificate(certPem: string): readonly string[] {
  const certificate = new X509Certificate(certPem);
  const names: string[] = [];
  for (const entry of (certificate.subjectAltName ?? "").split(", ")) {
    if (entry.startsWith("DNS:")) names.push(entry.slice(4));
    else if (entry.startsWith("IP Address:")) names.push(entry.slice(11));
  }
  if (names.length > 0) return names;
  const commonName = /^CN=(.*)$/m.exec(certificate.subject)?.[1];
  return commonName === undefined ? [] : [commonName];
}

function normalize(name: string): string {
  const lower = name.toLowerCase().replace(/\.$/, "");
  // Normalizes the many spellings of an IPv6 address.
  return isIP(lower) === 6 ? new URL(`http://[${lower}]`).hostname.slice(1, -1) : lower;
}
