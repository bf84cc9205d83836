import { accessSync, constants, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Naming } from "../naming/naming.js";
import { forOption } from "./options/option-failure.js";
import type { Options } from "./options/options.js";
import { kubeconfigText } from "./pki/kubeconfig.js";
import type { ServerPki } from "./pki/server-pki.js";

export interface AdminKubeconfigParts {
  readonly pki: ServerPki;
  /** The address that is listened on. */
  readonly host: string;
  readonly port: number;
  /** Of the cluster and the context. */
  readonly name: string;
}

/** Text of the first administrator's client configuration; undefined when another authority signs client certificates. */
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

/**
 * Makes the data directory and checks that the client configuration can be written, before anything listens. Rejects with an
 * `Error` that names the option.
 */
export async function prepareKubeconfigPlaces(
  { dataDir, writeKubeconfig }: Options,
  naming: Naming,
): Promise<void> {
  await forOption("data-dir", naming, () => void mkdirSync(dataDir, { recursive: true, mode: 0o700 }));
  if (writeKubeconfig === undefined) return;
  await forOption("write-kubeconfig", naming, () => accessSync(dirname(writeKubeconfig), constants.W_OK));
}

/** An address of this machine that a listener on `bindAddress` answers on, as it stands in a URL. */
export function reachableHost(bindAddress: string): string {
  if (bindAddress === "" || bindAddress === "0.0.0.0") return "127.0.0.1";
  if (bindAddress === "::") return "[::1]";
  return bindAddress.includes(":") ? `[${bindAddress}]` : bindAddress;
}
