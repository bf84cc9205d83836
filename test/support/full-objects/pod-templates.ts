import { volumes } from "./volumes.js";

export const labels = { app: "a" };

export const labelSelector = {
  matchLabels: labels,
  matchExpressions: [
    { key: "app", operator: "In", values: ["a", "b"] },
    { key: "other", operator: "DoesNotExist" },
  ],
};

const exec = { command: ["true", "--quiet"] };
const httpGet = {
  path: "/live",
  port: "http",
  host: "127.0.0.1",
  scheme: "HTTPS",
  httpHeaders: [{ name: "X-Probe", value: "1" }],
};
const tcpSocket = { port: 8080, host: "127.0.0.1" };
const timing = { initialDelaySeconds: 1, timeoutSeconds: 2, periodSeconds: 3, failureThreshold: 4 };

const seLinuxOptions = { user: "u", role: "r", type: "t", level: "s0:c1,c2" };
const windowsOptions = {
  gmsaCredentialSpecName: "spec",
  gmsaCredentialSpec: "{}",
  runAsUserName: "NT AUTHORITY\\SYSTEM",
};

const env = [
  { name: "PLAIN", value: "$(FIELD)-1" },
  { name: "FIELD", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.labels['app']" } } },
  {
    name: "RESOURCE",
    valueFrom: { resourceFieldRef: { containerName: "main", resource: "limits.cpu", divisor: "1m" } },
  },
  { name: "MAP", valueFrom: { configMapKeyRef: { name: "m", key: "k", optional: true } } },
  { name: "SECRET", valueFrom: { secretKeyRef: { name: "s", key: "k", optional: false } } },
];

const mainContainer = {
  name: "main",
  image: "registry.example.org/image:v1",
  command: ["run"],
  args: ["--now"],
  workingDir: "/work",
  ports: [{ name: "http", containerPort: 8080, hostPort: 8080, protocol: "TCP", hostIP: "127.0.0.1" }],
  envFrom: [
    { prefix: "M_", configMapRef: { name: "m", optional: true } },
    { secretRef: { name: "s", optional: false } },
  ],
  env,
  resources: {
    limits: { cpu: "1", memory: "1Gi", "example.org/device": "2", "hugepages-2Mi": "4Mi" },
    requests: { cpu: "500m", memory: "512Mi", "ephemeral-storage": "1G", "example.org/device": "2" },
  },
  volumeMounts: [
    {
      name: "empty-dir",
      mountPath: "/e",
      subPath: "sub/path",
      readOnly: true,
      mountPropagation: "HostToContainer",
    },
    { name: "config-map", mountPath: "/m", subPathExpr: "$(PLAIN)" },
  ],
  volumeDevices: [{ name: "persistent-volume-claim", devicePath: "/dev/x" }],
  livenessProbe: { exec, ...timing, terminationGracePeriodSeconds: 5 },
  readinessProbe: { httpGet, ...timing, successThreshold: 2 },
  startupProbe: { tcpSocket, ...timing, successThreshold: 1 },
  lifecycle: { postStart: { exec }, preStop: { httpGet } },
  terminationMessagePath: "/dev/log",
  terminationMessagePolicy: "FallbackToLogsOnError",
  imagePullPolicy: "Never",
  securityContext: {
    capabilities: { add: ["NET_ADMIN"], drop: ["ALL"] },
    privileged: false,
    seLinuxOptions,
    windowsOptions,
    runAsUser: 1,
    runAsGroup: 2,
    runAsNonRoot: true,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    procMount: "Default",
    seccompProfile: { type: "Localhost", localhostProfile: "profiles/a.json" },
  },
  stdin: true,
  stdinOnce: true,
  tty: true,
};

const podAffinityTerm = {
  labelSelector,
  namespaces: ["default"],
  namespaceSelector: labelSelector,
  topologyKey: "topology.example.org/zone",
};
const podAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: [podAffinityTerm],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }],
};

export const nodeSelectorTerm = {
  matchExpressions: [
    { key: "k", operator: "Gt", values: ["5"] },
    { key: "l", operator: "Exists" },
  ],
  matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }],
};

/** All fields that can be combined. */
const podSpec = {
  volumes,
  initContainers: [{ name: "init", image: "image:v2", volumeMounts: [{ name: "secret", mountPath: "/s" }] }],
  containers: [
    mainContainer,
    {
      name: "side",
      image: "image",
      lifecycle: { preStop: { tcpSocket } },
      volumeMounts: [{ name: "host-path", mountPath: "/h", mountPropagation: "None" }],
    },
  ],
  terminationGracePeriodSeconds: 20,
  dnsPolicy: "None",
  nodeSelector: { "example.org/disk": "fast" },
  serviceAccountName: "default",
  serviceAccount: "default",
  automountServiceAccountToken: false,
  nodeName: "n",
  hostNetwork: true,
  hostPID: true,
  hostIPC: true,
  shareProcessNamespace: false,
  securityContext: {
    seLinuxOptions,
    windowsOptions,
    runAsUser: 1,
    runAsGroup: 2,
    runAsNonRoot: true,
    supplementalGroups: [3, 4],
    fsGroup: 5,
    sysctls: [{ name: "example.setting", value: "1" }],
    fsGroupChangePolicy: "OnRootMismatch",
    seccompProfile: { type: "RuntimeDefault" },
  },
  imagePullSecrets: [{ name: "s" }],
  hostname: "host",
  subdomain: "sub",
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeSelectorTerm] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: nodeSelectorTerm }],
    },
    podAffinity,
    podAntiAffinity: podAffinity,
  },
  schedulerName: "scheduler",
  tolerations: [
    { key: "k", operator: "Equal", value: "v", effect: "NoExecute", tolerationSeconds: 60 },
    { operator: "Exists" },
  ],
  hostAliases: [{ ip: "127.0.0.1", hostnames: ["a.example.org"] }],
  priorityClassName: "system-cluster-critical",
  priority: 2_000_000_000,
  preemptionPolicy: "PreemptLowerPriority",
  dnsConfig: {
    nameservers: ["192.0.2.1"],
    searches: ["example.org"],
    options: [{ name: "ndots", value: "2" }, { name: "edns0" }],
  },
  readinessGates: [{ conditionType: "example.org/ready" }],
  enableServiceLinks: false,
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway", labelSelector },
  ],
  setHostnameAsFQDN: false,
};

const templateMetadata = { labels, annotations: { "example.org/note": "n" } };

/** For pods that run forever. */
export const podTemplate = { metadata: templateMetadata, spec: { ...podSpec, restartPolicy: "Always" } };

/** For pods that finish. */
export const jobPodTemplate = {
  metadata: templateMetadata,
  spec: {
    ...podSpec,
    restartPolicy: "OnFailure",
    activeDeadlineSeconds: 100,
    // A template need not have the name that a pod needs.
    runtimeClassName: "class",
    overhead: { cpu: "10m" },
  },
};

/** A pod that admission accepts. */
export const fullPodSpec = { ...podSpec, restartPolicy: "OnFailure", activeDeadlineSeconds: 100 };

/** A pod for Windows, whose fields exclude those of the other pods. */
export const windowsPodSpec = {
  os: { name: "windows" },
  hostNetwork: true,
  securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "ContainerAdministrator" } },
  containers: [
    {
      name: "main",
      image: "image",
      livenessProbe: { grpc: { port: 5000, service: "s" } },
      securityContext: { windowsOptions: { hostProcess: true } },
    },
  ],
};
