import type { ObjectParts } from "../minimal-objects.js";
import { labels, nodeSelectorTerm } from "./pod-templates.js";
import { claimSpec, sharedSources, sourcesWithSecret } from "./volumes.js";

const secretRef = { name: "s", namespace: "default" };
const reference = {
  kind: "Pod",
  namespace: "default",
  name: "p",
  uid: "0e1a4d28-66b0-4a6e-8b1f-1b0f4a1a8d7e",
  apiVersion: "v1",
  resourceVersion: "1",
  fieldPath: "spec.containers{main}",
};
const microTime = "2022-03-04T05:06:07.123456Z";
const eventSeries = { count: 2, lastObservedTime: microTime };

const volumeSources = {
  ...sharedSources,
  ...sourcesWithSecret(secretRef),
  glusterfs: { endpoints: "endpoints", path: "path", readOnly: true, endpointsNamespace: "default" },
  azureFile: { secretName: "s", shareName: "share", readOnly: true, secretNamespace: "default" },
  local: { path: "/mnt/disk", fsType: "ext4" },
  storageos: {
    volumeName: "volume",
    volumeNamespace: "ns",
    fsType: "ext4",
    readOnly: true,
    secretRef: reference,
  },
  csi: {
    driver: "driver.example.org",
    volumeHandle: "handle",
    readOnly: true,
    fsType: "ext4",
    volumeAttributes: { a: "b" },
    controllerPublishSecretRef: secretRef,
    nodeStageSecretRef: secretRef,
    nodePublishSecretRef: secretRef,
    controllerExpandSecretRef: secretRef,
  },
};

export const volumeSpec = {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
  claimRef: { ...reference, kind: "PersistentVolumeClaim", fieldPath: "spec" },
  persistentVolumeReclaimPolicy: "Retain",
  storageClassName: "class",
  mountOptions: ["ro", "soft"],
  volumeMode: "Filesystem",
  nodeAffinity: { required: { nodeSelectorTerms: [nodeSelectorTerm] } },
};

const ports = (first: number, more: object = {}): object[] => [
  { name: "http", protocol: "TCP", appProtocol: "example.org/http", port: first, targetPort: "web", ...more },
  { name: "dns", protocol: "UDP", port: 53, targetPort: 5353 },
];

export const fullCoreObjects: Readonly<Record<string, readonly ObjectParts[]>> = {
  configmaps: [{ immutable: true, data: { a: "<b>&\u2028" }, binaryData: { bytes: "AAEC/w==" } }],
  endpoints: [
    {
      subsets: [
        {
          addresses: [{ ip: "192.0.2.1", hostname: "host", nodeName: "n", targetRef: reference }],
          notReadyAddresses: [{ ip: "2001:db8::1" }],
          ports: [
            { name: "http", port: 80, protocol: "TCP", appProtocol: "example.org/http" },
            { name: "dns", port: 53, protocol: "UDP" },
          ],
        },
      ],
    },
  ],
  events: [
    {
      involvedObject: reference,
      reason: "Why",
      message: "m",
      source: { component: "example.org/c", host: "h" },
      firstTimestamp: "2022-03-04T05:06:07Z",
      lastTimestamp: "2022-03-04T05:06:08Z",
      count: 2,
      type: "Warning",
      eventTime: microTime,
      series: eventSeries,
      action: "Did",
      related: reference,
      reportingComponent: "example.org/c",
      reportingInstance: "i",
    },
  ],
  "events.events": [
    {
      regarding: reference,
      related: reference,
      reason: "Why",
      note: "n",
      action: "Did",
      type: "Normal",
      eventTime: microTime,
      series: eventSeries,
      reportingController: "example.org/c",
      reportingInstance: "i",
    },
  ],
  limitranges: [
    {
      spec: {
        limits: [
          {
            type: "Container",
            max: { cpu: "2", memory: "1Gi" },
            min: { cpu: "100m" },
            default: { cpu: "500m" },
            defaultRequest: { cpu: "200m" },
            maxLimitRequestRatio: { cpu: "10" },
          },
          { type: "Pod", max: { cpu: "4" } },
          { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } },
        ],
      },
    },
  ],
  namespaces: [{ metadata: { labels }, spec: { finalizers: ["example.org/hold", "kubernetes"] } }],
  nodes: [
    {
      spec: {
        podCIDR: "10.1.0.0/24",
        podCIDRs: ["10.1.0.0/24", "2001:db8::/64"],
        providerID: "provider://node",
        unschedulable: true,
        taints: [{ key: "k", value: "v", effect: "NoExecute", timeAdded: "2022-03-04T05:06:07Z" }],
        externalID: "external",
      },
    },
  ],
  persistentvolumeclaims: [{ spec: { ...claimSpec, dataSourceRef: claimSpec.dataSource } }],
  persistentvolumes: Object.entries(volumeSources).map(([source, value]) => ({
    spec: { ...volumeSpec, [source]: value },
  })),
  resourcequotas: [
    {
      spec: {
        hard: { pods: "5", "requests.cpu": "1500m", "limits.memory": "1Gi" },
        scopes: ["NotTerminating"],
        scopeSelector: {
          matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }],
        },
      },
    },
  ],
  secrets: [{ immutable: true, type: "example.org/type", data: { a: "Yg==" }, stringData: { c: "d" } }],
  serviceaccounts: [
    {
      // The rest of the reference is not kept.
      secrets: [{ name: "s" }],
      imagePullSecrets: [{ name: "s" }],
      automountServiceAccountToken: false,
    },
  ],
  services: [
    {
      spec: {
        type: "LoadBalancer",
        selector: labels,
        ports: ports(80, { nodePort: 30_123 }),
        clusterIP: "10.0.0.123",
        clusterIPs: ["10.0.0.123"],
        externalIPs: ["192.0.2.7"],
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
        loadBalancerIP: "192.0.2.8",
        loadBalancerSourceRanges: ["192.0.2.0/24"],
        externalTrafficPolicy: "Local",
        healthCheckNodePort: 30_124,
        publishNotReadyAddresses: true,
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        allocateLoadBalancerNodePorts: true,
        loadBalancerClass: "example.org/class",
        internalTrafficPolicy: "Local",
      },
    },
    { spec: { type: "ExternalName", externalName: "service.example.org", ports: ports(81) } },
    { spec: { type: "ClusterIP", clusterIP: "None", ports: ports(82), ipFamilyPolicy: "RequireDualStack" } },
  ],
};
