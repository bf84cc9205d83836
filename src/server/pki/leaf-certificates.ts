import { createPublicKey, type KeyObject, type X509Certificate } from "node:crypto";
import { parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { namesOfCertificate } from "../../serving/http/sni.js";
import type { ClientKeys } from "../settings/client-keys.js";
import type { Authority, Subject } from "./certificate.js";
import { exportKey, type FoundPair, newClientKey, type PkiPair, writePair } from "./key-pair-files.js";

/** What a certificate says about its owner. */
export interface Leaf {
  /** Name of the files, without extension. */
  readonly name: string;
  readonly usage: "server" | "client";
  readonly subject: Subject;
  readonly names: readonly string[];
}

/** PEM. */
export interface ClientPair {
  readonly certPem: string;
  readonly keyPem: string;
}

export interface LeafCertificatesParts {
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly authority: Authority;
  /** The authority before this start, if it was replaced. */
  readonly formerAuthority?: X509Certificate | undefined;
  /** Receives the names of the files that are written. */
  readonly created: string[];
}

export const dayMs = 86_400_000;
/** Tolerates clients whose clock is slightly behind. */
export const backdatedMs = 5 * 60_000;
const leafDays = 365;
/** A certificate with fewer days left is renewed at the start of the server. */
const renewalDays = 30;

/** Certificates that an authority has signed in a directory, or signs on demand. */
export class LeafCertificates {
  readonly #parts: LeafCertificatesParts;

  constructor(parts: LeafCertificatesParts) {
    this.#parts = parts;
  }

  /** Writes a certificate for `privateKey`. Leaves an existing file with this key alone. */
  async issue(leaf: Leaf, privateKey: KeyObject): Promise<PkiPair> {
    const { directory, now, authority, created } = this.#parts;
    const certPem = await certify(authority, leaf, privateKey, now);
    const pair = writePair(directory, leaf.name, certPem, privateKey);
    created.push(pair.certFile);
    return pair;
  }

  /** Whether it need not be renewed. */
  isGood({ certificate, pair }: FoundPair, { subject, names }: Leaf): boolean {
    const { now, authority } = this.#parts;
    return (
      isCurrent(certificate, now) &&
      certificate.checkIssued(authority.certificate) &&
      certificate.verify(authority.certificate.publicKey) &&
      certificate.subject === printedSubject(subject) &&
      covers(pair.certPem, names)
    );
  }

  /** Whether it has the authority's name and, if the authority is older than this start, its signature. */
  isMadeHere(certificate: X509Certificate, { subject }: Leaf, authorityName: string): boolean {
    const { authority, formerAuthority } = this.#parts;
    if (certificate.subject !== printedSubject(subject)) return false;
    if (certificate.issuer !== printedSubject({ commonName: authorityName })) return false;
    if (formerAuthority === undefined) return true;
    return [authority.certificate, formerAuthority].some((issuer) => certificate.verify(issuer.publicKey));
  }
}

/** Nothing is written. */
export async function issueClient(
  authority: Authority,
  keys: ClientKeys | undefined,
  subject: Subject,
  now: number,
): Promise<ClientPair> {
  const privateKey = await newClientKey(keys);
  const certPem = await certify(authority, { subject, usage: "client" }, privateKey, now);
  return { certPem, keyPem: exportKey(privateKey) };
}

/** Whether it is valid now and not to be renewed yet. */
export function isCurrent({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && Date.parse(validTo) > now + renewalDays * dayMs;
}

async function certify(
  authority: Authority,
  { subject, usage, names }: Pick<Leaf, "subject" | "usage"> & { readonly names?: readonly string[] },
  privateKey: KeyObject,
  now: number,
): Promise<string> {
  // Loading the library takes long, and most starts need no certificate.
  const { issueCertificate } = await import("./certificate.js");
  return await issueCertificate(
    {
      subject,
      usage,
      names,
      publicKey: createPublicKey(privateKey),
      notBefore: now - backdatedMs,
      notAfter: now + leafDays * dayMs,
    },
    authority,
  );
}

function covers(certPem: string, names: readonly string[]): boolean {
  const present = new Set(namesOfCertificate(certPem).map(canonicalName));
  return names.every((name) => present.has(canonicalName(name)));
}

function canonicalName(name: string): string {
  return parseIp(name)?.join(".") ?? name;
}

/** As `X509Certificate.subject` prints it; our own subjects need no escapes. */
function printedSubject(subject: Subject): string {
  return [...(subject.organizations ?? []).map((o) => `O=${o}`), `CN=${subject.commonName}`].join("\n");
}
