import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { namesOfCertificate } from "../../serving/http/sni.js";
import type { Authority, Subject } from "./certificate.js";
import { takeTurn } from "./directory-turn.js";
import type { RequestedCertificate } from "./sign-request.js";
import { writeFileAtomically } from "./write-file.js";

export interface LocalPkiOptions {
  /** Created when missing. */
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
  /** An authority for front proxies, and a client certificate of it for the server itself. */
  readonly frontProxy?: boolean | undefined;
}

export interface LocalPki {
  readonly caFile: string;
  readonly caPem: string;
  readonly serving: ServingPair | undefined;
  /** May resolve later than the rest: making an RSA key takes a tenth of a second. */
  readonly admin: Promise<PkiPair> | undefined;
  /** Signs a certificate for a client; nothing is stored. */
  issueClient(subject: Subject, now: number): Promise<ClientPair>;
  /** Signs what a client asks for; nothing is stored. */
  signRequest(request: RequestedCertificate): Promise<string>;
  readonly serviceAccountKey: { readonly privateKeyFile: string; readonly publicKeyFile: string } | undefined;
  readonly frontProxy: LocalFrontProxy | undefined;
  /** The files created now; the others existed and are still valid. */
  readonly created: readonly string[];
  /** Resolves when no more files will be written, even if the administrator's pair could not be made. */
  readonly finished: Promise<void>;
}

/** With this pair the server vouches for users at extension servers. */
export interface LocalFrontProxy {
  readonly caFile: string;
  readonly client: PkiPair;
}

/** The common name in the server's client certificate for extension servers. */
export const frontProxyClientName = "front-proxy-client";

export interface ServingPair extends PkiPair {
  /** The owner of the directory put the pair there: it is used unchanged and never written. */
  readonly given: boolean;
}

/** PEM. */
export interface ClientPair {
  readonly certPem: string;
  readonly keyPem: string;
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
/** A certificate closer to its end than this is renewed at the start of the server. */
const renewalDays = 30;
/** Tolerates clients whose clock is slightly behind. */
const backdatedMs = 5 * 60_000;

/**
 * Finds or makes the local authority and what it signs: `ca`, `apiserver`, `admin` (`.crt`, `.key`), `sa.key`, `sa.pub`, and the
 * authority of front proxies with one client: `front-proxy-ca`, `front-proxy-client`. Keys are P-256, but the administrator's is RSA,
 * because some client libraries read no other. Keys are readable by their owner alone.
 *
 * A certificate is renewed when it ends within 30 days, does not fit its authority, or lacks a name. An `apiserver` pair that
 * another authority signed belongs to the operator and stays as it is, as in kube-apiserver. Rejects with the system's error when
 * the directory cannot be written, and with one that names the file when a pair is incomplete or damaged. Processes that start on
 * one directory at the same moment take turns, and all have the files of the first.
 */
export async function ensureLocalPki(options: LocalPkiOptions): Promise<LocalPki> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const release = await takeTurn(options.directory);
  const later: Promise<unknown>[] = [];
  const finish = async () => {
    await Promise.allSettled(later);
    await release();
  };
  try {
    return { ...(await ensureFiles(options, later)), finished: finish() };
  } catch (error) {
    await finish();
    throw error;
  }
}

/** Puts what the start does not wait for into `later`. */
async function ensureFiles(
  options: LocalPkiOptions,
  later: Promise<unknown>[],
): Promise<Omit<LocalPki, "finished">> {
  const created: string[] = [];
  const formerAuthority = readCertificate(join(options.directory, "ca.crt"));
  const { directory, now, authorityName: commonName } = options;
  const { authority, pair } = await ensureAuthority({ directory, now, name: "ca", commonName, created });
  const leaves = { options, authority, formerAuthority, created };
  const admin = options.admin && ensureAdmin(leaves, options.admin);
  if (admin !== undefined) {
    // It may fail before anyone waits for it.
    admin.catch(() => undefined);
    later.push(admin);
  }
  return {
    caFile: pair.certFile,
    caPem: pair.certPem,
    serving: options.serving && (await ensureServing(leaves, options.serving)),
    admin,
    issueClient: (subject, now) => issueClient(authority, subject, now),
    async signRequest(request) {
      const { signRequestedCertificate } = await import("./sign-request.js");
      return await signRequestedCertificate(request, authority);
    },
    serviceAccountKey:
      options.serviceAccountKey === true ? ensureTokenKey(options.directory, created) : undefined,
    frontProxy: options.frontProxy === true ? await ensureFrontProxy(options, created) : undefined,
    created,
  };
}

/** An authority that an earlier start has made. */
export interface LocalAuthority {
  readonly certificate: X509Certificate;
  issueClient(subject: Subject, now: number): Promise<ClientPair>;
}

