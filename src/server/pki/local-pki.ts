import { createPublicKey, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { makeDirectory } from "../../files/make-directory.js";
import type { ClientKeys } from "../settings/client-keys.js";
import type { Authority, Subject } from "./certificate.js";
import { takeTurn } from "./directory-turn.js";
import {
  exportKey,
  foundPair,
  mismatch,
  missingHalf,
  newClientKey,
  newKey,
  type PkiPair,
  readCertificate,
  readKey,
  readPair,
  readText,
} from "./key-pair-files.js";
import {
  backdatedMs,
  type ClientPair,
  dayMs,
  isCurrent,
  issueClient,
  type Leaf,
  LeafCertificates,
} from "./leaf-certificates.js";
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
  /**
   * The kind of key that a new administrator and clients of `issueClient` get. Default: RSA. If set to RSA, a key of another kind is
   * replaced, because some clients cannot read it.
   */
  readonly clientKeys?: ClientKeys | undefined;
  /** A key that signs service account tokens. */
  readonly serviceAccountKey?: boolean | undefined;
  /** An authority for front proxies, and a client certificate of it for the server itself. */
  readonly frontProxy?: boolean | undefined;
}

export interface LocalPki {
  readonly caFile: string;
  readonly caPem: string;
  readonly serving: ServingPair | undefined;
  /** May resolve later than the rest, because making an RSA key takes time. */
  readonly admin: Promise<PkiPair> | undefined;
  /** Signs a certificate for a client; nothing is stored. */
  issueClient(subject: Subject, now: number): Promise<ClientPair>;
  /** Signs what a client requests; nothing is stored. */
  signRequest(request: RequestedCertificate): Promise<string>;
  readonly serviceAccountKey: { readonly privateKeyFile: string; readonly publicKeyFile: string } | undefined;
  readonly frontProxy: LocalFrontProxy | undefined;
  /** The files created now; the others existed and are still valid. */
  readonly created: readonly string[];
  /** Resolves when no more files will be written, even if the administrator's pair could not be made. */
  readonly finished: Promise<void>;
}

/** The CA and client certificate with which the server asserts users to extension servers. */
export interface LocalFrontProxy {
  readonly caFile: string;
  readonly client: PkiPair;
}

/** The common name in the server's client certificate for extension servers. */
export const frontProxyClientName = "front-proxy-client";

export interface ServingPair extends PkiPair {
  /** The owner of the directory provided the pair: it is used unchanged and never overwritten. */
  readonly given: boolean;
}

const authorityDays = 3650;

/**
 * Finds or makes the local authority and what it signs: `ca`, `apiserver`, `admin` (`.crt`, `.key`), `sa.key`, `sa.pub`, and the
 * authority of front proxies with one client: `front-proxy-ca`, `front-proxy-client`. Keys are P-256, except the administrator's: `clientKeys`
 * says its kind. Only the owner of the files can read keys.
 *
 * A certificate is renewed when it ends within 30 days, does not fit its authority, or lacks a name. An `apiserver` pair that
 * another authority signed belongs to the operator and stays as it is, as in kube-apiserver. Rejects with the system's error when
 * the directory cannot be written, and with one that names the file when a pair is incomplete or damaged. Processes that start on
 * one directory at the same moment take turns, and all have the files of the first.
 */
export async function ensureLocalPki(options: LocalPkiOptions): Promise<LocalPki> {
  makeDirectory(options.directory, 0o700);
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

/** Adds work that the start does not wait for to `later`. */
async function ensureFiles(
  options: LocalPkiOptions,
  later: Promise<unknown>[],
): Promise<Omit<LocalPki, "finished">> {
  const created: string[] = [];
  const formerAuthority = readCertificate(join(options.directory, "ca.crt"));
  const { directory, now, authorityName: commonName } = options;
  const { authority, pair } = await ensureAuthority({ directory, now, name: "ca", commonName, created });
  const leaves = new LeafCertificates({ directory, now, authority, formerAuthority, created });
  const { clientKeys } = options;
  const admin = options.admin && ensureAdmin(directory, leaves, options.admin, clientKeys);
  if (admin !== undefined) {
    // It may fail before anyone awaits it.
    admin.catch(() => undefined);
    later.push(admin);
  }
  return {
    caFile: pair.certFile,
    caPem: pair.certPem,
    serving: options.serving && (await ensureServing(options, leaves, options.serving)),
    admin,
    issueClient: (subject, now) => issueClient(authority, clientKeys, subject, now),
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
  return { certificate, issueClient: (subject, now) => issueClient(authority, undefined, subject, now) };
}

interface AuthorityRequest {
  readonly directory: string;
  readonly now: number;
  /** Name of the files, without extension. */
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
    if (isCurrent(certificate, now)) return { authority: found, pair: found.pair };
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

/** This key may be the only copy, so it is never overwritten: a renewal keeps it and only writes the certificate. */
async function ensureServing(
  { directory, authorityName }: LocalPkiOptions,
  leaves: LeafCertificates,
  { commonName, names }: NonNullable<LocalPkiOptions["serving"]>,
): Promise<ServingPair> {
  const leaf: Leaf = { name: "apiserver", usage: "server", subject: { commonName }, names };
  const certFile = join(directory, "apiserver.crt");
  const keyFile = join(directory, "apiserver.key");
  const certificate = readCertificate(certFile);
  const privateKey = readKey(keyFile);
  if (certificate === undefined && privateKey === undefined) {
    return { ...(await leaves.issue(leaf, newKey())), given: false };
  }
  const isOurs = certificate !== undefined && leaves.isMadeHere(certificate, leaf, authorityName);
  if (privateKey === undefined) {
    if (!isOurs) throw missingHalf(keyFile, certFile);
    return { ...(await leaves.issue(leaf, newKey())), given: false };
  }
  if (certificate === undefined) throw missingHalf(certFile, keyFile);
  if (!certificate.checkPrivateKey(privateKey)) throw mismatch(keyFile, certFile);
  const found = foundPair(directory, leaf.name, certificate, privateKey);
  if (!isOurs) return { ...found.pair, given: true };
  if (leaves.isGood(found, leaf)) return { ...found.pair, given: false };
  return { ...(await leaves.issue(leaf, privateKey)), given: false };
}

async function ensureAdmin(
  directory: string,
  leaves: LeafCertificates,
  subject: Subject,
  keys: ClientKeys | undefined,
): Promise<PkiPair> {
  const leaf: Leaf = { name: "admin", usage: "client", subject, names: [] };
  const found = readPair(directory, leaf.name);
  const isRead = keys !== "rsa" || found?.privateKey.asymmetricKeyType === "rsa";
  if (found !== undefined && isRead && leaves.isGood(found, leaf)) return found.pair;
  return await leaves.issue(leaf, await newClientKey(keys));
}

async function ensureFrontProxy(options: LocalPkiOptions, created: string[]): Promise<LocalFrontProxy> {
  const { directory, now } = options;
  const request = { directory, now, name: "front-proxy-ca", commonName: "front-proxy-ca", created };
  const { authority, pair } = await ensureAuthority(request);
  const leaves = new LeafCertificates({ directory, now, authority, created });
  const leaf: Leaf = {
    name: "front-proxy-client",
    usage: "client",
    subject: { commonName: frontProxyClientName },
    names: [],
  };
  const found = readPair(directory, leaf.name);
  const isUsable = found !== undefined && leaves.isGood(found, leaf);
  return { caFile: pair.certFile, client: isUsable ? found.pair : await leaves.issue(leaf, newKey()) };
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
