import { expect, test } from "vitest";
import { type ApiLevel, apiLevels, isAtLeast } from "../../src/apimachinery/levels/api-level.js";
import { type FeatureGateName, gateAt } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import { FeatureGates } from "../../src/server/options/feature-gates.js";

/**
 * Gates of behaviours whose own tests try them on and off. `since` is the first level whose `--feature-gates` takes the gate, `on` the first
 * at which the behaviour is on by default, from then on at all. Source: the stages of the gates in the releases of Kubernetes.
 */
test.each<[id: string, gate: FeatureGateName, since: ApiLevel, on?: ApiLevel]>([
  ["unsafe-delete", "AllowUnsafeMalformedObjectDeletion", "1.32"],
  ["ordered-namespace-deletion", "OrderedNamespaceDeletion", "1.30", "1.33"],
  ["self-subject-review", "APISelfSubjectReview", "1.26", "1.27"],
  ["authn-config", "StructuredAuthenticationConfiguration", "1.29", "1.30"],
  ["authn-anonymous-config", "AnonymousAuthConfigurableEndpoints", "1.31", "1.32"],
  ["authz-config", "StructuredAuthorizationConfiguration", "1.29", "1.30"],
  ["authz-selectors", "AuthorizeWithSelectors", "1.31", "1.32"],
  ["node-restriction-1-32", "AuthorizeNodeWithSelectors", "1.31", "1.32"],
  ["node-restriction-1-32", "ServiceAccountNodeAudienceRestriction", "1.32", "1.33"],
  ["constrained-impersonation", "ConstrainedImpersonation", "1.35", "1.36"],
  ["request-header-uid", "RemoteRequestHeaderUID", "1.32", "1.33"],
  ["cert-uid", "AllowParsingUserUIDFromCertAuth", "1.33", "1.33"],
  ["sa-legacy-tracking", "LegacyServiceAccountTokenTracking", "1.26", "1.27"],
  ["sa-legacy-cleanup", "LegacyServiceAccountTokenCleanUp", "1.28", "1.29"],
  ["sa-external-signer", "ExternalServiceAccountTokenSigner", "1.32", "1.34"],
  ["pod-exec-websocket-authz", "AuthorizePodWebsocketUpgradeCreatePermission", "1.35", "1.35"],
  ["pod-log-stream", "PodLogsQuerySplitStreams", "1.32"],
  ["pod-exec-websocket", "TranslateStreamCloseWebsocketRequests", "1.29", "1.30"],
  ["pod-exec-websocket", "PortForwardWebsockets", "1.30", "1.31"],
  ["pod-exec-websocket-kubelet", "ExtendWebSocketsToNodeAgent", "1.36", "1.36"],
  ["tracing", "APIServerTracing", "1.23", "1.27"],
  ["metrics-slis", "ComponentSLIs", "1.26", "1.27"],
  ["zpages-flagz", "ComponentFlagz", "1.32", "1.36"],
  ["zpages-statusz", "ComponentStatusz", "1.32", "1.36"],
  ["kms-v2", "KMSv2", "1.25", "1.27"],
  ["kms-v2", "KMSv2KDF", "1.28", "1.29"],
  ["list-cost-by-size", "SizeBasedListCostEstimate", "1.34", "1.34"],
  ["svm", "StorageVersionMigrator", "1.30"],
  ["storage-version-api", "StorageVersionAPI", "1.23"],
  ["apiserver-identity", "APIServerIdentity", "1.23", "1.26"],
  ["leader-candidates", "CoordinatedLeaderElection", "1.31"],
  ["ctb", "ClusterTrustBundle", "1.27"],
  ["pod-certificates", "PodCertificateRequest", "1.34"],
  ["service-cidr-objects", "MultiCIDRServiceAllocator", "1.27", "1.33"],
  ["strict-ip-cidr", "StrictIPCIDRValidation", "1.33", "1.36"],
  ["service-names-relaxed", "RelaxedServiceNameValidation", "1.34", "1.36"],
  ["dns-search-relaxed", "RelaxedDNSSearchValidation", "1.32", "1.33"],
  ["env-names-relaxed", "RelaxedEnvironmentVariableValidation", "1.30", "1.32"],
  ["node-declared-features", "NodeDeclaredFeatures", "1.35", "1.36"],
  ["dra-structured", "DynamicResourceAllocation", "1.26", "1.34"],
  ["dra-admin-access", "DRAAdminAccess", "1.32", "1.34"],
  ["dra-device-status", "DRAResourceClaimDeviceStatus", "1.32", "1.33"],
  ["dra-prioritized-list", "DRAPrioritizedList", "1.33", "1.34"],
  ["dra-partitionable", "DRAPartitionableDevices", "1.33", "1.36"],
  ["dra-taints", "DRADeviceTaints", "1.33", "1.36"],
  ["dra-taints", "DRADeviceTaintRules", "1.35"],
  ["dra-capacity", "DRAConsumableCapacity", "1.34", "1.36"],
  ["dra-binding-conditions", "DRADeviceBindingConditions", "1.34", "1.36"],
  ["dra-granular-status", "DRAResourceClaimGranularStatusAuthorization", "1.36", "1.36"],
  ["pod-tolerations-lt-gt", "TaintTolerationComparisonOperators", "1.35"],
  ["pod-grpc-probe", "GRPCContainerProbe", "1.23", "1.24"],
  ["statefulset-max-unavailable", "MaxUnavailableStatefulSet", "1.24"],
  ["job-ready-pods", "JobReadyPods", "1.23", "1.24"],
  ["service-ip-ranges", "ServiceIPStaticSubrange", "1.24", "1.25"],
  ["service-ip-ranges", "ServiceNodePortStaticSubrange", "1.27", "1.28"],
  ["job-elastic", "ElasticIndexedJob", "1.27", "1.27"],
  ["pv-node-affinity-mutable", "MutablePVNodeAffinity", "1.35"],
  ["pvc-rwop", "ReadWriteOncePod", "1.23", "1.27"],
  ["retroactive-default-class", "RetroactiveDefaultStorageClass", "1.25", "1.26"],
  ["csinode-allocatable-mutable", "MutableCSINodeAllocatableCount", "1.33", "1.35"],
])("%s: %s is there since %s, and on since %s", (_id, gate, since, on) => {
  for (const level of apiLevels) {
    const isOn = on !== undefined && isAtLeast(level, on);
    expect([level, new FeatureGates(new Map(), level).isEnabled(gate)]).toEqual([level, isOn]);
    const before = !isAtLeast(level, since);
    if (before) expect([level, gateAt(gate, level)]).toEqual([level, undefined]);
  }
  expect(gateAt(gate, since)).toBeDefined();
});
