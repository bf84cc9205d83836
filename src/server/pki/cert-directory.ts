import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../../files/make-directory.js";

export interface CertDirectoryOptions {
  /** `--cert-dir` when given. */
  readonly asked: string | undefined;
  readonly defaultDirectory: string;
  readonly dataDirectory: string;
}

export interface CertDirectory {
  readonly directory: string;
  /** The default directory is not writable, which is logged at the start. */
  readonly fellBack: boolean;
}

/** Where generated certificates are kept. A directory that was configured explicitly is never replaced by another. */
export function resolveCertDirectory(options: CertDirectoryOptions): CertDirectory {
  if (options.asked !== undefined) return { directory: options.asked, fellBack: false };
  try {
    makeDirectory(options.defaultDirectory, 0o700);
    accessSync(options.defaultDirectory, constants.W_OK | constants.X_OK);
    return { directory: options.defaultDirectory, fellBack: false };
  } catch {
    return { directory: join(options.dataDirectory, "pki"), fellBack: true };
  }
}
