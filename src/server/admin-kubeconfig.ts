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
export function adminKubeconfig({ pki, host, port, name }: AdminKubeconfigParts): string | undefined {
  const { admin, caPem } = pki;
  if (admin === undefined) return undefined;
  return kubeconfigText({
    name,
    server: `https://${reachableHost(host)}:${port}`,
    caPem,
    credentials: { kind: "certificate", certPem: admin.certPem, keyPem: admin.keyPem },
  });
}

/** An address of this machine that a listener on `bindAddress` answers on, as it stands in a URL. */
export function reachableHost(bindAddress: string): string {
  if (bindAddress === "" || bindAddress === "0.0.0.0") return "127.0.0.1";
  if (bindAddress === "::") return "[::1]";
  return bindAddress.includes(":") ? `[${bindAddress}]` : bindAddress;
}
