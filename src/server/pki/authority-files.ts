import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  ClientAuthorities,
  parseCertificates,
} from "../../access/authentication/certificates/client-authorities.js";
import type { Naming } from "../../naming/naming.js";
import type { Logger } from "../../telemetry/logger.js";
import { forOption } from "../options/option-failure.js";
import type { OptionName } from "../options/options.js";

export interface AuthorityFilesOptions {
  /** PEM bundles; together they are one set of authorities. */
  readonly files: readonly string[];
  /** Time between two readings; 10 s when unset. */
  readonly intervalMs?: number | undefined;
  /** Called once for each new problem; the last valid authorities stay in use. */
  readonly onError: (error: unknown) => void;
}

export interface FollowedAuthorities {
  readonly option: OptionName;
  readonly files: readonly string[];
  /** For the log: `clients`. */
  readonly whose: string;
  readonly naming: Naming;
  readonly log: Pick<Logger, "error">;
}

const defaultIntervalMs = 10_000;

/** Authorities in files, which are read again when they change, even when replaced by renaming or through a symbolic link. */
export class AuthorityFiles {
  readonly authorities = new ClientAuthorities();
  readonly #options: AuthorityFilesOptions;
  readonly #listeners: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #pem = "";
  #reported = "";
  #reading = false;

  /** The files of an option. Rejects with an `Error` that names it. */
  static open({ option, files, whose, naming, log }: FollowedAuthorities): Promise<AuthorityFiles> {
    const onError = (error: unknown): void =>
      log.error(`the certificate authorities of ${whose} could not be reloaded`, error);
    return forOption(option, naming, () => new AuthorityFiles({ files, onError }));
  }

  /** Throws an `Error` that names the file that cannot be read or parsed. */
  constructor(options: AuthorityFilesOptions) {
    this.#options = options;
    this.#use(options.files.map((file) => readFileSync(file, "utf8")));
    this.#timer = setInterval(() => void this.#reload(), options.intervalMs ?? defaultIntervalMs);
    this.#timer.unref();
  }

  /** The certificates of all files as PEM. */
  get pem(): string {
    return this.#pem;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #reload(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      const texts = await Promise.all(this.#options.files.map((file) => readFile(file, "utf8")));
      if (this.#use(texts)) for (const listener of this.#listeners) listener();
      this.#reported = "";
    } catch (error) {
      const problem = String(error);
      if (problem !== this.#reported) this.#options.onError(error);
      this.#reported = problem;
    } finally {
      this.#reading = false;
    }
  }

  #use(texts: readonly string[]): boolean {
    const certificates = texts.flatMap((text, i) => parseCertificates(text, this.#options.files[i] ?? ""));
    const pem = certificates.map(String).join("");
    if (pem === this.#pem) return false;
    this.authorities.replace(certificates);
    this.#pem = pem;
    return true;
  }
}
