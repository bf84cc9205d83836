import { lookup } from "node:dns/promises";
import type { ConnectTls } from "../../endpoints/connect/connect-result.js";
import type { NodeAgentSettings } from "../../endpoints/connect/node-agent.js";
import type { KindParts, TokenIssuing } from "../../endpoints/kinds/kind-behaviour.js";
import { issueToken, type ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import { componentProbes } from "../connections/component-probes.js";
import { nodeAgentSettings } from "../connections/node-agents.js";
import type { Options } from "../options/options.js";
import type { Stores } from "../stores/open-store.js";

type Given =
  | "naming"
  | "schemas"
  | "settings"
  | "registry"
  | "builtin"
  | "resourceOf"
  | "admission"
  | "isEnabled"
  | "authorizer"
  | "authenticateToken"
  | "services"
  | "podLogs"
  | "certificateIssued"
  | "escalation";

export interface KindPartsInputs extends Pick<KindParts, Given> {
  readonly options: Options;
  readonly stores: Stores;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly nodeAgentTls: ConnectTls;
  /** Set where nodes are simulated. */
  readonly simulatedAgent: NodeAgentSettings["simulated"];
}

/** What the behaviours of kinds work with, by the options. */
export function kindParts(inputs: KindPartsInputs): KindParts {
  const { options, stores, serviceAccountTokens, nodeAgentTls, simulatedAgent, ...given } = inputs;
  const { naming, builtin } = given;
  return {
    ...given,
    level: options.apiLevel,
    tokens: tokenIssuing(options, serviceAccountTokens),
    components: componentProbes({
      naming,
      level: options.apiLevel,
      checkStore: () => stores.checkHealth(),
      storeServers: options.storeServers.length,
    }),
    agents: {
      ...nodeAgentSettings(options, naming, () => builtin("nodes"), nodeAgentTls),
      simulated: simulatedAgent,
    },
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