/** Reads the authority in `directory`, if there is one, and writes nothing. */
export function findLocalAuthority(directory: string): LocalAuthority | undefined {
  const certificate = readCertificate(join(directory, "ca.crt"));
  const privateKey = readKey(join(directory, "ca.key"));
  if (certificate === undefined || privateKey === undefined) return undefined;
  if (!certificate.checkPrivateKey(privateKey)) return undefined;
  const authority = foundPair(directory, "ca", certificate, privateKey);
  return { certificate, issueClient: (subject, now) => issueClient(authority, subject, now) };
}

interface AuthorityRequest {
  readonly directory: string;
  readonly now: number;
  /** Of the files, without the extension. */
  readonly name: string;
  readonly commonName: string;
  readonly created: string[];
}

/** The key is written first: an interrupted start is completed with the key it left. */
async function ensureAuthority({
  directory,
  now,
  name,
  commonName,
  created,
}: AuthorityRequest): Promise<{ readonly authority: Authority; readonly pair: PkiPair }> {
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  const certificate = readCertificate(certFile);
  const foundKey = readKey(keyFile);
  if (certificate !== undefined) {
    if (foundKey === undefined) throw missingHalf(keyFile, certFile);
    if (!certificate.checkPrivateKey(foundKey)) throw mismatch(keyFile, certFile);
    if (!certificate.ca) throw new Error(`${certFile} is not the certificate of an authority`);
    const found = foundPair(directory, name, certificate, foundKey);
    if (isCurrent(found, now)) return { authority: found, pair: found.pair };
  }
  const privateKey = certificate === undefined && foundKey !== undefined ? foundKey : newKey();
  const { createAuthority } = await import("./certificate.js");
  const certPem = await createAuthority(
    {
      subject: { commonName },
      notBefore: now - backdatedMs,
      notAfter: now + authorityDays * dayMs,
      usage: "authority",
    },
    privateKey,
  );
  const keyPem = exportKey(privateKey);
  writeFileAtomically(keyFile, keyPem, 0o600);
  writeFileAtomically(certFile, certPem, 0o644);
  created.push(certFile);
  const authority = { certificate: new X509Certificate(certPem), privateKey };
  return { authority, pair: { certFile, keyFile, certPem, keyPem } };
}

interface Leaves {
  readonly options: LocalPkiOptions;
  readonly authority: Authority;
  /** The authority before this start, which may have been replaced. */
  readonly formerAuthority: X509Certificate | undefined;
  readonly created: string[];
}

interface Leaf {
  readonly name: string;
  readonly usage: "server" | "client";
  readonly subject: Subject;
  readonly names: readonly string[];
}

/** A key here may be the only copy, so it is never overwritten: a renewal keeps it and only writes the certificate. */
async function ensureServing(
  leaves: Leaves,
  { commonName, names }: NonNullable<LocalPkiOptions["serving"]>,
): Promise<ServingPair> {
  const { directory } = leaves.options;
  const leaf: Leaf = { name: "apiserver", usage: "server", subject: { commonName }, names };
  const certFile = join(directory, "apiserver.crt");
  const keyFile = join(directory, "apiserver.key");
  const certificate = readCertificate(certFile);
  const privateKey = readKey(keyFile);
  if (certificate === undefined && privateKey === undefined) {
    return { ...(await issueLeaf(leaves, leaf, newKey())), given: false };
  }
  const isOurs = certificate !== undefined && isMadeHere(certificate, leaf, leaves);
  if (privateKey === undefined) {
    if (!isOurs) throw missingHalf(keyFile, certFile);
    return { ...(await issueLeaf(leaves, leaf, newKey())), given: false };
  }
  if (certificate === undefined) throw missingHalf(certFile, keyFile);
  if (!certificate.checkPrivateKey(privateKey)) throw mismatch(keyFile, certFile);
  const found = foundPair(directory, leaf.name, certificate, privateKey);
  if (!isOurs) return { ...found.pair, given: true };
  if (isGood(found, leaf, leaves)) return { ...found.pair, given: false };
  return { ...(await issueLeaf(leaves, leaf, privateKey)), given: false };
}

function missingHalf(missing: string, present: string): Error {
  return new Error(
    `${missing} is missing beside ${present}: restore it, or remove both to have a new pair made`,
  );
}

function mismatch(keyFile: string, certFile: string): Error {
  return new Error(
    `${keyFile} is not the key of ${certFile}: restore the pair, or remove both to have a new one made`,
  );
}

/** By its names, and by the signature of the authority if that is known. */
function isMadeHere(certificate: X509Certificate, { subject }: Leaf, leaves: Leaves): boolean {
  const { options, authority, formerAuthority } = leaves;
  if (certificate.subject !== expectedSubject(subject)) return false;
  if (certificate.issuer !== expectedSubject({ commonName: options.authorityName })) return false;
  if (formerAuthority === undefined) return true;
  return [authority.certificate, formerAuthority].some((issuer) => certificate.verify(issuer.publicKey));
}

async function ensureAdmin(leaves: Leaves, subject: Subject): Promise<PkiPair> {
  const leaf: Leaf = { name: "admin", usage: "client", subject, names: [] };
  const found = readPair(leaves.options.directory, leaf.name);
  if (found?.privateKey.asymmetricKeyType === "rsa" && isGood(found, leaf, leaves)) return found.pair;
  return await issueLeaf(leaves, leaf, await newRsaKey());
}

