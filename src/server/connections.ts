import { lookup } from "node:dns/promises";
import type { AdmissionChain } from "../admission/admission-chain.js";
import type { ResourceDefinition } from "../apis/definition/resource-definition.js";
import type { ConnectHandler } from "../endpoints/connect/connect-handler.js";
import type { ConnectTls } from "../endpoints/connect/connect-result.js";
import type { NodeAgentSettings } from "../endpoints/connect/node-agent.js";
import { readPodLog } from "../endpoints/connect/pod-log.js";
import { containerStreams, podPorts } from "../endpoints/connect/pod-streams.js";
import { nodeProxy, podProxy, serviceProxy } from "../endpoints/connect/proxy-targets.js";
import type { Naming } from "../naming/naming.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { readFileOfOption } from "./options/option-failure.js";
import type { Options } from "./options/options.js";

export interface ConnectionsParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly registry: (group: string, resource: string) => ResourceRegistry;
  readonly admission: AdmissionChain;
  readonly nodeAgentTls: ConnectTls;
}

/** The subresources that node agents, pods and services answer, by subresource and verb. */
export function connectionsOf(
  parts: ConnectionsParts,
  definition: ResourceDefinition,
): ReadonlyMap<string, ConnectHandler> {
  if (definition.group !== "") return new Map();
  const { registry, admission } = parts;
  const agents = agentSettings(parts);
  const proxied = {
    registry: (resource: string) => registry("", resource),
    agents,
    admission,
    resolve: async (name: string) => (await lookup(name, { all: true })).map(({ address }) => address),
    random: Math.random,
  };
  switch (definition.resource) {
    case "pods": {
      const pods = () => registry("", "pods");
      const streams = { pods, agents, admission };
      return new Map([
        ["log/get", readPodLog(pods, agents)],
        ...bothMethods("exec", containerStreams(streams, "exec")),
        ...bothMethods("attach", containerStreams(streams, "attach")),
        ...bothMethods("portforward", podPorts(streams)),
        ["proxy", podProxy(proxied)],
      ]);
    }
    case "services":
      return new Map([["proxy", serviceProxy(proxied)]]);
    case "nodes":
      return new Map([["proxy", nodeProxy(proxied)]]);
    default:
      return new Map();
  }
}

/** Rejects with an `Error` that names the option whose file cannot be read. */
export async function loadNodeAgentTls(options: Options, naming: Naming): Promise<ConnectTls> {
  const {
    nodeagentCertificateAuthority: caFile,
    nodeagentClientCertificate: certFile,
    nodeagentClientKey: keyFile,
  } = options;
  return {
    // As in Kubernetes, an agent's certificate is taken for what it is when nobody says who signs it.
    verify: caFile !== undefined,
    ca: await readFileOfOption("nodeagent-certificate-authority", caFile, naming),
    cert: await readFileOfOption("nodeagent-client-certificate", certFile, naming),
    key: await readFileOfOption("nodeagent-client-key", keyFile, naming),
  };
}

function agentSettings({ options, naming, registry, nodeAgentTls }: ConnectionsParts): NodeAgentSettings {
  return {
    nodes: () => registry("", "nodes"),
    addressTypes: options.nodeagentPreferredAddressTypes,
    endpointField: naming.field("nodeagentEndpoint"),
    tls: nodeAgentTls,
    connectTimeoutMs: options.nodeagentTimeoutMs,
  };
}

/** WebSockets are opened by GET, other upgrades by POST. */
function bothMethods(name: string, handler: ConnectHandler): [string, ConnectHandler][] {
  return [
    [`${name}/get`, handler],
    [`${name}/create`, handler],
  ];
}
