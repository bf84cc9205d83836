import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/apimachinery/json/json-value.js";
import { type ApiLevel, apiLevels, isAtLeast, newestLevel } from "../../src/apimachinery/levels/api-level.js";
import {
  type FeatureGateName,
  gateAt,
  gateDefault,
} from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import { builtinResources } from "../../src/apis/builtin-resources.js";
import { type TestContextChoices, testApiContext } from "../../src/apis/testing/api-context.js";
import { changed, kindUnderTest } from "../../src/apis/testing/kind-under-test.js";
import { clientProfile, createNaming } from "../../src/naming/naming.js";
import { minimalObjects } from "../support/minimal-objects.js";

/**
 * Fields that came with a feature gate: the level before them does not know them, levels at which the gate is off drop them, and others keep
 * them. The status of a node keeps all, that of a pod before 1.33. Source: the stages of the gates in the releases of Kubernetes.
 */

interface LaterField {
  /** The behaviour of docs/api-levels.json. */
  readonly id: string;
  readonly kind: string;
  readonly gate: FeatureGateName;
  /** The gate's name at levels before `until`. */
  readonly earlierGate?: { readonly name: FeatureGateName; readonly until: ApiLevel };
  /** The first level whose types have the field; undefined where all have. */
  readonly since?: ApiLevel;
  /** The first level at which the gate is on; undefined where none has it on. */
  readonly on?: ApiLevel;
  /** The first level that lacks the field again. */
  readonly until?: ApiLevel;
  readonly path: string;
  readonly value: JsonValue;
  /** Further members, by path, that make the value valid. */
  readonly beside?: Readonly<Record<string, JsonValue>>;
  /** Further gates that the value needs. */
  readonly needs?: readonly FeatureGateName[];
  /** The errors of what is left when the field is dropped. */
  readonly refused?: string;
  /** The first level that takes what is left. */
  readonly refusedUntil?: ApiLevel;
}

const app: JsonObject = { name: "app", image: "app:1" };
const term: JsonObject = { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } };
const spread: JsonObject = {
  maxSkew: 1,
  topologyKey: "zone",
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: { a: "b" } },
};
const near = (fields: JsonObject): JsonObject => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...fields }] },
});
const indexed: Readonly<Record<string, JsonValue>> = {
  "spec.completionMode": "Indexed",
  "spec.completions": 3,
};
const never: Readonly<Record<string, JsonValue>> = { "spec.template.spec.restartPolicy": "Never" };
const running: JsonObject = {
  name: "app",
  image: "app:1",
  imageID: "",
  ready: true,
  restartCount: 0,
  state: { running: {} },
};