async function ensureFrontProxy(options: LocalPkiOptions, created: string[]): Promise<LocalFrontProxy> {
  const { directory, now } = options;
  const request = { directory, now, name: "front-proxy-ca", commonName: "front-proxy-ca", created };
  const { authority, pair } = await ensureAuthority(request);
  const leaves = { options, authority, formerAuthority: undefined, created };
  const leaf: Leaf = {
    name: "front-proxy-client",
    usage: "client",
    subject: { commonName: frontProxyClientName },
    names: [],
  };
  const found = readPair(directory, leaf.name);
  const isUsable = found !== undefined && isGood(found, leaf, leaves);
  return { caFile: pair.certFile, client: isUsable ? found.pair : await issueLeaf(leaves, leaf, newKey()) };
}

function isGood(found: FoundPair, { subject, names }: Leaf, { options, authority }: Leaves): boolean {
  return (
    isCurrent(found, options.now) &&
    found.certificate.checkIssued(authority.certificate) &&
    found.certificate.verify(authority.certificate.publicKey) &&
    found.certificate.subject === expectedSubject(subject) &&
    covers(found.pair.certPem, names)
  );
}

async function issueClient(authority: Authority, subject: Subject, now: number): Promise<ClientPair> {
  const privateKey = await newRsaKey();
  const { issueCertificate } = await import("./certificate.js");
  const certPem = await issueCertificate(
    {
      subject,
      usage: "client",
      publicKey: createPublicKey(privateKey),
      notBefore: now - backdatedMs,
      notAfter: now + leafDays * dayMs,
    },
    authority,
  );
  return { certPem, keyPem: exportKey(privateKey) };
}

async function issueLeaf(leaves: Leaves, leaf: Leaf, privateKey: KeyObject): Promise<PkiPair> {
  const { options, authority, created } = leaves;
  const { name, ...request } = leaf;
  const { issueCertificate } = await import("./certificate.js");
  const certPem = await issueCertificate(
    {
      ...request,
      publicKey: createPublicKey(privateKey),
      notBefore: options.now - backdatedMs,
      notAfter: options.now + leafDays * dayMs,
    },
    authority,
  );
  const pair = writePair(options.directory, name, certPem, privateKey);
  created.push(pair.certFile);
  return pair;
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

/** Undefined when a file is missing, or the two do not match. */
function readPair(directory: string, name: string): FoundPair | undefined {
  const certificate = readCertificate(join(directory, `${name}.crt`));
  const privateKey = readKey(join(directory, `${name}.key`));
  if (certificate === undefined || privateKey === undefined) return undefined;
  return certificate.checkPrivateKey(privateKey)
    ? foundPair(directory, name, certificate, privateKey)
    : undefined;
}

function foundPair(
  directory: string,
  name: string,
  certificate: X509Certificate,
  privateKey: KeyObject,
): FoundPair {
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  // The whole file: further certificates of the chain may follow the first.
  const certPem = readText(certFile) ?? "";
  return { certificate, privateKey, pair: { certFile, keyFile, certPem, keyPem: exportKey(privateKey) } };
}

/**
 * Writes the certificate first: a crash in between leaves a certificate without a key, which the next start replaces. Leaves an
 * existing key alone.
 */
function writePair(directory: string, name: string, certPem: string, privateKey: KeyObject): PkiPair {
  const pair = {
    certFile: join(directory, `${name}.crt`),
    keyFile: join(directory, `${name}.key`),
    certPem,
    keyPem: exportKey(privateKey),
  };
  writeFileAtomically(pair.certFile, pair.certPem, 0o644);
  if (readText(pair.keyFile) !== pair.keyPem) writeFileAtomically(pair.keyFile, pair.keyPem, 0o600);
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

/** As `X509Certificate.subject` prints it; our own subjects need no escapes. */
function expectedSubject(subject: Subject): string {
  return [...(subject.organizations ?? []).map((o) => `O=${o}`), `CN=${subject.commonName}`].join("\n");
}

function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

/** Made in another thread. */
async function newRsaKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })).privateKey;
}

/** RSA keys in PKCS #1, the form that most client libraries read; others in PKCS #8. */
function exportKey(key: KeyObject): string {
  const type = key.asymmetricKeyType === "rsa" ? "pkcs1" : "pkcs8";
  return key.export({ type, format: "pem" }).toString();
}

/** Undefined when the file does not exist. Throws an `Error` that names a file with other content. */
function readCertificate(path: string): X509Certificate | undefined {
  return readPem(path, "certificate", (text) => new X509Certificate(text));
}

/** Like `readCertificate`. */
function readKey(path: string): KeyObject | undefined {
  return readPem(path, "private key", createPrivateKey);
}

function readPem<T>(path: string, what: string, parse: (text: string) => T): T | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${path} holds no ${what}: restore the file, or remove it to have a new one made`, {
      cause: error,
    });
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
