import type { Node } from "../../apis/gen/core-v1.js";
import type { ConnectTls } from "../../endpoints/connect/connect-result.js";
import type { NodeAgentSettings } from "../../endpoints/connect/node-agent.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { readFileOfOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";

/** Rejects with an `Error` that names the option whose file cannot be read. */
export async function loadNodeAgentTls(options: Options, naming: Naming): Promise<ConnectTls> {
  const {
    nodeagentCertificateAuthority: caFile,
    nodeagentClientCertificate: certFile,
    nodeagentClientKey: keyFile,
  } = options;
  return {
    // As in Kubernetes, an agent's certificate is not verified unless an authority is configured.
    verify: caFile !== undefined,
    ca: await readFileOfOption("nodeagent-certificate-authority", caFile, naming),
    cert: await readFileOfOption("nodeagent-client-certificate", certFile, naming),
    key: await readFileOfOption("nodeagent-client-key", keyFile, naming),
  };
}

export function nodeAgentSettings(
  options: Options,
  naming: Naming,
  nodes: () => ResourceRegistry<Node>,
  tls: ConnectTls,
): NodeAgentSettings {
  return {
    nodes,
    addressTypes: options.nodeagentPreferredAddressTypes,
    endpointField: naming.field("nodeagentEndpoint"),
    defaultPort: options.nodeagentPort,
    tls,
    connectTimeoutMs: options.nodeagentTimeoutMs,
    webSocketFeature: naming.featureGate("ExtendWebSocketsToNodeAgent"),
  };
}