const podFields: readonly LaterField[] = [
  {
    id: "pod-resize",
    kind: "pods",
    gate: "InPlacePodVerticalScaling",
    since: "1.27",
    on: "1.33",
    path: "spec.containers",
    value: [{ ...app, resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] }],
  },
  {
    id: "pod-resize",
    kind: "pods",
    gate: "InPlacePodVerticalScaling",
    since: "1.27",
    on: "1.33",
    path: "status.containerStatuses",
    value: [{ ...running, resources: { limits: { cpu: "1" } } }],
  },
  {
    id: "pod-level-resources",
    kind: "pods",
    gate: "InPlacePodLevelResourcesVerticalScaling",
    since: "1.35",
    on: "1.36",
    path: "status.allocatedResources",
    value: { cpu: "1" },
  },
  {
    id: "pod-supplemental-groups",
    kind: "pods",
    gate: "SupplementalGroupsPolicy",
    since: "1.31",
    on: "1.33",
    path: "status.containerStatuses",
    value: [{ ...running, user: { linux: { uid: 1, gid: 2 } } }],
  },
  {
    id: "pod-recursive-ro",
    kind: "pods",
    gate: "RecursiveReadOnlyMounts",
    since: "1.30",
    on: "1.31",
    path: "status.containerStatuses",
    value: [{ ...running, volumeMounts: [{ name: "v", mountPath: "/v" }] }],
  },
  {
    id: "pod-observed-generation",
    kind: "pods",
    gate: "PodObservedGenerationTracking",
    since: "1.33",
    on: "1.34",
    path: "status.observedGeneration",
    value: 1,
  },
  {
    id: "pod-level-resources",
    kind: "pods",
    gate: "PodLevelResources",
    since: "1.32",
    on: "1.34",
    path: "spec.resources",
    value: { requests: { cpu: "1", memory: "1Gi" } },
  },
  {
    id: "sidecars",
    kind: "pods",
    gate: "SidecarContainers",
    since: "1.28",
    on: "1.29",
    path: "spec.initContainers",
    value: [{ ...app, name: "side", restartPolicy: "Always" }],
  },
  {
    id: "container-restart-rules",
    kind: "pods",
    gate: "ContainerRestartRules",
    since: "1.34",
    on: "1.35",
    path: "spec.containers",
    value: [
      {
        ...app,
        restartPolicy: "Never",
        restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [3] } }],
      },
    ],
  },
  {
    id: "container-stop-signal",
    kind: "pods",
    gate: "ContainerStopSignals",
    since: "1.33",
    path: "spec.containers",
    value: [{ ...app, lifecycle: { stopSignal: "SIGUSR1" } }],
    beside: { "spec.os": { name: "linux" } },
  },
  {
    id: "pod-scheduling-gates",
    kind: "pods",
    gate: "PodSchedulingReadiness",
    since: "1.26",
    on: "1.27",
    path: "spec.schedulingGates",
    value: [{ name: "example.org/wait" }],
  },
  {
    id: "pod-host-users",
    kind: "pods",
    gate: "UserNamespacesSupport",
    earlierGate: { name: "UserNamespacesStatelessPodsSupport", until: "1.28" },
    since: "1.25",
    on: "1.33",
    path: "spec.hostUsers",
    value: false,
  },
  {
    id: "pod-host-ips",
    kind: "pods",
    gate: "PodHostIPs",
    since: "1.28",
    on: "1.29",
    path: "status.hostIPs",
    value: [{ ip: "192.0.2.1" }],
    beside: { "status.hostIP": "192.0.2.1" },
  },
  {
    id: "pod-supplemental-groups",
    kind: "pods",
    gate: "SupplementalGroupsPolicy",
    since: "1.31",
    on: "1.33",
    path: "spec.securityContext",
    value: { supplementalGroupsPolicy: "Strict" },
  },
  {
    id: "pod-selinux-change",
    kind: "pods",
    gate: "SELinuxChangePolicy",
    since: "1.32",
    on: "1.33",
    path: "spec.securityContext",
    value: { seLinuxChangePolicy: "Recursive" },
  },
  {
    id: "pod-apparmor",
    kind: "pods",
    gate: "AppArmorFields",
    since: "1.30",
    on: "1.30",
    path: "spec.containers",
    value: [{ ...app, securityContext: { appArmorProfile: { type: "Unconfined" } } }],
  },
  {
    id: "pod-recursive-ro",
    kind: "pods",
    gate: "RecursiveReadOnlyMounts",
    since: "1.30",
    on: "1.31",
    path: "spec.containers",
    value: [
      {
        ...app,
        volumeMounts: [{ name: "v", mountPath: "/v", readOnly: true, recursiveReadOnly: "Enabled" }],
      },
    ],
    beside: { "spec.volumes": [{ name: "v", emptyDir: {} }] },
  },
  {
    id: "pod-lifecycle-sleep",
    kind: "pods",
    gate: "PodLifecycleSleepAction",
    since: "1.29",
    on: "1.30",
    path: "spec.containers",
    value: [{ ...app, lifecycle: { preStop: { sleep: { seconds: 3 } } } }],
    refused: "spec.containers[0].lifecycle.preStop: Required value: must specify a handler type",
    refusedUntil: "1.30",
  },
  {
    id: "pod-probe-grace",
    kind: "pods",
    gate: "ProbeTerminationGracePeriod",
    on: "1.25",
    path: "spec.containers",
    value: [{ ...app, livenessProbe: { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 3 } }],
  },
  {
    id: "pod-hostname-override",
    kind: "pods",
    gate: "HostnameOverride",
    since: "1.34",
    on: "1.35",
    path: "spec.hostnameOverride",
    value: "host.example.org",
  },
  {
    id: "pod-env-files",
    kind: "pods",
    gate: "EnvFiles",
    since: "1.34",
    on: "1.35",
    path: "spec.containers",
    value: [
      { ...app, env: [{ name: "A", valueFrom: { fileKeyRef: { volumeName: "v", path: "env", key: "A" } } }] },
    ],
    refused:
      'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    beside: { "spec.volumes": [{ name: "v", emptyDir: {} }] },
  },
  {
    id: "pod-workload-ref",
    kind: "pods",
    gate: "GenericWorkload",
    since: "1.35",
    until: "1.36",
    path: "spec.workloadRef",
    value: { name: "w", podGroup: "g" },
  },
  {
    id: "podgroup-api",
    kind: "pods",
    gate: "GenericWorkload",
    since: "1.36",
    path: "spec.schedulingGroup",
    value: { podGroupName: "g" },
  },
  {
    id: "pod-resource-health",
    kind: "pods",
    gate: "ResourceHealthStatus",
    since: "1.31",
    on: "1.36",
    path: "status.containerStatuses",
    value: [
      {
        ...running,
        allocatedResourcesStatus: [
          { name: "example.org/gpu", resources: [{ resourceID: "r", health: "Healthy" }] },
        ],
      },
    ],
  },
  {
    id: "eviction-imagevolume",
    kind: "pods",
    gate: "ImageVolume",
    since: "1.31",
    on: "1.35",
    path: "spec.volumes",
    value: [{ name: "v", image: { reference: "data:1" } }],
  },
  {
    id: "topology-spread",
    kind: "pods",
    gate: "MinDomainsInPodTopologySpread",
    since: "1.24",
    on: "1.27",
    path: "spec.topologySpreadConstraints",
    value: [{ ...spread, minDomains: 2 }],
  },
  {
    id: "topology-spread",
    kind: "pods",
    gate: "NodeInclusionPolicyInPodTopologySpread",
    since: "1.25",
    on: "1.26",
    path: "spec.topologySpreadConstraints",
    value: [{ ...spread, nodeAffinityPolicy: "Ignore", nodeTaintsPolicy: "Honor" }],
  },
  {
    id: "topology-spread",
    kind: "pods",
    gate: "MatchLabelKeysInPodTopologySpread",
    since: "1.25",
    on: "1.27",
    path: "spec.topologySpreadConstraints",
    value: [{ ...spread, matchLabelKeys: ["c"] }],
  },
  {
    id: "affinity-match-label-keys",
    kind: "pods",
    gate: "MatchLabelKeysInPodAffinity",
    since: "1.29",
    on: "1.31",
    path: "spec.affinity",
    value: near({ matchLabelKeys: ["c"] }),
  },
  {
    id: "affinity-match-label-keys",
    kind: "pods",
    gate: "MatchLabelKeysInPodAffinity",
    since: "1.29",
    on: "1.31",
    path: "spec.affinity",
    value: near({ mismatchLabelKeys: ["c"] }),
  },
  {
    id: "pod-os",
    kind: "pods",
    gate: "IdentifyPodOS",
    on: "1.24",
    path: "spec.os",
    value: { name: "linux" },
  },
  {
    id: "proc-mount",
    kind: "pods",
    gate: "ProcMountType",
    on: "1.33",
    path: "spec.containers",
    value: [{ ...app, securityContext: { procMount: "Unmasked" } }],
    beside: { "spec.hostUsers": false },
    needs: ["UserNamespacesSupport"],
  },
  {
    id: "dra-pod-claims",
    kind: "pods",
    gate: "DynamicResourceAllocation",
    since: "1.31",
    on: "1.34",
    path: "spec.resourceClaims",
    value: [{ name: "gpu", resourceClaimName: "gpu" }],
  },
  {
    id: "pod-certificates",
    kind: "pods",
    gate: "PodCertificateRequest",
    since: "1.34",
    path: "spec.volumes",
    value: [
      {
        name: "v",
        projected: {
          sources: [
            {
              podCertificate: { signerName: "example.org/s", keyType: "ED25519", credentialBundlePath: "b" },
            },
          ],
        },
      },
    ],
    beside: { "spec.serviceAccountName": "default" },
  },
  {
    id: "ctb",
    kind: "pods",
    gate: "ClusterTrustBundleProjection",
    since: "1.29",
    path: "spec.volumes",
    value: [{ name: "v", projected: { sources: [{ clusterTrustBundle: { name: "b", path: "p" } }] } }],
  },
];

