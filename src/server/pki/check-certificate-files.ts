import { createPrivateKey, type X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseCertificates } from "../../access/authentication/certificates/client-authorities.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import { forOption, OptionFailure } from "../options/option-failure.js";
import type { OptionName, Options } from "../options/options.js";

interface ConfiguredPair {
  readonly certificate: readonly [OptionName, string | undefined];
  readonly key: readonly [OptionName, string | undefined];
}

/**
 * Reads the certificates and keys that options name, so that a wrong file fails the start and not each connection that would use it.
 * Rejects with an `Error` that names the option and the file.
 */
export async function checkCertificateFiles(options: Options, naming: Naming): Promise<void> {
  const authorities: readonly (readonly [OptionName, string | undefined])[] = [
    ["client-ca-file", options.clientCaFile],
    ["requestheader-client-ca-file", options.requestheaderClientCaFile],
    ["nodeagent-certificate-authority", options.nodeagentCertificateAuthority],
    ["store-cafile", options.storeCafile],
  ];
  for (const [name, file] of authorities) {
    if (file !== undefined) await forOption(name, naming, () => void certificatesOf(file));
  }
  checkFrontProxyNames(options, naming);
  const pairs: readonly ConfiguredPair[] = [
    {
      certificate: ["tls-cert-file", options.tlsCertFile],
      key: ["tls-private-key-file", options.tlsPrivateKeyFile],
    },
    ...options.tlsSniCertKey.map(
      ({ certFile, keyFile }): ConfiguredPair => ({
        certificate: ["tls-sni-cert-key", certFile],
        key: ["tls-sni-cert-key", keyFile],
      }),
    ),
    {
      certificate: ["proxy-client-cert-file", options.proxyClientCertFile],
      key: ["proxy-client-key-file", options.proxyClientKeyFile],
    },
    {
      certificate: ["nodeagent-client-certificate", options.nodeagentClientCertificate],
      key: ["nodeagent-client-key", options.nodeagentClientKey],
    },
    {
      certificate: ["store-certfile", options.storeCertfile],
      key: ["store-keyfile", options.storeKeyfile],
    },
  ];
  for (const { certificate, key } of pairs) await checkPair(certificate, key, naming);
}

/** Otherwise each client of a shared CA could name any user. Since Kubernetes 1.35. */
function checkFrontProxyNames(options: Options, naming: Naming): void {
  const { apiLevel, clientCaFile, requestheaderClientCaFile, requestheaderAllowedNames } = options;
  if (clientCaFile === undefined || requestheaderClientCaFile === undefined) return;
  if (requestheaderAllowedNames.length > 0 || !isAtLeast(apiLevel, "1.35")) return;
  const ofClients = new Set(certificatesOf(clientCaFile).map(({ fingerprint256 }) => fingerprint256));
  if (!certificatesOf(requestheaderClientCaFile).some((each) => ofClients.has(each.fingerprint256))) return;
  const reason =
    "must be specified when --requestheader-client-ca-file and --client-ca-file contain overlapping certificates, " +
    "to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users";
  throw new OptionFailure("requestheader-allowed-names", reason, { naming });
}

async function checkPair(
  [certificateName, certFile]: ConfiguredPair["certificate"],
  [keyName, keyFile]: ConfiguredPair["key"],
  naming: Naming,
): Promise<void> {
  if (certFile === undefined || keyFile === undefined) return;
  const [certificate] = await forOption(certificateName, naming, () => certificatesOf(certFile));
  await forOption(keyName, naming, () => checkKey(keyFile, certificate));
}

/** At least one, the server's or client's own first. */
function certificatesOf(file: string): X509Certificate[] {
  return parseCertificates(readFileSync(file, "utf8"), file);
}

function checkKey(file: string, certificate: X509Certificate | undefined): void {
  const pem = readFileSync(file, "utf8");
  let fits: boolean | undefined;
  try {
    fits = certificate?.checkPrivateKey(createPrivateKey(pem));
  } catch (error) {
    throw new Error(`${file}: no private key in PEM form: ${messageOf(error)}`, { cause: error });
  }
  if (fits !== true) throw new Error(`${file}: is not the key of the certificate`);
}
