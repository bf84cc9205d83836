import { lookup } from "node:dns/promises";
import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { ControllerContext } from "../../controllers/controller.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { ConnectTls } from "../../endpoints/connect/connect-result.js";
import type { NodeAgentSettings } from "../../endpoints/connect/node-agent.js";
import type { KindParts, TokenIssuing } from "../../endpoints/kinds/kind-behaviour.js";
import type { EndpointSettings } from "../../endpoints/resource/resource-endpoint.js";
import type { ServiceAllocation } from "../../registry/core/service/service-allocation.js";
import { issueToken, type ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import { componentProbes } from "../connections/component-probes.js";
import { nodeAgentSettings } from "../connections/node-agents.js";
import type { Foundation } from "../foundation/foundation.js";
import { issuanceMetrics } from "../metrics/issuance-metrics.js";
import { podLogMetrics } from "../metrics/pod-log-metrics.js";
import type { Options } from "../options/options.js";

export interface KindPartsInputs extends Foundation {
  readonly schemas: SchemaRegistry;
  readonly catalog: LiveCatalog;
  readonly context: ControllerContext;
  readonly settings: EndpointSettings;
  readonly admission: AdmissionChain;
  readonly access: Pick<KindParts, "authorizer" | "authenticateToken" | "escalation">;
  readonly services: ServiceAllocation;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly nodeAgentTls: ConnectTls;
  /** Set where nodes are simulated. */
  readonly simulatedAgent: NodeAgentSettings["simulated"];
}

/** Makes what the strategies of kinds need, by the options. */
export function kindParts(inputs: KindPartsInputs): KindParts {
  const { options, naming, gates, metrics, stores, catalog, access } = inputs;
  const { builtin } = inputs.context;
  return {
    naming,
    level: options.apiLevel,
    schemas: inputs.schemas,
    settings: inputs.settings,
    registry: (group, resource) => catalog.registry(group, resource),
    builtin,
    resourceOf: (kind) => catalog.resourceOf(kind),
    admission: inputs.admission,
    isEnabled: gates.isEnabled,
    authorizer: access.authorizer,
    authenticateToken: access.authenticateToken,
    tokens: tokenIssuing(options, inputs.serviceAccountTokens),
    components: componentProbes({
      naming,
      level: options.apiLevel,
      checkStore: () => stores.checkHealth(),
      storeServers: options.storeServers.length,
    }),
    agents: {
      ...nodeAgentSettings(options, naming, () => builtin("nodes"), inputs.nodeAgentTls),
      simulated: inputs.simulatedAgent,
    },
    podLogs: podLogMetrics(metrics, naming),
    certificateIssued: issuanceMetrics(metrics, naming),
    services: inputs.services,
    escalation: access.escalation,
    resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    random: Math.random,
  };
}

/** A server without a signing key cannot issue tokens. */
function tokenIssuing(
  options: Options,
  { issuer, apiAudiences, maxExpirationSeconds, extendedExpirationSeconds }: ServiceAccountTokens,
): TokenIssuing | undefined {
  if (issuer === undefined) return undefined;
  return {
    issue: issueToken(issuer),
    apiAudiences,
    maxExpirationSeconds,
    extendedExpirationSeconds,
    extendExpiration: options.serviceAccountExtendTokenExpiration,
  };
}