const otherFields: readonly LaterField[] = [
  {
    id: "service-ipmode",
    kind: "services",
    gate: "LoadBalancerIPMode",
    since: "1.29",
    on: "1.30",
    path: "status.loadBalancer",
    value: { ingress: [{ ip: "192.0.2.1", ipMode: "Proxy" }] },
    beside: { "spec.type": "LoadBalancer" },
  },
  {
    id: "pvc-resize-recovery",
    kind: "persistentvolumeclaims",
    gate: "RecoverVolumeExpansionFailure",
    since: "1.28",
    on: "1.32",
    path: "status.allocatedResourceStatuses",
    value: { storage: "NodeResizePending" },
  },
  {
    id: "job-index-backoff",
    kind: "jobs.batch",
    gate: "JobBackoffLimitPerIndex",
    since: "1.28",
    on: "1.29",
    path: "spec.backoffLimitPerIndex",
    value: 1,
    beside: { ...indexed, ...never },
  },
  {
    id: "job-pod-failure-policy",
    kind: "jobs.batch",
    gate: "JobPodFailurePolicy",
    since: "1.25",
    on: "1.26",
    path: "spec.podFailurePolicy",
    value: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] },
    beside: never,
  },
  {
    id: "job-replacement-policy",
    kind: "jobs.batch",
    gate: "JobPodReplacementPolicy",
    since: "1.28",
    on: "1.29",
    path: "spec.podReplacementPolicy",
    value: "Failed",
    beside: never,
  },
  {
    id: "job-success-policy",
    kind: "jobs.batch",
    gate: "JobSuccessPolicy",
    since: "1.30",
    on: "1.31",
    path: "spec.successPolicy",
    value: { rules: [{ succeededCount: 1 }] },
    beside: { ...indexed, ...never },
  },
  {
    id: "job-managed-by",
    kind: "jobs.batch",
    gate: "JobManagedBy",
    since: "1.30",
    on: "1.32",
    path: "spec.managedBy",
    value: "example.org/other",
    beside: never,
  },
  {
    id: "cronjob-timezone",
    kind: "cronjobs.batch",
    gate: "CronJobTimeZone",
    since: "1.24",
    on: "1.25",
    path: "spec.timeZone",
    value: "Europe/Berlin",
  },
  {
    id: "statefulset-ordinals",
    kind: "statefulsets.apps",
    gate: "StatefulSetStartOrdinal",
    since: "1.26",
    on: "1.27",
    path: "spec.ordinals",
    value: { start: 1 },
  },
  {
    id: "statefulset-max-unavailable",
    kind: "statefulsets.apps",
    gate: "MaxUnavailableStatefulSet",
    since: "1.24",
    path: "spec.updateStrategy",
    value: { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable: 2 } },
  },
  {
    id: "statefulset-pvc-retention",
    kind: "statefulsets.apps",
    gate: "StatefulSetAutoDeletePVC",
    on: "1.27",
    path: "spec.persistentVolumeClaimRetentionPolicy",
    value: { whenDeleted: "Delete", whenScaled: "Retain" },
  },
  {
    id: "deployment-terminating",
    kind: "deployments.apps",
    gate: "DeploymentReplicaSetTerminatingReplicas",
    since: "1.33",
    on: "1.35",
    path: "status.terminatingReplicas",
    value: 1,
  },
  {
    id: "hpa-tolerance",
    kind: "horizontalpodautoscalers.autoscaling",
    gate: "HPAConfigurableTolerance",
    since: "1.33",
    on: "1.35",
    path: "spec.behavior.scaleUp",
    value: { tolerance: "100m" },
  },
  {
    id: "eviction-unready",
    kind: "poddisruptionbudgets.policy",
    gate: "PDBUnhealthyPodEvictionPolicy",
    since: "1.26",
    on: "1.27",
    path: "spec.unhealthyPodEvictionPolicy",
    value: "AlwaysAllow",
  },
  {
    id: "service-traffic-distribution",
    kind: "services",
    gate: "ServiceTrafficDistribution",
    since: "1.30",
    on: "1.31",
    path: "spec.trafficDistribution",
    value: "PreferClose",
  },
  {
    id: "endpointslice-hints",
    kind: "endpointslices.discovery",
    gate: "TopologyAwareHints",
    on: "1.24",
    path: "endpoints",
    value: [{ addresses: ["192.0.2.1"], hints: { forZones: [{ name: "z" }] } }],
  },
  {
    id: "endpointslice-hints",
    kind: "endpointslices.discovery",
    gate: "PreferSameTrafficDistribution",
    since: "1.33",
    on: "1.34",
    path: "endpoints",
    value: [{ addresses: ["192.0.2.1"], hints: { forNodes: [{ name: "n" }] } }],
  },
  {
    id: "pvc-datasource-ref",
    kind: "persistentvolumeclaims",
    gate: "AnyVolumeDataSource",
    on: "1.24",
    path: "spec.dataSourceRef",
    value: { apiGroup: "example.org", kind: "Any", name: "a" },
  },
  {
    id: "pvc-vac",
    kind: "persistentvolumeclaims",
    gate: "VolumeAttributesClass",
    since: "1.29",
    on: "1.34",
    path: "spec.volumeAttributesClassName",
    value: "fast",
  },
  {
    id: "csi-secrets",
    kind: "persistentvolumes",
    gate: "CSINodeExpandSecret",
    since: "1.25",
    on: "1.27",
    path: "spec.csi",
    value: { driver: "d.example.org", volumeHandle: "h", nodeExpandSecretRef: { name: "s", namespace: "n" } },
    beside: { "spec.hostPath": null },
  },
  {
    id: "csi-driver-fields",
    kind: "csidrivers.storage",
    gate: "SELinuxMountReadWriteOncePod",
    since: "1.25",
    on: "1.28",
    path: "spec.seLinuxMount",
    value: true,
  },
  {
    id: "csi-driver-fields",
    kind: "csidrivers.storage",
    gate: "MutableCSINodeAllocatableCount",
    since: "1.33",
    on: "1.35",
    path: "spec.nodeAllocatableUpdatePeriodSeconds",
    value: 10,
  },
  {
    id: "csi-driver-fields",
    kind: "csidrivers.storage",
    gate: "CSIServiceAccountTokenSecrets",
    since: "1.35",
    on: "1.35",
    path: "spec.serviceAccountTokenInSecrets",
    value: true,
    beside: { "spec.tokenRequests": [{ audience: "a" }] },
  },
  {
    id: "csi-volumeattachment-error-code",
    kind: "volumeattachments.storage",
    gate: "MutableCSINodeAllocatableCount",
    since: "1.33",
    on: "1.35",
    path: "status.attachError",
    value: { message: "full", errorCode: 8 },
    beside: { "status.attached": false },
  },
  {
    id: "node-declared-features",
    kind: "nodes",
    gate: "NodeDeclaredFeatures",
    since: "1.35",
    on: "1.36",
    path: "status.declaredFeatures",
    value: ["A", "B"],
  },
  {
    id: "node-runtime-handlers",
    kind: "nodes",
    gate: "RecursiveReadOnlyMounts",
    since: "1.30",
    on: "1.31",
    path: "status.runtimeHandlers",
    value: [{ name: "runc", features: { recursiveReadOnlyMounts: true } }],
  },
  {
    id: "leader-candidates",
    kind: "leases.coordination",
    gate: "CoordinatedLeaderElection",
    since: "1.31",
    path: "spec.strategy",
    value: "OldestEmulationVersion",
  },
];

