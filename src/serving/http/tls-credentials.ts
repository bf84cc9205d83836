import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContext, type SecureContextOptions } from "node:tls";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { CertificateSelector } from "./sni.js";
import type { TlsSettings } from "./tls-settings.js";

/** PEM files; certificates of authorities may follow the server's own in `certFile`. */
export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface SniCertificate extends CertificatePair {
  readonly patterns: readonly string[];
}

export interface TlsFiles extends CertificatePair {
  readonly sniCertificates?: readonly SniCertificate[] | undefined;
  /** Bundles of the authorities that may sign client certificates; without any, clients are not asked for one. */
  readonly clientCaFiles?: readonly string[] | undefined;
}

/** Everything derived from one reading of the files. */
export interface TlsCredentials {
  /** For names without their own certificate, and clients that send no name. */
  readonly base: SecureContextOptions;
  contextFor(serverName: string): SecureContext;
  /** Options by local address, for clients that send no server name. */
  readonly byAddress: ReadonlyMap<string, SecureContextOptions>;
}

/**
 * Session tickets are off: a resumed session would keep the verdict on a client certificate after the authority was replaced, and
 * loses the client's chain. Go clients do not resume either.
 */
const SSL_OP_NO_TICKET = 0x4000;

function build(files: TlsFiles, settings: TlsSettings, texts: ReadonlyMap<string, string>): TlsCredentials {
  const text = (path: string): string => texts.get(path) ?? "";
  const clientCas = files.clientCaFiles ?? [];
  const optionsOf = (pair: CertificatePair): SecureContextOptions => ({
    cert: text(pair.certFile),
    key: text(pair.keyFile),
    ciphers: settings.ciphers,
    minVersion: settings.minVersion,
    ...(settings.groups !== undefined && { ecdhCurve: settings.groups }),
    honorCipherOrder: true,
    secureOptions: SSL_OP_NO_TICKET,
    ...(clientCas.length > 0 && { ca: clientCas.map(text) }),
  });
  for (const path of clientCas) checkAuthorities(path, text(path));
  const base = optionsOf(files);
  const baseContext = contextOf(base, files);
  const selector = new CertificateSelector(
    (files.sniCertificates ?? []).map((pair) => {
      const options = optionsOf(pair);
      const value = { options, context: contextOf(options, pair) };
      return { value, patterns: pair.patterns, certPem: text(pair.certFile) };
    }),
  );
  const byAddress = new Map<string, SecureContextOptions>();
  for (const [address, { options }] of selector.addresses) byAddress.set(address, options);
  return { base, contextFor: (name) => selector.select(name)?.context ?? baseContext, byAddress };
}

function contextOf(options: SecureContextOptions, pair: CertificatePair): SecureContext {
  try {
    return createSecureContext(options);
  } catch (error) {
    throw new Error(`certificate ${pair.certFile} with key ${pair.keyFile}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Throws for a bundle that contains anything but certificates: OpenSSL skips what it cannot read. */
function checkAuthorities(path: string, pem: string): void {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  if (blocks === null) throw new Error(`client CA ${path}: no certificate in the file`);
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw new Error(`client CA ${path}: ${messageOf(error)}`, { cause: error });
    }
  }
}

function filePaths(files: TlsFiles): readonly string[] {
  const pairs = [files, ...(files.sniCertificates ?? [])];
  return [...new Set([...pairs.flatMap((p) => [p.certFile, p.keyFile]), ...(files.clientCaFiles ?? [])])];
}

export interface ReloadOptions {
  readonly intervalMs: number;
  readonly onChange: (credentials: TlsCredentials) => void;
  /** Called once for each new problem; the last good credentials stay in use. */
  readonly onError: (error: unknown) => void;
}

/** Reads the credentials from files, again when the files change. */
export class CredentialFiles {
  readonly #files: TlsFiles;
  readonly #settings: TlsSettings;
  readonly #paths: readonly string[];
  #seen: string;
  #reported = "";
  #current: TlsCredentials;
  #polling = false;
  #timer: NodeJS.Timeout | undefined;

  /** Throws an `Error` that names the file which cannot be read or does not parse. */
  constructor(files: TlsFiles, settings: TlsSettings) {
    this.#files = files;
    this.#settings = settings;
    this.#paths = filePaths(files);
    const texts = this.#paths.map((path) => readFileSync(path, "utf8"));
    this.#seen = texts.join("\0");
    this.#current = this.#parse(texts);
  }

  get current(): TlsCredentials {
    return this.#current;
  }

  /** Kubernetes polls too; it also detects files replaced by renaming or by a symbolic link. */
  watch(options: ReloadOptions): void {
    this.close();
    this.#timer = setInterval(() => void this.#poll(options), options.intervalMs);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #poll(options: ReloadOptions): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      const texts = await Promise.all(this.#paths.map((path) => readFile(path, "utf8")));
      const state = texts.join("\0");
      if (state === this.#seen) return;
      // A new certificate without its new key does not load: the next poll tries again.
      this.#current = this.#parse(texts);
      this.#seen = state;
      this.#reported = "";
      options.onChange(this.#current);
    } catch (error) {
      const problem = String(error);
      if (problem !== this.#reported) options.onError(error);
      this.#reported = problem;
    } finally {
      this.#polling = false;
    }
  }

  #parse(texts: readonly string[]): TlsCredentials {
    return build(this.#files, this.#settings, new Map(this.#paths.map((path, i) => [path, texts[i] ?? ""])));
  }
}
