import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Naming } from "../../naming/naming.js";
import type { TlsFiles } from "../../serving/http/tls-credentials.js";
import { defaultServiceRange, firstAddress } from "../cluster-addresses.js";
import type { OptionName, Options } from "../options/options.js";
import { resolveCertDirectory } from "./cert-directory.js";
import { ensureLocalPki, type PkiPair } from "./local-pki.js";
import { servingNames } from "./serving-names.js";

/** The certificates a server runs with: those it was given, and those it made for what it was not given. */
export interface ServerPki {
  readonly tls: TlsFiles;
  /** PEM of the authority that clients verify this server by. */
  readonly caPem: string;
  /** For the first administrator; undefined when another authority signs client certificates. */
  readonly admin: PkiPair | undefined;
  readonly serviceAccountKeys: ServiceAccountKeys;
  readonly directory: string;
  /** The default directory could not be written. */
  readonly fellBack: boolean;
  readonly created: readonly string[];
}

/** Files of the keys that sign and verify the tokens of service accounts. */
export interface ServiceAccountKeys {
  /** Undefined: this server verifies what others sign. */
  readonly signingKeyFile: string | undefined;
  readonly publicKeyFiles: readonly string[];
}

/** Rejects when files cannot be read or written. */
export async function prepareServerPki(
  options: Options,
  given: ReadonlySet<OptionName>,
  naming: Naming,
  now: number,
): Promise<ServerPki> {
  const { directory, fellBack } = resolveCertDirectory({
    asked: given.has("cert-dir") ? options.certDir : undefined,
    defaultDirectory: naming.certDirectory,
    dataDirectory: options.dataDir,
  });
  const {
    tlsCertFile,
    tlsPrivateKeyFile,
    clientCaFile,
    serviceAccountSigningKeyFile,
    serviceAccountKeyFile,
  } = options;
  const ownServing = tlsCertFile === undefined || tlsPrivateKeyFile === undefined;
  const [serviceRange = defaultServiceRange] = options.serviceClusterIpRange;
  const local = await ensureLocalPki({
    directory,
    now,
    authorityName: `${naming.apiServiceName}-ca`,
    ...(ownServing && {
      serving: {
        commonName: naming.commandName,
        names: servingNames({
          naming,
          clusterDomain: "cluster.local",
          hostName: hostname(),
          others: [
            options.externalHostname,
            options.bindAddress,
            options.advertiseAddress,
            firstAddress(serviceRange),
          ],
        }),
      },
    }),
    ...(clientCaFile === undefined && {
      admin: { commonName: `${naming.apiServiceName}-admin`, organizations: ["system:masters"] },
    }),
    serviceAccountKey: serviceAccountSigningKeyFile === undefined && serviceAccountKeyFile.length === 0,
  });
  const pair =
    local.serving ?? (ownServing ? undefined : { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile });
  if (pair === undefined) throw new Error("no serving certificate was made");
  return {
    tls: {
      certFile: pair.certFile,
      keyFile: pair.keyFile,
      sniCertificates: options.tlsSniCertKey.map(({ certFile, keyFile, names }) => ({
        certFile,
        keyFile,
        patterns: names,
      })),
      clientCaFiles: [clientCaFile ?? local.caFile],
    },
    caPem: ownServing ? local.caPem : readFileSync(tlsCertFile, "utf8"),
    admin: local.admin,
    serviceAccountKeys: {
      signingKeyFile: serviceAccountSigningKeyFile ?? local.serviceAccountKey?.privateKeyFile,
      publicKeyFiles:
        local.serviceAccountKey === undefined
          ? serviceAccountKeyFile
          : [local.serviceAccountKey.publicKeyFile],
    },
    directory,
    fellBack: fellBack && (ownServing || clientCaFile === undefined),
    created: local.created,
  };
}

export function defaultKubeconfigPath(dataDirectory: string): string {
  return join(dataDirectory, "admin.kubeconfig");
}