const claim = (request: JsonObject): JsonValue => [{ name: "gpu", ...request }];
const exactly: JsonObject = { deviceClassName: "gpu.example.org" };
const device = (fields: JsonObject): JsonValue => [{ name: "gpu-0", ...fields }];

const draFields: readonly LaterField[] = [
  {
    id: "dra-extended-resource",
    kind: "deviceclasses.resource",
    gate: "DRAExtendedResource",
    since: "1.34",
    on: "1.36",
    path: "spec.extendedResourceName",
    value: "example.org/gpu",
  },
  {
    // 1.32 has it beside the name of the request.
    id: "dra-admin-access",
    kind: "resourceclaims.resource",
    gate: "DRAAdminAccess",
    since: "1.33",
    on: "1.34",
    path: "spec.devices.requests",
    value: claim({ exactly: { ...exactly, adminAccess: true } }),
  },
  {
    id: "dra-prioritized-list",
    kind: "resourceclaims.resource",
    gate: "DRAPrioritizedList",
    since: "1.33",
    on: "1.34",
    path: "spec.devices.requests",
    value: claim({ firstAvailable: [{ name: "a", ...exactly }] }),
    refused:
      "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
  },
  {
    id: "dra-taints",
    kind: "resourceclaims.resource",
    gate: "DRADeviceTaints",
    since: "1.33",
    on: "1.36",
    path: "spec.devices.requests",
    value: claim({ exactly: { ...exactly, tolerations: [{ key: "example.org/a", operator: "Exists" }] } }),
  },
  {
    id: "dra-taints",
    kind: "resourceslices.resource",
    gate: "DRADeviceTaints",
    since: "1.33",
    on: "1.36",
    path: "spec.devices",
    value: device({ taints: [{ key: "example.org/a", effect: "NoSchedule" }] }),
  },
  {
    id: "dra-capacity",
    kind: "resourceslices.resource",
    gate: "DRAConsumableCapacity",
    since: "1.34",
    on: "1.36",
    path: "spec.devices",
    value: device({ allowMultipleAllocations: true }),
  },
  {
    id: "dra-binding-conditions",
    kind: "resourceslices.resource",
    gate: "DRADeviceBindingConditions",
    since: "1.34",
    on: "1.36",
    path: "spec.devices",
    value: device({
      bindsToNode: true,
      bindingConditions: ["example.org/ready"],
      bindingFailureConditions: ["example.org/failed"],
    }),
  },
  {
    id: "dra-partitionable",
    kind: "resourceslices.resource",
    gate: "DRAPartitionableDevices",
    since: "1.33",
    on: "1.36",
    path: "spec.sharedCounters",
    value: [{ name: "memory", counters: { all: { value: "8Gi" } } }],
    beside: { "spec.devices": null },
  },
];

