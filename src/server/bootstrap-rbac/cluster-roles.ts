import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ClusterRole, PolicyRule } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { controllerRules } from "./controller-rules.js";
import { RuleWords, read, readWrite, when, write } from "./policy-rules.js";
import { schedulerRules } from "./scheduler-rules.js";

/** The cluster roles of a new cluster. Source: Kubernetes documentation, "Using RBAC Authorization", "Default roles and role bindings". */
export function clusterRoles(naming: Naming, gates: FeatureGates): ClusterRole[] {
  const make = (name: string, rules: readonly PolicyRule[], aggregateTo?: string): ClusterRole => ({
    metadata: {
      name,
      labels: {
        [bootstrappingLabel(naming)]: bootstrapping,
        ...(aggregateTo !== undefined && { [aggregationLabel(naming, aggregateTo)]: "true" }),
      },
      annotations: { [autoUpdateAnnotation(naming)]: "true" },
    },
    // Kubernetes sets no rules for aggregated roles, so it does not own them.
    ...(rules.length > 0 && { rules: [...rules] }),
  });
  const aggregated = (name: string, aggregateTo?: string): ClusterRole => ({
    ...make(name, [], aggregateTo),
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(naming, name)]: "true" } }],
    },
  });
  const words = new RuleWords(naming);
  return [
    aggregated("admin"),
    aggregated("edit", "admin"),
    aggregated("view", "edit"),
    make("system:aggregate-to-admin", adminRules(words), "admin"),
    make("system:aggregate-to-edit", editRules(words, gates), "edit"),
    make("system:aggregate-to-view", viewRules(words, gates), "view"),
    ...[...ownRules(naming, words, gates), ...componentRules(naming, words, gates)].map(([name, rules]) =>
      make(name, rules),
    ),
    ...[...controllerRules(naming, words, gates)].map(([name, rules]) =>
      make(`system:controller:${name}`, rules),
    ),
  ];
}

export const bootstrapping = "rbac-defaults";

export function bootstrappingLabel({ domain }: Naming): string {
  return `${domain}/bootstrapping`;
}

/** `"false"` on one of the server's roles or bindings stops it from being reconciled. */
export function autoUpdateAnnotation({ domain }: Naming): string {
  return `rbac.authorization.${domain}/autoupdate`;
}

function aggregationLabel(naming: Naming, role: string): string {
  return `${naming.group("rbac.authorization")}/aggregate-to-${role}`;
}

function adminRules(words: RuleWords): readonly PolicyRule[] {
  return [
    words.rule("create", "authorization", "localsubjectaccessreviews"),
    words.rule(readWrite, "rbac.authorization", "rolebindings roles"),
  ];
}

function editRules(words: RuleWords, gates: FeatureGates): readonly PolicyRule[] {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const events = has("1.35") ? "" : "events ";
  return [
    words.rule(read, "core", "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy"),
    words.rule("impersonate", "core", "serviceaccounts"),
    words.rule(write, "core", "pods pods/attach pods/exec pods/portforward pods/proxy"),
    ...when(has("1.24"), words.rule("create", "core", "pods/eviction")),
    words.rule(
      write,
      "core",
      `configmaps ${events}persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy`,
    ),
    ...when(has("1.24"), words.rule("create", "core", "serviceaccounts/token")),
    ...when(has("1.35"), words.rule(write, "core events", "events")),
    words.rule(
      write,
      "apps",
      "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
    ),
    words.rule(write, "autoscaling", "horizontalpodautoscalers"),
    words.rule(write, "batch", "cronjobs jobs"),
    words.rule(
      write,
      "extensions",
      "daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
    ),
    words.rule(write, "policy", "poddisruptionbudgets"),
    words.rule(write, "networking", "ingresses networkpolicies"),
    ...when(has("1.24"), words.rule(readWrite, "coordination", "leases")),
    ...when(
      has("1.33") && gates.isEnabled("DynamicResourceAllocation"),
      words.rule(write, "resource", "resourceclaims resourceclaimtemplates"),
    ),
    ...when(
      has("1.36") && gates.isEnabled("GenericWorkload"),
      words.rule(write, "scheduling", "podgroups workloads"),
    ),
  ];
}

