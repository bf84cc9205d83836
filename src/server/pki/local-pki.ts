import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { namesOfCertificate } from "../../serving/http/sni.js";
import type { Authority, Subject } from "./certificate.js";
import { writeFileAtomically } from "./write-file.js";

export interface LocalPkiOptions {
  /** Made when missing. */
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly authorityName: string;
  /** A certificate for the server itself. */
  readonly serving?: { readonly commonName: string; readonly names: readonly string[] } | undefined;
  /** A client certificate for the first administrator. */
  readonly admin?: Subject | undefined;
  /** A key that signs service account tokens. */
  readonly serviceAccountKey?: boolean | undefined;
}

export interface LocalPki {
  readonly caFile: string;
  readonly caPem: string;
  readonly serving: PkiPair | undefined;
  readonly admin: PkiPair | undefined;
  readonly serviceAccountKey: { readonly privateKeyFile: string; readonly publicKeyFile: string } | undefined;
  /** What had to be made now; the rest was found and still good. */
  readonly created: readonly string[];
}

export interface PkiPair {
  readonly certFile: string;
  readonly keyFile: string;
  readonly certPem: string;
  readonly keyPem: string;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
const leafDays = 365;
/** A certificate closer to its end than this is replaced at the start of the server. */
const renewalDays = 30;
/** Clients whose clock is a little late accept a new certificate too. */
const backdatedMs = 5 * 60_000;

/**
 * Finds or makes the local authority and what it signs, P-256 throughout: `ca`, `apiserver`, `admin` (`.crt`, `.key`)
 * and `sa.key`, `sa.pub`. Keys are readable by their owner alone. A certificate is made anew when it ends within 30
 * days, does not fit its key or authority, or lacks a name. Rejects with the system's error
 * when the directory cannot be written.
 */
export async function ensureLocalPki(options: LocalPkiOptions): Promise<LocalPki> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const created: string[] = [];
  const { authority, pair } = await ensureAuthority(options, created);
  const issue = (
    name: string,
    usage: "server" | "client",
    subject: Subject,
    names: readonly string[],
  ): Promise<PkiPair> => ensureLeaf({ options, name, usage, subject, names, authority }, created);
  const { serving, admin } = options;
  return {
    caFile: pair.certFile,
    caPem: pair.certPem,
    serving:
      serving && (await issue("apiserver", "server", { commonName: serving.commonName }, serving.names)),
    admin: admin && (await issue("admin", "client", admin, [])),
    serviceAccountKey:
      options.serviceAccountKey === true ? ensureTokenKey(options.directory, created) : undefined,
    created,
  };
}

async function ensureAuthority(
  options: LocalPkiOptions,
  created: string[],
): Promise<{ readonly authority: Authority; readonly pair: PkiPair }> {
  const found = readPair(options.directory, "ca");
  if (found?.certificate.ca && isCurrent(found, options.now)) {
    return { authority: found, pair: found.pair };
  }
  const privateKey = newKey();
  const { createAuthority } = await import("./certificate.js");
  const certPem = await createAuthority(
    {
      subject: { commonName: options.authorityName },
      notBefore: options.now - backdatedMs,
      notAfter: options.now + authorityDays * dayMs,
      usage: "authority",
    },
    privateKey,
  );
  const pair = writePair(options.directory, "ca", certPem, privateKey, created);
  return { authority: { certificate: new X509Certificate(certPem), privateKey }, pair };
}

interface LeafRequest {
  readonly options: LocalPkiOptions;
  readonly name: string;
  readonly usage: "server" | "client";
  readonly subject: Subject;
  readonly names: readonly string[];
  readonly authority: Authority;
}

async function ensureLeaf(request: LeafRequest, created: string[]): Promise<PkiPair> {
  const { options, name, usage, subject, names, authority } = request;
  const found = readPair(options.directory, name);
  if (
    found !== undefined &&
    isCurrent(found, options.now) &&
    found.certificate.checkIssued(authority.certificate) &&
    found.certificate.verify(authority.certificate.publicKey) &&
    subjectText(found.certificate) === expectedSubject(subject) &&
    covers(found.pair.certPem, names)
  ) {
    return found.pair;
  }
  const privateKey = newKey();
  const { issueCertificate } = await import("./certificate.js");
  const certPem = await issueCertificate(
    {
      subject,
      publicKey: createPublicKey(privateKey),
      notBefore: options.now - backdatedMs,
      notAfter: options.now + leafDays * dayMs,
      usage,
      names,
    },
    authority,
  );
  return writePair(options.directory, name, certPem, privateKey, created);
}

function ensureTokenKey(directory: string, created: string[]) {
  const privateKeyFile = join(directory, "sa.key");
  const publicKeyFile = join(directory, "sa.pub");
  let privateKey = readKey(privateKeyFile);
  if (privateKey === undefined) {
    privateKey = newKey();
    writeFileAtomically(privateKeyFile, exportKey(privateKey), 0o600);
    created.push(privateKeyFile);
  }
  const publicPem = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
  if (readText(publicKeyFile) !== publicPem) writeFileAtomically(publicKeyFile, publicPem, 0o644);
  return { privateKeyFile, publicKeyFile };
}

interface FoundPair extends Authority {
  readonly pair: PkiPair;
}

/** Undefined when a file is missing or damaged, or the two do not belong together. */
function readPair(directory: string, name: string): FoundPair | undefined {
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  const certPem = readText(certFile);
  const privateKey = readKey(keyFile);
  if (certPem === undefined || privateKey === undefined) return undefined;
  try {
    const certificate = new X509Certificate(certPem);
    if (!certificate.checkPrivateKey(privateKey)) return undefined;
    return { certificate, privateKey, pair: { certFile, keyFile, certPem, keyPem: exportKey(privateKey) } };
  } catch {
    return undefined;
  }
}

function writePair(
  directory: string,
  name: string,
  certPem: string,
  privateKey: KeyObject,
  created: string[],
): PkiPair {
  const pair = {
    certFile: join(directory, `${name}.crt`),
    keyFile: join(directory, `${name}.key`),
    certPem,
    keyPem: exportKey(privateKey),
  };
  // A crash between the two leaves a pair that does not fit, which the next start replaces.
  writeFileAtomically(pair.keyFile, pair.keyPem, 0o600);
  writeFileAtomically(pair.certFile, pair.certPem, 0o644);
  created.push(pair.certFile);
  return pair;
}

function isCurrent(pair: FoundPair, now: number): boolean {
  const { validFrom, validTo } = pair.certificate;
  return Date.parse(validFrom) <= now && Date.parse(validTo) > now + renewalDays * dayMs;
}

function covers(certPem: string, names: readonly string[]): boolean {
  const present = new Set(namesOfCertificate(certPem).map(canonicalName));
  return names.every((name) => present.has(canonicalName(name)));
}

function canonicalName(name: string): string {
  return parseIp(name)?.join(".") ?? name;
}

function subjectText(certificate: X509Certificate): string {
  return certificate.subject;
}

/** As `X509Certificate.subject` prints it; our own subjects need no escapes. */
function expectedSubject(subject: Subject): string {
  return [...(subject.organizations ?? []).map((o) => `O=${o}`), `CN=${subject.commonName}`].join("\n");
}

function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

function exportKey(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function readKey(path: string): KeyObject | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