describe.each([...podFields, ...otherFields, ...draFields])("$id: $path of $kind behind $gate", (field) => {
  const { since, on, until } = field;
  const changes = [since, on, until].filter((level) => level !== undefined);
  const levels = new Set([...changes.map(levelBefore), ...changes, newestLevel]);

  test.each([...levels])("at %s", async (level) => {
    const isFrom = (first: ApiLevel | undefined): boolean => first !== undefined && isAtLeast(level, first);
    if ((since !== undefined && !isFrom(since)) || isFrom(until)) {
      expect(await outcomeOf(field, level, {})).toBe("unknown");
      return;
    }
    const { earlierGate } = field;
    const gate = earlierGate === undefined || isFrom(earlierGate.until) ? field.gate : earlierGate.name;
    const needs = Object.fromEntries((field.needs ?? []).map((name) => [name, true]));
    const refused =
      field.refusedUntil !== undefined && isFrom(field.refusedUntil) ? undefined : field.refused;
    const dropped = isKept(field, level) ? "kept" : (refused ?? "dropped");
    const isOn = isFrom(on);
    expect(gateDefault(gate, level)).toBe(isOn);
    const known = gateAt(gate, level);
    const isFixed = known === undefined || known.locked === true;
    for (const state of isFixed ? [isOn] : [true, false]) {
      expect(await outcomeOf(field, level, { [gate]: state, ...needs })).toBe(state ? "kept" : dropped);
    }
  });
});