function viewRules(words: RuleWords, gates: FeatureGates): readonly PolicyRule[] {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  const events = has("1.35") ? "" : "events ";
  return [
    words.rule(
      read,
      "core",
      "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
    ),
    words.rule(
      read,
      "core",
      `bindings ${events}limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status`,
    ),
    words.rule(read, "core", "namespaces"),
    ...when(has("1.35"), words.rule(read, "core events", "events")),
    words.rule(read, "discovery", "endpointslices"),
    words.rule(
      read,
      "apps",
      "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
    ),
    words.rule(read, "autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status"),
    words.rule(read, "batch", "cronjobs cronjobs/status jobs jobs/status"),
    words.rule(
      read,
      "extensions",
      "daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
    ),
    words.rule(read, "policy", "poddisruptionbudgets poddisruptionbudgets/status"),
    words.rule(read, "networking", "ingresses ingresses/status networkpolicies"),
    ...when(
      has("1.33") && gates.isEnabled("DynamicResourceAllocation"),
      words.rule(read, "resource", "resourceclaims resourceclaims/status resourceclaimtemplates"),
    ),
    ...when(
      has("1.36") && gates.isEnabled("GenericWorkload"),
      words.rule(read, "scheduling", "podgroups podgroups/status workloads"),
    ),
  ];
}

/** Lets clients that verify certificates read the cluster's trust bundles. */
export const trustBundleDiscovery = "system:cluster-trust-bundle-discovery";

type NamedRules = readonly [name: string, rules: readonly PolicyRule[]];

/** Roles for people and for their programs. */
function componentPages(gates: FeatureGates): string {
  const flags = gates.isEnabled("ComponentFlagz") ? " /flagz" : "";
  return gates.isEnabled("ComponentStatusz") ? `${flags} /statusz` : flags;
}

function ownRules(naming: Naming, words: RuleWords, gates: FeatureGates): readonly NamedRules[] {
  const certificates = naming.group("certificates");
  const approver = (signer: string): NamedRules => [
    `system:${certificates}:${signer}-approver`,
    [words.rule("approve", "certificates", "signers", `${naming.domain}/${signer}`)],
  ];
  const requests = (kind: string): NamedRules => [
    `system:${certificates}:certificatesigningrequests:${kind}`,
    [words.rule("create", "certificates", `certificatesigningrequests/${kind}`)],
  ];
  const health = "/healthz /livez /readyz";
  const metrics = isAtLeast(gates.level, "1.26") ? "/metrics /metrics/slis" : "/metrics";
  return [
    ["cluster-admin", [words.rule("*", "*", "*"), { verbs: ["*"], nonResourceURLs: ["*"] }]],
    [
      "system:discovery",
      [words.urls(`/api /api/* /apis /apis/* ${health} /openapi /openapi/* /version /version/`)],
    ],
    [
      "system:monitoring",
      [
        words.urls(`${health} /healthz/* /livez/* /readyz/* ${metrics}${componentPages(gates)}`),
        ...when(isAtLeast(gates.level, "1.34"), words.rule("get", "core", "nodes/metrics")),
      ],
    ],
    ["system:public-info-viewer", [words.urls(`${health} /version /version/`)]],
    [
      "system:basic-user",
      [
        words.rule("create", "authorization", "selfsubjectaccessreviews selfsubjectrulesreviews"),
        ...when(
          gates.isEnabled("APISelfSubjectReview"),
          words.rule("create", "authentication", "selfsubjectreviews"),
        ),
      ],
    ],
    ["system:auth-delegator", words.reviews],
    [
      "system:service-account-issuer-discovery",
      [
        words.urls(
          isAtLeast(gates.level, "1.28")
            ? "/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/"
            : "/.well-known/openid-configuration /openid/v1/jwks",
        ),
      ],
    ],
    requests("nodeclient"),
    requests("selfnodeclient"),
    approver(`${naming.commandName}-client`),
    approver(`${naming.commandName}-client-${naming.nodeAgentName}`),
    approver(`${naming.nodeAgentName}-serving`),
    approver("legacy-unknown"),
    ...(gates.isEnabled("ClusterTrustBundle")
      ? [[trustBundleDiscovery, [words.rule(read, "certificates", "clustertrustbundles")]] as const]
      : []),
  ];
}

