import { alwaysAllow, alwaysDeny, privilegedGroup } from "../../access/authorization/fixed-authorizers.js";
import { NodeAuthorizer, type NodeFeatures } from "../../access/authorization/node/node-authorizer.js";
import { rbacAuthorizer } from "../../access/authorization/rbac/rbac-authorizer.js";
import { authorizerUnion } from "../../access/authorization/union.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { BuiltinResource } from "../../apis/builtin-objects.js";
import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { EscalationParts } from "../../registry/rbac/escalation-hooks.js";
import { nodeRules } from "../bootstrap-rbac/cluster-roles.js";
import { RuleWords } from "../bootstrap-rbac/policy-rules.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { AuthorizationMetrics } from "./authorization-metrics.js";
import type { LoadedAuthorizers } from "./load-authorizers.js";
import { followNodes, type GraphObserver } from "./node-view.js";
import { followRbac, heldRoles } from "./rbac-view.js";
import type { StructuredAuthorization } from "./structured-authorization.js";

export interface AuthorizationParts {
  /** `--authorization-mode`, in order. */
  readonly modes: readonly string[];
  readonly loaded: LoadedAuthorizers;
  /** The authorizers of a file, which replace the modes. */
  readonly structured?: StructuredAuthorization | undefined;
  readonly metrics: AuthorizationMetrics;
  readonly gates: FeatureGates;
  readonly naming: Naming;
  readonly informers: Informers;
  readonly builtin: BuiltinRegistries;
  readonly observeGraph: GraphObserver;
  /** Whether the server serves the resource, whose versions may be disabled. */
  readonly serves: (resource: BuiltinResource) => boolean;
}

/** What the Node authorizer allows. Source: Kubernetes' `plugin/pkg/auth/authorizer/node` at each level. */
function nodeFeatures(gates: FeatureGates): NodeFeatures {
  const { level } = gates;
  const podCertificates = gates.isEnabled("PodCertificateRequest");
  const serviceAccounts =
    gates.isEnabled("NodeAgentServiceAccountTokenForCredentialProviders") ||
    (isAtLeast(level, "1.36") && podCertificates);
  return {
    selectors: gates.isEnabled("AuthorizeNodeWithSelectors"),
    resourceClaims: isAtLeast(level, "1.26"),
    slices: isAtLeast(level, "1.30"),
    ...(isAtLeast(level, "1.33") && { serviceAccounts }),
    ...(isAtLeast(level, "1.34") && { podCertificates }),
  };
}

function nodeAuthorizer(parts: AuthorizationParts): NodeAuthorizer {
  const { naming, gates, informers, builtin, observeGraph: observe, serves } = parts;
  return new NodeAuthorizer({
    graph: followNodes(informers, builtin, naming, { observe, gates, serves }),
    rules: nodeRules(new RuleWords(naming), gates),
    leaseNamespace: naming.nodeLeaseNamespace,
    storageGroup: naming.group("storage"),
    coordinationGroup: naming.group("coordination"),
    resourceGroup: naming.group("resource"),
    certificatesGroup: naming.group("certificates"),
    features: nodeFeatures(gates),
  });
}

/** Whether RBAC decides: with AlwaysAllow there is nothing to escalate to, because roles are never evaluated. */
function consultsRoles(modes: readonly string[]): boolean {
  return !modes.includes("AlwaysAllow");
}

/** What escalation is checked against when another thread decides on access; undefined when the mode cannot prevent it. */
export function escalationOf(
  {
    modes,
    naming,
    informers,
    builtin,
  }: Pick<AuthorizationParts, "modes" | "naming" | "informers" | "builtin">,
  authorizer: Authorizer,
): EscalationParts | undefined {
  if (!consultsRoles(modes)) return undefined;
  const group = naming.group("rbac.authorization");
  return { group, authorizer, roles: heldRoles(followRbac(informers, builtin), group) };
}

export interface Authorization {
  readonly authorizer: Authorizer;
  /** Prevents writers of roles and bindings from granting more than they hold; undefined when the mode cannot prevent it. */
  readonly escalation: EscalationParts | undefined;
}

/** The configured authorizers, after the one for `system:masters`, and the informers they use. */
export function createAuthorization(parts: AuthorizationParts): Authorization {
  const { modes, loaded, naming, informers, builtin, gates } = parts;
  const group = naming.group("rbac.authorization");
  const roles = consultsRoles(modes) ? followRbac(informers, builtin) : undefined;
  const authorizerOf = (mode: string): Authorizer => {
    switch (mode) {
      case "AlwaysAllow":
        return alwaysAllow;
      case "AlwaysDeny":
        return alwaysDeny;
      case "RBAC":
        return rbacAuthorizer(roles ?? followRbac(informers, builtin), group);
      case "Node":
        return nodeAuthorizer(parts);
      case "ABAC":
        return given(loaded.abac, mode);
      case "Webhook":
        return given(loaded.webhook, mode);
      default:
        throw new Error(`authorization mode ${mode} is unknown`);
    }
  };
  const counts = isAtLeast(gates.level, "1.30");
  const countedOf = (mode: string): Authorizer => {
    const name = mode === "Webhook" ? "default" : mode.toLowerCase();
    return counts ? parts.metrics.counted(authorizerOf(mode), mode, name) : authorizerOf(mode);
  };
  const asked =
    parts.structured === undefined ? modes.map(countedOf) : [parts.structured.authorizer(authorizerOf)];
  const authorizer = authorizerUnion([privilegedGroup("system:masters"), ...asked]);
  return { authorizer, escalation: roles && { group, authorizer, roles: heldRoles(roles, group) } };
}

/** The options were validated: a mode has its file. */
function given(authorizer: Authorizer | undefined, mode: string): Authorizer {
  if (authorizer === undefined) throw new Error(`authorization mode ${mode} has no file`);
  return authorizer;
}