/** Whether gates do not matter for writes of the status. */
function isKept({ kind, path }: LaterField, level: ApiLevel): boolean {
  if (!path.startsWith("status.")) return false;
  return kind === "nodes" || (kind === "pods" && !isAtLeast(level, "1.33"));
}

function levelBefore(level: ApiLevel): ApiLevel {
  return apiLevels[apiLevels.indexOf(level) - 1] ?? level;
}

type Gates = NonNullable<TestContextChoices["gates"]>;

/** What becomes of the field in a new object, or in a write of the status; the errors where the object is not valid. */
async function outcomeOf(
  { kind, path, value, beside = {} }: LaterField,
  level: ApiLevel,
  gates: Gates,
): Promise<string> {
  const context = testApiContext({ level, gates });
  const [resource, group = ""] = kind.split(".");
  const definition = builtinResources(context).find(
    (each) => each.resource === resource && each.group.split(".")[0] === group,
  );
  if (definition === undefined) throw new Error(`${level} has no ${kind}`);
  const tested = kindUnderTest(definition, level);
  const minimal: unknown = (await minimalAt(level))[kind];
  const metadata = { name: "later", namespace: "default", uid: "uid-1" };
  const plain = withAll({ ...toJson(minimal), metadata }, beside);
  const given = withAll(plain, { [path]: value });
  let outcome: ReturnType<typeof tested.create>;
  try {
    outcome = path.startsWith("status.") ? tested.update(given, plain, "status") : tested.create(given);
  } catch (error) {
    if (String(error).includes("has no field")) return "unknown";
    throw error;
  }
  if (outcome.errors.length > 0) return outcome.errors.join("; ");
  const stored = tested.encode(outcome.object);
  return contains(valueAt(stored, path), value) ? "kept" : "dropped";
}

const made = new Map<ApiLevel, ReturnType<typeof minimalObjects>>();

function minimalAt(level: ApiLevel): ReturnType<typeof minimalObjects> {
  let objects = made.get(level);
  if (objects === undefined) {
    objects = minimalObjects(createNaming(clientProfile), level);
    made.set(level, objects);
  }
  return objects;
}

function toJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

/** `null` removes. */
function withAll(object: JsonObject, members: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.entries(members).reduce(
    (made, [path, value]) => changed(made, path, value ?? undefined),
    object,
  );
}

function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path
    .split(".")
    .reduce<JsonValue | undefined>(
      (at, name) => (Array.isArray(at) ? at[Number(name)] : isJsonObject(at) ? at[name] : undefined),
      value,
    );
}

function contains(whole: JsonValue | undefined, part: JsonValue): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((item, index) => contains(whole[index], item));
  if (!isJsonObject(part)) return whole === part;
  return (
    isJsonObject(whole) &&
    Object.entries(part).every(([name, item]) => item === undefined || contains(whole[name], item))
  );
}
