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
  /** CA bundles for client certificates; without any, clients are not asked for a certificate. */
  readonly clientCaFiles?: readonly string[] | undefined;
}

/** Everything derived from the files' current content. */
export interface TlsCredentials {
  /** For names without their own certificate, and for clients that send no name. */
  readonly base: SecureContextOptions;
  contextFor(serverName: string): SecureContext;
  /** Options by local address, for clients that send no server name. */
  readonly byAddress: ReadonlyMap<string, SecureContextOptions>;
}

/**
 * Session tickets are off: a resumed session would keep the decision about a client certificate after the CA was replaced, and loses the
 * client's chain. Go clients do not resume either.
 */
const SSL_OP_NO_TICKET = 0x4000;

function build(files: TlsFiles, settings: TlsSettings, texts: ReadonlyMap<string, string>): TlsCredentials {
  const text = (path: string): string => texts.get(path) ?? "";
  const clientCas = files.clientCaFiles ?? [];
  const optionsOf = (pair: CertificatePair): SecureContextOptions => ({
    ...pairOptions(pair, settings, texts),
    ...(clientCas.length > 0 && { ca: clientCas.map(text) }),
  });
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

function pairOptions(
  { certFile, keyFile }: CertificatePair,
  settings: TlsSettings,
  texts: ReadonlyMap<string, string>,
): SecureContextOptions {
  return {
    cert: texts.get(certFile),
    key: texts.get(keyFile),
    ciphers: settings.ciphers,
    minVersion: settings.minVersion,
    ...(settings.groups !== undefined && { ecdhCurve: settings.groups }),
    honorCipherOrder: true,
    secureOptions: SSL_OP_NO_TICKET,
  };
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

/** Files that are reloaded together. If they cannot be used, the other files are not affected, as in Kubernetes. */
interface FilePart {
  readonly paths: readonly string[];
  /** Throws for texts that cannot be used. */
  check(texts: ReadonlyMap<string, string>): void;
}

function partsOf(files: TlsFiles, settings: TlsSettings): readonly FilePart[] {
  const pairs = [files, ...(files.sniCertificates ?? [])].map((pair) => ({
    paths: [pair.certFile, pair.keyFile],
    check: (texts: ReadonlyMap<string, string>) => {
      contextOf(pairOptions(pair, settings, texts), pair);
    },
  }));
  const authorities = (files.clientCaFiles ?? []).map((path) => ({
    paths: [path],
    check: (texts: ReadonlyMap<string, string>) => checkAuthorities(path, texts.get(path) ?? ""),
  }));
  return [...pairs, ...authorities];
}

export interface ReloadOptions {
  readonly intervalMs: number;
  readonly onChange: (credentials: TlsCredentials) => void;
  /** Called once for each new problem; the previous content stays in use. */
  readonly onError: (error: unknown) => void;
}

/** Reads the credentials from files, again when the files change. */
export class CredentialFiles {
  readonly #files: TlsFiles;
  readonly #settings: TlsSettings;
  readonly #parts: readonly FilePart[];
  /** By path: what is in use. */
  readonly #texts = new Map<string, string>();
  readonly #reported = new Map<FilePart, string>();
  #current: TlsCredentials;
  #polling = false;
  #timer: NodeJS.Timeout | undefined;

  /** Throws an `Error` that names the file which cannot be read or does not parse. */
  constructor(files: TlsFiles, settings: TlsSettings) {
    this.#files = files;
    this.#settings = settings;
    this.#parts = partsOf(files, settings);
    for (const { paths, check } of this.#parts) {
      for (const path of paths) this.#texts.set(path, readFileSync(path, "utf8"));
      check(this.#texts);
    }
    this.#current = build(files, settings, this.#texts);
  }

  get current(): TlsCredentials {
    return this.#current;
  }

  /** Polls, like Kubernetes, because files may be replaced by renaming or by a symbolic link. */
  watch(options: ReloadOptions): void {
    this.close();
    this.#timer = setInterval(() => void this.#poll(options), options.intervalMs);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #poll({ onChange, onError }: ReloadOptions): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    let isChanged = false;
    for (const part of this.#parts) {
      try {
        if (await this.#reread(part)) isChanged = true;
        this.#reported.delete(part);
      } catch (error) {
        const problem = String(error);
        if (problem !== this.#reported.get(part)) onError(error);
        this.#reported.set(part, problem);
      }
    }
    try {
      if (isChanged) {
        this.#current = build(this.#files, this.#settings, this.#texts);
        onChange(this.#current);
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#polling = false;
    }
  }

  /**
   * Whether the files changed. Rejects if they cannot be used, such as a new certificate without its new key: the next poll tries again.
   */
  async #reread({ paths, check }: FilePart): Promise<boolean> {
    const texts = new Map<string, string>();
    for (const path of paths) texts.set(path, await readFile(path, "utf8"));
    if (paths.every((path) => texts.get(path) === this.#texts.get(path))) return false;
    check(texts);
    for (const [path, text] of texts) this.#texts.set(path, text);
    return true;
  }
}
