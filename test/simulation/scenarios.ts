/** What is applied, in a namespace of its own, and what is done when that has settled. */
export interface Scenario {
  readonly name: string;
  readonly objects: readonly object[];
  /** Objects that take the place of the earlier ones, in a second step. */
  readonly next?: readonly object[];
}

const container = { name: "app", image: "app:1" };

function template(labels: object, spec: object = {}, image = "app:1") {
  return { metadata: { labels }, spec: { containers: [{ ...container, image }], ...spec } };
}

function workload(kind: string, name: string, spec: object, pod: object = {}, image?: string) {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: template(labels, pod, image), ...spec },
  };
}

function job(name: string, spec: object) {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: { ...spec, template: { spec: { restartPolicy: "Never", containers: [container] } } },
  };
}

const large = { containers: [{ ...container, resources: { requests: { cpu: "6" } } }] };
const parallel = { serviceName: "db", podManagementPolicy: "Parallel" };
const partitioned = {
  serviceName: "db",
  replicas: 3,
  updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } },
};
const greedy = { containers: [{ ...container, resources: { requests: { cpu: "100" } } }] };

export const scenarios: readonly Scenario[] = [
  { name: "deployment", objects: [workload("Deployment", "web", { replicas: 3 })] },
  {
    name: "rollout",
    objects: [workload("Deployment", "web", { replicas: 3 })],
    next: [workload("Deployment", "web", { replicas: 3 }, {}, "app:2")],
  },
  {
    name: "recreate",
    objects: [workload("Deployment", "web", { replicas: 2, strategy: { type: "Recreate" } })],
    next: [workload("Deployment", "web", { replicas: 2, strategy: { type: "Recreate" } }, {}, "app:2")],
  },
  {
    name: "scaled",
    objects: [workload("Deployment", "web", { replicas: 4 })],
    next: [workload("Deployment", "web", { replicas: 1 })],
  },
  {
    name: "paused",
    objects: [workload("Deployment", "web", { replicas: 2 })],
    next: [workload("Deployment", "web", { replicas: 3, paused: true }, {}, "app:2")],
  },
  { name: "too-large", objects: [workload("Deployment", "web", { replicas: 2 }, greedy)] },
  {
    name: "no-such-node",
    objects: [workload("ReplicaSet", "web", { replicas: 1 }, { nodeSelector: { disk: "none" } })],
  },
  {
    name: "apart",
    objects: [
      workload(
        "Deployment",
        "web",
        { replicas: 4 },
        {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { labelSelector: { matchLabels: { app: "web" } }, topologyKey: "kubernetes.io/hostname" },
              ],
            },
          },
        },
      ),
    ],
  },
  {
    name: "spread",
    objects: [
      workload(
        "Deployment",
        "web",
        { replicas: 6 },
        {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "DoNotSchedule",
              labelSelector: { matchLabels: { app: "web" } },
            },
          ],
        },
      ),
    ],
  },
  { name: "replica-set", objects: [workload("ReplicaSet", "web", { replicas: 2 })] },
  {
    name: "stateful-set",
    objects: [workload("StatefulSet", "db", { replicas: 3, serviceName: "db" })],
    next: [workload("StatefulSet", "db", { replicas: 3, serviceName: "db" }, {}, "app:2")],
  },
  { name: "daemon-set", objects: [workload("DaemonSet", "agent", {})] },
  { name: "job", objects: [job("once", {})] },
  { name: "jobs", objects: [job("many", { completions: 4, parallelism: 2 })] },
  {
    name: "indexed-job",
    objects: [job("indexed", { completions: 3, parallelism: 3, completionMode: "Indexed" })],
  },
  { name: "suspended-job", objects: [job("later", { suspend: true })] },
  {
    name: "service",
    objects: [
      workload("Deployment", "web", { replicas: 2 }),
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web" },
        spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
      },
    ],
  },
  {
    name: "budget",
    objects: [
      workload("Deployment", "web", { replicas: 3 }),
      {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "web" },
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: "web" } } },
      },
    ],
  },
  {
    name: "unbound-claim",
    objects: [
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "data" },
        spec: {
          storageClassName: "",
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Gi" } },
        },
      },
      workload(
        "ReplicaSet",
        "db",
        { replicas: 1 },
        {
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
        },
      ),
    ],
  },
  {
    name: "bound-claim",
    objects: [
      {
        apiVersion: "v1",
        kind: "PersistentVolume",
        metadata: { name: "disk" },
        spec: {
          capacity: { storage: "2Gi" },
          accessModes: ["ReadWriteOnce"],
          hostPath: { path: "/data" },
        },
      },
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "data" },
        spec: {
          storageClassName: "",
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Gi" } },
        },
      },
      workload(
        "ReplicaSet",
        "db",
        { replicas: 1 },
        {
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
        },
      ),
    ],
  },
  {
    name: "replication-controller",
    objects: [
      {
        apiVersion: "v1",
        kind: "ReplicationController",
        metadata: { name: "web" },
        spec: { replicas: 2, selector: { app: "web" }, template: template({ app: "web" }) },
      },
    ],
  },
  {
    name: "preemption",
    objects: [
      {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "urgent" },
        value: 1000,
      },
      workload("ReplicaSet", "batch", { replicas: 3 }, large),
    ],
    next: [workload("ReplicaSet", "web", { replicas: 1 }, { ...large, priorityClassName: "urgent" })],
  },
  {
    name: "daemon-set-update",
    objects: [workload("DaemonSet", "agent", {})],
    next: [workload("DaemonSet", "agent", {}, {}, "app:2")],
  },
  {
    name: "parallel-stateful-set",
    objects: [workload("StatefulSet", "db", { ...parallel, replicas: 4 })],
    next: [workload("StatefulSet", "db", { ...parallel, replicas: 2 })],
  },
  {
    name: "partition",
    objects: [workload("StatefulSet", "db", partitioned)],
    next: [workload("StatefulSet", "db", partitioned, {}, "app:2")],
  },
];