/** Roles for components of a cluster. */
function componentRules(naming: Naming, words: RuleWords, gates: FeatureGates): readonly NamedRules[] {
  const { users, prefix, nodeAgentName } = naming;
  return [
    [
      "system:heapster",
      [
        words.rule(read, "core", "events namespaces nodes pods"),
        words.rule(read, "extensions", "deployments"),
      ],
    ],
    [`system:${prefix}-aggregator`, [words.rule(read, "core", "endpoints services")]],
    [users.dns, [words.rule("list watch", "core", "endpoints services")]],
    [
      users.controllerManager,
      [
        words.events,
        ...words.leader(`${prefix}-controller-manager`, gates.level),
        words.rule("create", "core", "secrets serviceaccounts"),
        words.rule("delete", "core", "secrets"),
        words.rule("get", "core", "configmaps namespaces secrets serviceaccounts"),
        words.rule("update", "core", "secrets serviceaccounts"),
        ...words.reviews,
        words.rule("list watch", "*", "*"),
        words.rule("create", "core", "serviceaccounts/token"),
      ],
    ],
    [users.scheduler, schedulerRules(naming, words, gates)],
    [
      "system:volume-scheduler",
      [
        words.rule(`${read} patch update`, "core", "persistentvolumes"),
        words.rule(read, "storage", "storageclasses"),
        words.rule(`${read} patch update`, "core", "persistentvolumeclaims"),
      ],
    ],
    [
      "system:persistent-volume-provisioner",
      [
        words.rule(`create delete ${read}`, "core", "persistentvolumes"),
        words.rule(`${read} update`, "core", "persistentvolumeclaims"),
        words.rule(read, "storage", "storageclasses"),
        words.rule("watch", "core", "events"),
        words.events,
      ],
    ],
    ["system:node", nodeRules(words, gates)],
    [
      "system:node-bootstrapper",
      [words.rule(`create ${read}`, "certificates", "certificatesigningrequests")],
    ],
    [
      "system:node-problem-detector",
      [words.rule("get", "core", "nodes"), words.rule("patch", "core", "nodes/status"), words.events],
    ],
    [
      "system:node-proxier",
      [
        words.rule("list watch", "core", "endpoints services"),
        words.rule(read, "core", "nodes"),
        words.events,
        ...when(
          isAtLeast(gates.level, "1.30") && gates.isEnabled("MultiCIDRServiceAllocator"),
          words.rule("list watch", "networking", "servicecidrs"),
        ),
        words.rule("list watch", "discovery", "endpointslices"),
      ],
    ],
    [`system:${nodeAgentName}-api-admin`, agentApiRules(words, gates)],
  ];
}

function agentApiRules(words: RuleWords, gates: FeatureGates): readonly PolicyRule[] {
  const specs = isAtLeast(gates.level, "1.27") ? "" : "nodes/spec ";
  return [
    words.rule(read, "core", "nodes"),
    words.rule("proxy", "core", "nodes"),
    words.rule("*", "core", `nodes/log nodes/metrics nodes/proxy ${specs}nodes/stats`),
    ...when(
      gates.isEnabled("NodeAgentFineGrainedAuthz"),
      words.rule("*", "core", "nodes/configz nodes/healthz nodes/pods"),
    ),
  ];
}

/** Permissions of node agents; the Node authorizer limits each to its own node. */
export function nodeRules(words: RuleWords, gates: FeatureGates): readonly PolicyRule[] {
  const has = (level: ApiLevel): boolean => isAtLeast(gates.level, level);
  return [
    words.rule("create", "authentication", "tokenreviews"),
    words.rule("create", "authorization", "localsubjectaccessreviews subjectaccessreviews"),
    words.rule(read, "core", "services"),
    words.rule(`create ${read}`, "core", "nodes"),
    words.rule("patch update", "core", "nodes/status"),
    words.rule("patch update", "core", "nodes"),
    has("1.35") ? words.events : words.rule("create patch update", "core", "events"),
    words.rule(read, "core", "pods"),
    words.rule("create delete", "core", "pods"),
    words.rule("patch update", "core", "pods/status"),
    words.rule("create", "core", "pods/eviction"),
    words.rule(read, "core", "configmaps secrets"),
    words.rule("get", "core", "persistentvolumeclaims persistentvolumes"),
    words.rule("get", "core", "endpoints"),
    words.rule(`create ${read}`, "certificates", "certificatesigningrequests"),
    words.rule("create delete get patch update", "coordination", "leases"),
    words.rule("get", "storage", "volumeattachments"),
    words.rule("create", "core", "serviceaccounts/token"),
    words.rule("get patch update", "core", "persistentvolumeclaims/status"),
    words.rule(read, "storage", "csidrivers"),
    words.rule("create delete get patch update", "storage", "csinodes"),
    words.rule(read, "node", "runtimeclasses"),
    ...(has("1.26") && gates.isEnabled("DynamicResourceAllocation")
      ? [
          words.rule("get", "resource", "resourceclaims"),
          ...when(has("1.31"), words.rule("deletecollection", "resource", "resourceslices")),
        ]
      : []),
    ...when(gates.isEnabled("ClusterTrustBundle"), words.rule(read, "certificates", "clustertrustbundles")),
    ...when(
      gates.isEnabled("NodeAgentServiceAccountTokenForCredentialProviders"),
      words.rule("get", "core", "serviceaccounts"),
    ),
    ...when(
      gates.isEnabled("PodCertificateRequest"),
      words.rule(`create ${read}`, "certificates", "podcertificaterequests"),
    ),
  ];
}
