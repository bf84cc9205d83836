import { StatusError } from "../../apimachinery/status.js";
import type { Node } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { ConnectTarget, ConnectTls } from "./connect-result.js";

export interface NodeAgentSettings {
  readonly nodes: () => ResourceRegistry;
  /** In order of preference. */
  readonly addressTypes: readonly string[];
  /** Of `status.daemonEndpoints`, in the profile's words. */
  readonly endpointField: string;
  readonly tls: ConnectTls;
  readonly connectTimeoutMs: number;
}

/** Where agents listen that do not say. */
const defaultPort = 10250;

/** The agent of a node. Throws 404 for an unknown node and 500 for one without a usable address. */
export async function nodeAgentTarget(settings: NodeAgentSettings, nodeName: string): Promise<ConnectTarget> {
  const stored = await settings.nodes().get("", nodeName, { kind: "any" });
  const { status } = stored.decode() as Node; // the registry of nodes holds nothing else
  const port = status.daemonEndpoints?.[settings.endpointField]?.Port ?? 0;
  return {
    protocol: "https",
    host: preferredAddress(settings.addressTypes, status.addresses ?? []),
    port: port > 0 ? port : defaultPort,
    tls: settings.tls,
    connectTimeoutMs: settings.connectTimeoutMs,
  };
}

function preferredAddress(
  types: readonly string[],
  addresses: readonly { readonly type: string; readonly address: string }[],
): string {
  for (const type of types) {
    const found = addresses.find((address) => address.type === type);
    if (found !== undefined) return found.address;
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
  throw new StatusError({
    message: `no preferred addresses found; known addresses: [${known}]`,
    code: 500,
  });
}
