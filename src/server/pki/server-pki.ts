import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { TlsFiles } from "../../serving/http/tls-credentials.js";
import { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import type { ApiServerSettings } from "../settings/api-server-parts.js";
import { defaultServiceRange, firstAddress } from "../settings/cluster-addresses.js";
import { type CertDirectory, resolveCertDirectory } from "./cert-directory.js";
import { checkCertificateFiles } from "./check-certificate-files.js";
import type { PkiPair } from "./key-pair-files.js";
import { ensureLocalPki, frontProxyClientName, type LocalPki } from "./local-pki.js";
import { servingNames } from "./serving-names.js";

type PkiSettings = Pick<ApiServerSettings, "options" | "given" | "naming" | "clientKeys">;

/** The certificates of a server: configured ones, and generated ones for the rest. */
export interface ServerPki {
  readonly tls: TlsFiles;
  /** Bundles of the authorities whose client certificates name users. */
  readonly clientAuthorityFiles: readonly string[];
  /** PEM of the authority with which clients verify this server. */
  readonly caPem: string;
  /** For the first administrator; undefined when another authority signs client certificates. */
  readonly admin: Promise<PkiPair> | undefined;
  /** Signs client certificates; undefined when another authority does. */
  readonly issueClient: LocalPki["issueClient"] | undefined;
  /** The same for a certificate request of a client. */
  readonly signRequest: LocalPki["signRequest"] | undefined;
  readonly serviceAccountKeys: ServiceAccountKeys;
  readonly frontProxies: FrontProxySettings;
  /** What the server presents to extension servers and webhooks. */
  readonly proxyClient: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly directory: string;
  /** The default directory was not writable. */
  readonly fellBack: boolean;
  readonly created: readonly string[];
  /** Resolves when no more files will be written. */
  readonly finished: Promise<void>;
}

/** Files of the keys that sign and verify the tokens of service accounts. */
export interface ServiceAccountKeys {
  /** Undefined: this server only verifies tokens that others sign. */
  readonly signingKeyFile: string | undefined;
  readonly publicKeyFiles: readonly string[];
}

/** Which front proxies are trusted, and in which headers they name the user. */
export interface FrontProxySettings {
  /** Undefined: none. */
  readonly caFile: string | undefined;
  /** Common names; empty for any. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  /** Only at levels that read them. */
  readonly uidHeaders?: readonly string[] | undefined;
  readonly extraHeadersPrefix: readonly string[];
}

/** Rejects with an `Error` that names the option whose files cannot be read or written. */
export async function prepareServerPki(settings: PkiSettings, now: number): Promise<ServerPki> {
  const { options, given, naming } = settings;
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = options;
  const place = resolveCertDirectory({
    asked: given.has("cert-dir") ? options.certDir : undefined,
    defaultDirectory: naming.certDirectory,
    dataDirectory: options.dataDir,
  });
  const ownServing = tlsCertFile === undefined || tlsPrivateKeyFile === undefined;
  // A client CA and an explicitly requested administrator's certificate: both CAs are trusted.
  const ownClients = clientCaFile === undefined || options.writeKubeconfig !== undefined;
  await checkCertificateFiles(options, naming);
  const local = await localPki(settings, place, { ownServing, ownClients, now });
  const pair =
    local.serving ?? (ownServing ? undefined : { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile });
  if (pair === undefined) throw new Error("no serving certificate was made");
  const { admin: made } = local;
  const admin = made && forOption(optionOf(place), naming, () => made);
  // It may fail before anyone awaits it.
  admin?.catch(() => undefined);
  const clientAuthorityFiles = [
    ...(clientCaFile === undefined ? [] : [clientCaFile]),
    ...(ownClients ? [local.caFile] : []),
  ];
  const frontProxies = frontProxiesOf(options, local);
  return {
    tls: {
      certFile: pair.certFile,
      keyFile: pair.keyFile,
      sniCertificates: options.tlsSniCertKey.map(({ certFile, keyFile, names }) => ({
        certFile,
        keyFile,
        patterns: names,
      })),
      // Clients choose their certificate by the CAs that the server names.
      clientCaFiles: [
        ...clientAuthorityFiles,
        ...(frontProxies.caFile === undefined ? [] : [frontProxies.caFile]),
      ],
    },
    clientAuthorityFiles,
    // Clients trust a configured certificate itself, or the authority at the end of its file.
    caPem: local.serving?.given === false ? local.caPem : readFileSync(pair.certFile, "utf8"),
    admin,
    issueClient: ownClients ? local.issueClient : undefined,
    signRequest: ownClients ? local.signRequest : undefined,
    serviceAccountKeys: serviceAccountKeysOf(options, local),
    frontProxies,
    proxyClient: proxyClientOf(options, local),
    directory: place.directory,
    fellBack: place.fellBack && (ownServing || ownClients),
    created: local.created,
    finished: local.finished,
  };
}

/** Creates what the options do not name, or finds it in the directory. */
function localPki(
  { options, naming, clientKeys }: PkiSettings,
  place: CertDirectory,
  own: { readonly ownServing: boolean; readonly ownClients: boolean; readonly now: number },
): Promise<LocalPki> {
  const [serviceRange = defaultServiceRange] = options.serviceClusterIpRange;
  const names = [
    options.externalHostname,
    options.bindAddress,
    options.advertiseAddress,
    firstAddress(serviceRange),
  ];
  return forOption(optionOf(place), naming, () =>
    ensureLocalPki({
      directory: place.directory,
      now: own.now,
      authorityName: `${naming.apiServiceName}-ca`,
      ...(own.ownServing && {
        serving: {
          commonName: naming.commandName,
          names: servingNames({
            naming,
            clusterDomain: "cluster.local",
            hostName: hostname(),
            others: names,
          }),
        },
      }),
      ...(own.ownClients && {
        admin: { commonName: `${naming.apiServiceName}-admin`, organizations: ["system:masters"] },
        clientKeys,
      }),
      serviceAccountKey:
        options.serviceAccountSigningKeyFile === undefined &&
        options.serviceAccountKeyFile.length === 0 &&
        options.serviceAccountSigningEndpoint === undefined,
      frontProxy: !configuresFrontProxies(options),
    }),
  );
}

/** The option to name in errors about files in the directory. */
function optionOf({ fellBack }: CertDirectory): "data-dir" | "cert-dir" {
  return fellBack ? "data-dir" : "cert-dir";
}

function serviceAccountKeysOf(options: Options, { serviceAccountKey: made }: LocalPki): ServiceAccountKeys {
  return {
    signingKeyFile: options.serviceAccountSigningKeyFile ?? made?.privateKeyFile,
    publicKeyFiles: made === undefined ? options.serviceAccountKeyFile : [made.publicKeyFile],
  };
}

function frontProxiesOf(options: Options, { frontProxy: made }: LocalPki): FrontProxySettings {
  if (made === undefined) {
    return {
      caFile: options.requestheaderClientCaFile,
      allowedNames: options.requestheaderAllowedNames,
      usernameHeaders: options.requestheaderUsernameHeaders,
      groupHeaders: options.requestheaderGroupHeaders,
      uidHeaders: options.requestheaderUidHeaders,
      extraHeadersPrefix: options.requestheaderExtraHeadersPrefix,
    };
  }
  const gates = new FeatureGates(options.featureGates, options.apiLevel);
  return {
    ...suggestedFrontProxies,
    ...(gates.isEnabled("RemoteRequestHeaderUID") && { uidHeaders: ["X-Remote-Uid"] }),
    caFile: made.caFile,
  };
}

function proxyClientOf(options: Options, { frontProxy: made }: LocalPki): ServerPki["proxyClient"] {
  const { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile } = options;
  if (made !== undefined) return made.client;
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

/** The headers that Kubernetes suggests, and the server as the only front proxy. */
export const suggestedFrontProxies = {
  allowedNames: [frontProxyClientName],
  usernameHeaders: ["X-Remote-User"],
  groupHeaders: ["X-Remote-Group"],
  extraHeadersPrefix: ["X-Remote-Extra-"],
} as const;

/** If any front proxy option is set, the operator is responsible for all of them. */
function configuresFrontProxies(options: Options): boolean {
  const names = [
    ...options.requestheaderAllowedNames,
    ...options.requestheaderUsernameHeaders,
    ...options.requestheaderGroupHeaders,
    ...options.requestheaderUidHeaders,
    ...options.requestheaderExtraHeadersPrefix,
  ];
  const files = [options.requestheaderClientCaFile, options.proxyClientCertFile, options.proxyClientKeyFile];
  return names.length > 0 || files.some((file) => file !== undefined);
}

export function defaultKubeconfigPath(dataDirectory: string): string {
  return join(dataDirectory, "admin.kubeconfig");
}
