import type { TokenAuthenticator } from "../../access/authentication/token-union.js";
import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { Naming } from "../../naming/naming.js";
import type { IssuanceObserver } from "../../registry/certificates/issued-certificates.js";
import type { ServiceAllocation } from "../../registry/core/service/service-allocation.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { RegistryHooks } from "../../registry/generic/write-stages.js";
import type { EscalationParts } from "../../registry/rbac/escalation-hooks.js";
import type { ConnectHandler } from "../connect/connect-handler.js";
import type { NodeAgentSettings } from "../connect/node-agent.js";
import type { PodLogObserver } from "../connect/pod-log.js";
import type { ComponentProbe } from "../operations/component-statuses.js";
import type { ServiceAccountTokenParts } from "../operations/service-account-token.js";
import type { OperationHandler } from "../resource/operation.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";

/** What kind behaviours depend on. */
export interface KindParts {
  readonly naming: Naming;
  readonly level: ApiLevel;
  readonly schemas: SchemaRegistry;
  readonly settings: EndpointSettings;
  readonly registry: (group: string, resource: string) => ResourceRegistry;
  readonly builtin: BuiltinRegistries;
  /** The plural name of a kind that is served in this version. */
  readonly resourceOf: (kind: GroupVersionKind) => string | undefined;
  readonly admission: AdmissionChain;
  readonly isEnabled: (gate: FeatureGateName) => boolean;
  readonly authorizer: Authorizer;
  readonly authenticateToken: TokenAuthenticator;
  /** Undefined for a server without a signing key. */
  readonly tokens: TokenIssuing | undefined;
  readonly components: readonly ComponentProbe[];
  readonly agents: NodeAgentSettings;
  readonly podLogs: PodLogObserver;
  readonly certificateIssued: IssuanceObserver;
  readonly services: ServiceAllocation;
  /** Undefined where the authorization mode allows everyone to grant rights. */
  readonly escalation: EscalationParts | undefined;
  /** The addresses of a host. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
  /** In [0, 1). */
  readonly random: () => number;
}

export type TokenIssuing = Pick<
  ServiceAccountTokenParts,
  "issue" | "apiAudiences" | "maxExpirationSeconds" | "extendExpiration" | "extendedExpirationSeconds"
>;

/** What a built-in kind does beyond plain reads and writes. */
export interface KindBehaviour {
  /** Neutral name of its group. */
  readonly group: string;
  readonly resource: string;
  /** By verb for the resource itself, by `subresource/verb` below it. They replace reads and writes. */
  operations?(
    parts: KindParts,
    definition: ResourceDefinition,
    version: VersionDefinition,
  ): Readonly<Record<string, OperationHandler>>;
  /** Subresources that other servers answer: by `subresource/verb`, or by `subresource` for any method. */
  connections?(parts: KindParts): Readonly<Record<string, ConnectHandler>>;
  /** Hooks around the kind's writes. */
  hooks?(parts: KindParts): RegistryHooks<ApiObject> | undefined;
}
