import { readFile } from "node:fs/promises";
import type { Authenticator } from "../access/authentication/authenticator.js";
import { clientCertificateAuthenticator } from "../access/authentication/client-certificate.js";
import { createTokenFileAuthenticator } from "../access/authentication/token-file.js";
import type { Naming } from "../naming/naming.js";
import type { Logger } from "../telemetry/logger.js";
import { forOption } from "./options/option-failure.js";
import type { Options } from "./options/options.js";

/** The mechanisms that the options ask for, in the order of contract 2, §5. Rejects with an `Error` that names the option. */
export async function authenticators(
  options: Options,
  naming: Naming,
  log: Logger,
): Promise<readonly Authenticator[]> {
  const { tokenAuthFile } = options;
  if (tokenAuthFile === undefined) return [clientCertificateAuthenticator];
  const tokens = await forOption("token-auth-file", naming, async () =>
    createTokenFileAuthenticator(await readFile(tokenAuthFile, "utf8"), (problem) => log.warn(problem)),
  );
  return [clientCertificateAuthenticator, tokens];
}
