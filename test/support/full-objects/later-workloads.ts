import type { ObjectParts } from "../minimal-objects.js";

/** Pods and workloads with the fields that were added after 1.23, in the form of the newest level; each level has a subset. */

const containers = [
  {
    name: "main",
    image: "image:v1",
    env: [
      { name: "plain.1 a", value: "b" },
      {
        name: "FILE",
        valueFrom: { fileKeyRef: { volumeName: "empty", path: "dir/env", key: "KEY", optional: true } },
      },
    ],
    resources: {
      limits: { cpu: "1", memory: "1Gi" },
      requests: { cpu: "500m", memory: "1Gi" },
      claims: [{ name: "device", request: "first" }],
    },
    resizePolicy: [
      { resourceName: "cpu", restartPolicy: "NotRequired" },
      { resourceName: "memory", restartPolicy: "RestartContainer" },
    ],
    restartPolicy: "OnFailure",
    restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [42, 43] } }],
    lifecycle: { preStop: { sleep: { seconds: 3 } }, stopSignal: "SIGUSR1" },
    securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: "p" }, procMount: "Unmasked" },
    volumeMounts: [
      { name: "image", mountPath: "/i", readOnly: true, recursiveReadOnly: "IfPossible" },
      { name: "projected", mountPath: "/p" },
    ],
  },
];

const labelSelector = { matchLabels: { app: "a" } };

const laterPodSpec = {
  os: { name: "linux" },
  hostUsers: false,
  hostnameOverride: "host.example.org",
  restartPolicy: "Always",
  initContainers: [
    {
      name: "sidecar",
      image: "image:v1",
      restartPolicy: "Always",
      startupProbe: { tcpSocket: { port: 80 } },
      resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
    },
  ],
  containers,
  volumes: [
    { name: "image", image: { reference: "registry.example.org/image:v1", pullPolicy: "Never" } },
    { name: "empty", emptyDir: {} },
    {
      name: "projected",
      projected: {
        sources: [
          {
            clusterTrustBundle: {
              signerName: "example.org/signer",
              labelSelector,
              optional: true,
              path: "bundle.pem",
            },
          },
          { clusterTrustBundle: { name: "bundle", path: "named.pem" } },
          {
            podCertificate: {
              signerName: "example.org/signer",
              keyType: "ECDSAP256",
              maxExpirationSeconds: 7200,
              credentialBundlePath: "credential.pem",
              keyPath: "key.pem",
              certificateChainPath: "chain.pem",
              userAnnotations: { "example.org/a": "b" },
            },
          },
        ],
      },
    },
  ],
  resources: { limits: { cpu: "2", memory: "2Gi" }, requests: { cpu: "1", memory: "1Gi" } },
  resourceClaims: [
    { name: "device", resourceClaimName: "claim" },
    { name: "other", resourceClaimTemplateName: "template" },
  ],
  workloadRef: { name: "workload", podGroup: "group", podGroupReplicaKey: "key" },
  schedulingGroup: { podGroupName: "group" },
  securityContext: {
    appArmorProfile: { type: "RuntimeDefault" },
    supplementalGroupsPolicy: "Strict",
    seLinuxChangePolicy: "Recursive",
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector,
      minDomains: 2,
      nodeAffinityPolicy: "Ignore",
      nodeTaintsPolicy: "Honor",
      matchLabelKeys: ["hash"],
    },
  ],
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "zone", labelSelector, matchLabelKeys: ["hash"], mismatchLabelKeys: ["tenant"] },
      ],
    },
  },
  tolerations: [{ key: "k", operator: "Gt", value: "5", effect: "NoSchedule" }, { operator: "Exists" }],
  schedulingGates: [{ name: "example.org/gate" }],
};

// A gated pod's template differs from the gated pod in nothing.
const template = { metadata: { labels: { app: "a" } }, spec: laterPodSpec };
const jobTemplate = {
  metadata: { labels: { app: "a" } },
  spec: { restartPolicy: "Never", containers: [{ name: "main", image: "image" }] },
};
const jobSpec = {
  completions: 3,
  parallelism: 3,
  completionMode: "Indexed",
  backoffLimitPerIndex: 1,
  maxFailedIndexes: 2,
  managedBy: "example.org/controller",
  podReplacementPolicy: "Failed",
  podFailurePolicy: {
    rules: [
      { action: "FailIndex", onExitCodes: { containerName: "main", operator: "In", values: [1, 2] } },
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
    ],
  },
  successPolicy: { rules: [{ succeededIndexes: "0-1", succeededCount: 1 }] },
  suspend: true,
  template: jobTemplate,
};

export const laterWorkloads: Readonly<Record<string, readonly ObjectParts[]>> = {
  "cronjobs.batch": [
    { spec: { schedule: "* * * * *", timeZone: "Etc/UTC", jobTemplate: { spec: jobSpec } } },
  ],
  "deployments.apps": [{ spec: { replicas: 0, selector: labelSelector, template } }],
  "horizontalpodautoscalers.autoscaling": [
    {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        maxReplicas: 3,
        behavior: { scaleUp: { tolerance: "50m" }, scaleDown: { tolerance: "0" } },
      },
    },
  ],
  "jobs.batch": [{ spec: jobSpec }],
  "poddisruptionbudgets.policy": [
    { spec: { minAvailable: 1, selector: labelSelector, unhealthyPodEvictionPolicy: "AlwaysAllow" } },
  ],
  pods: [{ spec: laterPodSpec }],
  "statefulsets.apps": [
    {
      spec: {
        replicas: 0,
        serviceName: "s",
        selector: labelSelector,
        template,
        ordinals: { start: 2 },
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable: "50%" } },
      },
    },
  ],
};
