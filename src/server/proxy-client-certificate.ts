import type { Naming } from "../naming/naming.js";
import { readFileOfOption } from "./options/option-failure.js";
import type { Options } from "./options/options.js";

/** What this server shows to extension servers; undefined without `--proxy-client-cert-file`. */
export type ProxyClientCertificate = { readonly certPem: string; readonly keyPem: string } | undefined;

/** Rejects with an `Error` that names the option whose file cannot be read. */
export async function loadProxyClientCertificate(
  options: Options,
  naming: Naming,
): Promise<ProxyClientCertificate> {
  const certPem = await readFileOfOption("proxy-client-cert-file", options.proxyClientCertFile, naming);
  const keyPem = await readFileOfOption("proxy-client-key-file", options.proxyClientKeyFile, naming);
  return certPem === undefined || keyPem === undefined ? undefined : { certPem, keyPem };
}
