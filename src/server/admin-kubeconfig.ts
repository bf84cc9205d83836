import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { makeDirectory } from "../files/make-directory.js";
import type { Naming } from "../naming/naming.js";
import { forOption, OptionFailure } from "./options/option-failure.js";
import type { Options } from "./options/options.js";
import { kubeconfigText } from "./pki/kubeconfig.js";
import type { ServerPki } from "./pki/server-pki.js";

export interface AdminKubeconfigParts {
  readonly pki: ServerPki;
  /** The address that the server listens on. */
  readonly host: string;
  readonly port: number;
  /** Name of the cluster and the context. */
  readonly name: string;
}

/** Text of the administrator's client configuration; undefined when another authority signs client certificates. */
export async function adminKubeconfig({
  pki,
  host,
  port,
  name,
}: AdminKubeconfigParts): Promise<string | undefined> {
  const { caPem } = pki;
  const admin = await pki.admin;
  if (admin === undefined) return undefined;
  return kubeconfigText({
    name,
    server: `https://${reachableHost(host)}:${port}`,
    caPem,
    credentials: { kind: "certificate", certPem: admin.certPem, keyPem: admin.keyPem },
  });
}

/** The user of a client configuration. */
export type KubeconfigSubject =
  /** A certificate valid for a year. */
  | { readonly user: string; readonly groups?: readonly string[] | undefined }
  /** A token valid for a day, while the account exists. */
  | { readonly serviceAccount: { readonly namespace: string; readonly name: string } };

export interface ClientKubeconfigParts extends AdminKubeconfigParts {
  readonly naming: Naming;
  /** Resolves with a token for the account. */
  readonly tokenFor: (namespace: string, name: string) => Promise<string>;
}

/**
 * Text of a client configuration for any user. Rejects with an `Error` when this server does not sign client certificates.
 */
export async function clientKubeconfig(
  { pki, host, port, name, naming, tokenFor }: ClientKubeconfigParts,
  subject: KubeconfigSubject,
  now: number,
): Promise<string> {
  const cluster = { name, server: `https://${reachableHost(host)}:${port}`, caPem: pki.caPem };
  if ("serviceAccount" in subject) {
    const { namespace, name: account } = subject.serviceAccount;
    const token = await tokenFor(namespace, account);
    return kubeconfigText({ ...cluster, user: account, credentials: { kind: "token", token } });
  }
  if (subject.user === "") throw new Error("a client configuration needs a user name");
  if (pki.issueClient === undefined) {
    const reason = "names another authority, and only that can sign certificates of users";
    throw new OptionFailure("client-ca-file", reason, { naming });
  }
  const issued = await pki.issueClient({ commonName: subject.user, organizations: subject.groups }, now);
  return kubeconfigText({ ...cluster, user: subject.user, credentials: { kind: "certificate", ...issued } });
}

/**
 * Creates the data directory and checks that the client configuration can be written, before anything listens. Rejects with an `Error` that
 * names the option.
 */
export async function prepareKubeconfigPlaces(
  { dataDir, writeKubeconfig }: Options,
  naming: Naming,
): Promise<void> {
  await forOption("data-dir", naming, () => makeDirectory(dataDir, 0o700));
  if (writeKubeconfig === undefined) return;
  await forOption("write-kubeconfig", naming, () => accessSync(dirname(writeKubeconfig), constants.W_OK));
}

/** An address of this machine at which a listener on `bindAddress` answers, in URL form. */
export function reachableHost(bindAddress: string): string {
  if (bindAddress === "" || bindAddress === "0.0.0.0") return "127.0.0.1";
  if (bindAddress === "::") return "[::1]";
  return bindAddress.includes(":") ? `[${bindAddress}]` : bindAddress;
}
