import { readFile } from "node:fs/promises";
import type { Naming } from "../../naming/naming.js";
import { forOption } from "../options/option-failure.js";
import type { ServerPki } from "../pki/server-pki.js";

/**
 * The certificate that this server presents to extension servers and webhooks; undefined when front proxies are configured without one.
 */
export type ProxyClientCertificate = { readonly certPem: string; readonly keyPem: string } | undefined;

/** Rejects with an `Error` that names the option whose file cannot be read. */
export async function loadProxyClientCertificate(
  { proxyClient }: ServerPki,
  naming: Naming,
): Promise<ProxyClientCertificate> {
  if (proxyClient === undefined) return undefined;
  const { certFile, keyFile } = proxyClient;
  return {
    certPem: await forOption("proxy-client-cert-file", naming, () => readFile(certFile, "utf8")),
    keyPem: await forOption("proxy-client-key-file", naming, () => readFile(keyFile, "utf8")),
  };
}
