import { badRequest, isStatus, notFound, StatusError } from "../../apimachinery/errors/status.js";
import { hostToDial } from "../../apimachinery/validation/ip-addresses.js";
import type { Node } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { ConnectTarget, ConnectTls } from "./connect-result.js";

export interface NodeAgentSettings {
  readonly nodes: () => ResourceRegistry<Node>;
  /** In order of preference. */
  readonly addressTypes: readonly string[];
  /** The field of `status.daemonEndpoints`, by the profile's name. */
  readonly endpointField: string;
  /** Port of agents that do not publish one. */
  readonly defaultPort: number;
  readonly tls: ConnectTls;
  readonly connectTimeoutMs: number;
  /** Where the agent of a simulated node answers; undefined for any other node. */
  readonly simulated?: ((node: Node) => ConnectTarget | undefined) | undefined;
  /** The feature that a node declares when its agent knows current WebSocket subprotocols. */
  readonly webSocketFeature: string;
}

/** The agent of a node. Throws 404 for an unknown node, 400 for a malformed address and 500 for a node without a usable one. */
export async function nodeAgentTarget(settings: NodeAgentSettings, nodeName: string): Promise<ConnectTarget> {
  return (await nodeAgent(settings, nodeName)).target;
}

export interface NodeAgent {
  readonly target: ConnectTarget;
  /** Whether it knows current WebSocket subprotocols. */
  readonly takesWebSockets: boolean;
}

/** The agent of a pod's node. As in Kubernetes, the error for an unknown node names the requested resource, pods. */
export async function podAgent(settings: NodeAgentSettings, nodeName: string): Promise<NodeAgent> {
  try {
    return await nodeAgent(settings, nodeName);
  } catch (error) {
    throw isStatus(error, "NotFound") ? notFound({ group: "", resource: "pods" }, nodeName) : error;
  }
}

async function nodeAgent(settings: NodeAgentSettings, nodeName: string): Promise<NodeAgent> {
  const stored = await settings.nodes().get("", nodeName, { kind: "any" });
  const node = stored.decode();
  const simulated = settings.simulated?.(node);
  if (simulated !== undefined) return { target: simulated, takesWebSockets: true };
  const { status } = node;
  const port = status.daemonEndpoints?.[settings.endpointField]?.Port ?? 0;
  return {
    target: {
      protocol: "https",
      host: preferredAddress(settings.addressTypes, status.addresses ?? []),
      port: port > 0 ? port : settings.defaultPort,
      tls: settings.tls,
      connectTimeoutMs: settings.connectTimeoutMs,
    },
    takesWebSockets: (status.declaredFeatures ?? []).includes(settings.webSocketFeature),
  };
}

/** Throws 400 for anything but an address or a name to look up. */
function hostOf(address: string): string {
  const host = hostToDial(address);
  if (host === undefined) throw badRequest(`invalid node address ${JSON.stringify(address)}`);
  return host;
}

function preferredAddress(
  types: readonly string[],
  addresses: readonly { readonly type: string; readonly address: string }[],
): string {
  for (const type of types) {
    const found = addresses.find((address) => address.type === type);
    if (found !== undefined) return hostOf(found.address);
  }
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
  throw new StatusError({
    message: `no preferred addresses found; known addresses: [${known}]`,
    code: 500,
  });
}
