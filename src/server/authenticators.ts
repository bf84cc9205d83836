import { readFile } from "node:fs/promises";
import type { Authenticator } from "../access/authentication/authenticator.js";
import { clientCertificateAuthenticator } from "../access/authentication/client-certificate.js";
import { createTokenFileAuthenticator } from "../access/authentication/token-file.js";
import type { Options } from "./options/options.js";

/** The mechanisms that the options ask for, in the order of contract 2, §5. */
export async function authenticators(options: Options): Promise<readonly Authenticator[]> {
  const { tokenAuthFile } = options;
  return [
    clientCertificateAuthenticator,
    ...(tokenAuthFile === undefined
      ? []
      : [createTokenFileAuthenticator(await readFile(tokenAuthFile, "utf8"))]),
  ];
}
