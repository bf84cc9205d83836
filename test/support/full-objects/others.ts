import type { ObjectParts } from "../minimal-objects.js";
import { volumeSpec } from "./core.js";
import { labelSelector, labels } from "./pod-templates.js";

const caBundle = Buffer.from(`-----BEGIN CERTIFICATE-----
MIIBKTCB0KADAgECAgEBMAoGCCqGSM49BAMCMA0xCzAJBgNVBAMTAmNhMB4XDTIy
MDEwMTAwMDAwMFoXDTMyMDEwMTAwMDAwMFowDTELMAkGA1UEAxMCY2EwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQ=
-----END CERTIFICATE-----
`).toString("base64");
const microTime = "2022-03-04T05:06:07.123456Z";
const serviceReference = { namespace: "default", name: "s", path: "/hook", port: 8443 };
const ranges = [{ min: 1, max: 10 }];
const seLinuxOptions = { user: "u", role: "r", type: "t", level: "s0:c1,c2" };

const webhook = {
  name: "hook.example.org",
  clientConfig: { service: serviceReference },
  rules: [
    {
      operations: ["CREATE", "UPDATE"],
      apiGroups: ["apps"],
      apiVersions: ["v1"],
      resources: ["deployments", "deployments/scale"],
      scope: "Namespaced",
    },
  ],
  failurePolicy: "Ignore",
  matchPolicy: "Exact",
  // Nothing that other tests write.
  namespaceSelector: { matchLabels: { "example.org/hooked": "yes" } },
  objectSelector: labelSelector,
  sideEffects: "NoneOnDryRun",
  timeoutSeconds: 5,
  admissionReviewVersions: ["v1", "v1beta1"],
};

const matchResources = {
  namespaceSelector: { matchLabels: { "example.org/hooked": "yes" } },
  objectSelector: labelSelector,
  resourceRules: webhook.rules.map((rule) => ({ ...rule, resourceNames: ["d"] })),
  excludeResourceRules: webhook.rules,
  matchPolicy: "Exact",
};

const target = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const metric = { name: "requests", selector: labelSelector };
const scalingRules = {
  stabilizationWindowSeconds: 60,
  selectPolicy: "Min",
  policies: [
    { type: "Pods", value: 2, periodSeconds: 30 },
    { type: "Percent", value: 50, periodSeconds: 60 },
  ],
};

const ingressService = (port: object): object => ({ service: { name: "s", port } });
const networkPeers = [
  { podSelector: labelSelector, namespaceSelector: labelSelector },
  { ipBlock: { cidr: "192.0.2.0/24", except: ["192.0.2.128/25"] } },
];
const networkPorts = [
  { protocol: "TCP", port: 8000, endPort: 8010 },
  { protocol: "UDP", port: "dns" },
];

/** All groups except the core and the workloads. `group` appends the domain of the profile to a group's name. */
export function fullOtherObjects(
  group: (name: string) => string,
  certificateRequest: string,
): Readonly<Record<string, readonly ObjectParts[]>> {
  const rbac = group("rbac.authorization");
  const rules = [
    {
      verbs: ["get", "list"],
      apiGroups: ["", "apps"],
      resources: ["pods", "pods/log"],
      resourceNames: ["a"],
    },
  ];
  const subjects = [
    { kind: "ServiceAccount", name: "s", namespace: "default" },
    { kind: "User", apiGroup: rbac, name: "u" },
    { kind: "Group", apiGroup: rbac, name: "g" },
  ];
  return {
    "apiservices.apiregistration": [
      {
        metadata: { name: "v1.full.example.org" },
        spec: {
          group: "full.example.org",
          version: "v1",
          groupPriorityMinimum: 1000,
          versionPriority: 10,
          service: { name: "s", namespace: "default", port: 8443 },
          insecureSkipTLSVerify: true,
        },
      },
    ],
    "certificatesigningrequests.certificates": [
      {
        spec: {
          request: certificateRequest,
          signerName: "example.org/signer",
          expirationSeconds: 600,
          usages: ["client auth", "digital signature"],
        },
      },
    ],
    "clusterrolebindings.rbac": [{ roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "r" }, subjects }],
    "clusterroles.rbac": [
      { rules: [...rules, { verbs: ["get"], nonResourceURLs: ["/full", "/full/*"] }] },
      { aggregationRule: { clusterRoleSelectors: [labelSelector] } },
    ],
    "csidrivers.storage": [
      {
        spec: {
          attachRequired: false,
          podInfoOnMount: true,
          volumeLifecycleModes: ["Persistent", "Ephemeral"],
          storageCapacity: true,
          fsGroupPolicy: "File",
          tokenRequests: [{ audience: "a", expirationSeconds: 600 }, { audience: "" }],
          requiresRepublish: true,
        },
      },
    ],
    "csinodes.storage": [
      {
        spec: {
          drivers: [
            { name: "driver.example.org", nodeID: "n", topologyKeys: ["zone"], allocatable: { count: 5 } },
          ],
        },
      },
    ],
    "csistoragecapacities.storage": [
      { storageClassName: "c", capacity: "1Gi", maximumVolumeSize: "512Mi", nodeTopology: labelSelector },
    ],
    "customresourcedefinitions.apiextensions": [fullDefinition, otherDefinition],
    "endpointslices.discovery": [
      {
        addressType: "IPv4",
        endpoints: [
          {
            addresses: ["192.0.2.1", "192.0.2.2"],
            conditions: { ready: true, serving: true, terminating: false },
            hostname: "host",
            targetRef: { kind: "Pod", namespace: "default", name: "p" },
            nodeName: "n",
            zone: "z",
            hints: { forZones: [{ name: "z" }] },
          },
        ],
        ports: [{ name: "p", protocol: "SCTP", port: 80, appProtocol: "example.org/http" }],
      },
    ],
    "flowschemas.flowcontrol": [
      {
        spec: {
          priorityLevelConfiguration: { name: "l" },
          matchingPrecedence: 500,
          distinguisherMethod: { type: "ByNamespace" },
          rules: [
            {
              subjects: [
                { kind: "User", user: { name: "u" } },
                { kind: "Group", group: { name: "g" } },
                { kind: "ServiceAccount", serviceAccount: { namespace: "default", name: "*" } },
              ],
              resourceRules: [
                {
                  verbs: ["get"],
                  apiGroups: ["apps"],
                  resources: ["deployments"],
                  clusterScope: true,
                  namespaces: ["default"],
                },
              ],
              nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["/healthz"] }],
            },
          ],
        },
      },
    ],
    "horizontalpodautoscalers.autoscaling": [
      {
        spec: {
          scaleTargetRef: target,
          minReplicas: 2,
          maxReplicas: 5,
          metrics: [
            {
              type: "ContainerResource",
              containerResource: {
                name: "memory",
                container: "main",
                target: { type: "AverageValue", averageValue: "1Gi" },
              },
            },
            { type: "Pods", pods: { metric, target: { type: "AverageValue", averageValue: "100" } } },
            {
              type: "Object",
              object: { describedObject: target, metric, target: { type: "Value", value: "10k" } },
            },
            { type: "External", external: { metric, target: { type: "Value", value: "30" } } },
            // Last, because conversion through autoscaling/v1, which has a field for it, puts it there.
            {
              type: "Resource",
              resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
            },
          ],
          behavior: { scaleUp: scalingRules, scaleDown: { ...scalingRules, selectPolicy: "Disabled" } },
        },
      },
    ],
    "ingressclasses.networking": [
      {
        spec: {
          controller: "example.org/c",
          parameters: {
            apiGroup: "example.org",
            kind: "Parameters",
            name: "p",
            scope: "Namespace",
            namespace: "default",
          },
        },
      },
    ],
    "ingresses.networking": [
      {
        spec: {
          ingressClassName: "class",
          defaultBackend: { resource: { apiGroup: "example.org", kind: "Bucket", name: "b" } },
          tls: [{ hosts: ["a.example.org", "*.example.org"], secretName: "s" }],
          rules: [
            {
              host: "a.example.org",
              http: {
                paths: [
                  { path: "/", pathType: "Prefix", backend: ingressService({ number: 80 }) },
                  { path: "/b", pathType: "Exact", backend: ingressService({ name: "http" }) },
                ],
              },
            },
          ],
        },
      },
    ],
    "leases.coordination": [
      {
        spec: {
          holderIdentity: "h",
          leaseDurationSeconds: 15,
          acquireTime: microTime,
          renewTime: microTime,
          leaseTransitions: 2,
        },
      },
    ],
    "mutatingadmissionpolicies.admissionregistration": [
      {
        spec: {
          paramKind: { apiVersion: "v1", kind: "ConfigMap" },
          matchConstraints: matchResources,
          matchConditions: [{ name: "mine", expression: "object != null" }],
          variables: [{ name: "labels", expression: "object.metadata.labels" }],
          mutations: [
            { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } },
            { patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'test', path: '/a'}]" } },
          ],
          failurePolicy: "Ignore",
          reinvocationPolicy: "IfNeeded",
        },
      },
    ],
    "mutatingadmissionpolicybindings.admissionregistration": [
      {
        spec: {
          policyName: "p",
          paramRef: { name: "c", namespace: "ns", parameterNotFoundAction: "Deny" },
          matchResources,
        },
      },
    ],
    "mutatingwebhookconfigurations.admissionregistration": [
      { webhooks: [{ ...webhook, reinvocationPolicy: "IfNeeded" }] },
      { webhooks: [{ ...webhook, clientConfig: { url: "https://hook.example.org/", caBundle } }] },
    ],
    "networkpolicies.networking": [
      {
        spec: {
          podSelector: labelSelector,
          ingress: [{ ports: networkPorts, from: networkPeers }],
          egress: [{ ports: networkPorts, to: networkPeers }],
          policyTypes: ["Ingress", "Egress"],
        },
      },
    ],
    "poddisruptionbudgets.policy": [
      { spec: { minAvailable: "50%", selector: labelSelector } },
      { spec: { maxUnavailable: 1, selector: { matchLabels: labels } } },
    ],
    "podsecuritypolicies.policy": [
      {
        spec: {
          privileged: true,
          defaultAddCapabilities: ["NET_ADMIN"],
          requiredDropCapabilities: ["SYS_TIME"],
          allowedCapabilities: ["CHOWN"],
          volumes: ["secret", "csi", "hostPath", "flexVolume"],
          hostNetwork: true,
          hostPorts: [{ min: 8000, max: 9000 }],
          hostPID: true,
          hostIPC: true,
          seLinux: { rule: "MustRunAs", seLinuxOptions },
          runAsUser: { rule: "MustRunAs", ranges },
          runAsGroup: { rule: "MayRunAs", ranges },
          supplementalGroups: { rule: "MustRunAs", ranges },
          fsGroup: { rule: "MayRunAs", ranges },
          readOnlyRootFilesystem: true,
          defaultAllowPrivilegeEscalation: true,
          allowPrivilegeEscalation: true,
          allowedHostPaths: [{ pathPrefix: "/data", readOnly: true }],
          allowedFlexVolumes: [{ driver: "example.org/driver" }],
          allowedCSIDrivers: [{ name: "driver.example.org" }],
          allowedProcMountTypes: ["Default", "Unmasked"],
          allowedUnsafeSysctls: ["net.*"],
          forbiddenSysctls: ["kernel.shm*"],
          runtimeClass: { allowedRuntimeClassNames: ["class"], defaultRuntimeClassName: "class" },
        },
      },
    ],
    "priorityclasses.scheduling": [
      { value: 7, globalDefault: true, description: "d", preemptionPolicy: "Never" },
    ],
    "prioritylevelconfigurations.flowcontrol": [
      {
        spec: {
          type: "Limited",
          limited: {
            assuredConcurrencyShares: 5,
            limitResponse: { type: "Queue", queuing: { queues: 16, handSize: 4, queueLengthLimit: 20 } },
          },
        },
      },
    ],
    "rolebindings.rbac": [{ roleRef: { apiGroup: rbac, kind: "Role", name: "r" }, subjects }],
    "roles.rbac": [{ rules }],
    "runtimeclasses.node": [
      {
        handler: "h",
        overhead: { podFixed: { memory: "10Mi", cpu: "10m" } },
        scheduling: {
          nodeSelector: { a: "b" },
          tolerations: [{ key: "k", operator: "Equal", value: "v", effect: "NoSchedule" }],
        },
      },
    ],
    "storageclasses.storage": [
      {
        provisioner: "example.org/p",
        parameters: { a: "b" },
        reclaimPolicy: "Retain",
        mountOptions: ["ro"],
        allowVolumeExpansion: true,
        volumeBindingMode: "WaitForFirstConsumer",
        allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a", "b"] }] }],
      },
    ],
    "validatingadmissionpolicies.admissionregistration": [
      {
        spec: {
          paramKind: { apiVersion: "v1", kind: "ConfigMap" },
          matchConstraints: matchResources,
          matchConditions: [{ name: "mine", expression: "object != null" }],
          variables: [{ name: "labels", expression: "object.metadata.labels" }],
          validations: [
            {
              expression: "size(variables.labels) > 0",
              message: "no labels",
              messageExpression: "'no labels, ' + request.name",
              reason: "Forbidden",
            },
          ],
          auditAnnotations: [{ key: "who", valueExpression: "request.userInfo.username" }],
          failurePolicy: "Ignore",
        },
      },
    ],
    "validatingadmissionpolicybindings.admissionregistration": [
      {
        spec: {
          policyName: "p",
          paramRef: { name: "c", namespace: "ns", parameterNotFoundAction: "Deny" },
          matchResources,
          validationActions: ["Warn", "Audit"],
        },
      },
      {
        spec: {
          policyName: "p",
          paramRef: {
            selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "Exists" }] },
            parameterNotFoundAction: "Allow",
          },
          validationActions: ["Deny"],
        },
      },
    ],
    "validatingwebhookconfigurations.admissionregistration": [{ webhooks: [webhook] }],
    "volumeattachments.storage": [
      {
        spec: { attacher: "example.org", nodeName: "n", source: { persistentVolumeName: "v" } },
      },
      {
        spec: {
          attacher: "example.org",
          nodeName: "n",
          source: {
            inlineVolumeSpec: {
              ...volumeSpec,
              claimRef: undefined,
              capacity: undefined,
              persistentVolumeReclaimPolicy: undefined,
              storageClassName: undefined,
              volumeMode: undefined,
              nodeAffinity: undefined,
              csi: { driver: "driver.example.org", volumeHandle: "handle", readOnly: true },
            },
          },
        },
      },
    ],
  };
}

const fullDefinition: ObjectParts = {
  metadata: { name: "fulls.full.example.com" },
  spec: {
    group: "full.example.com",
    names: {
      plural: "fulls",
      singular: "full",
      shortNames: ["fl"],
      kind: "Full",
      listKind: "FullList",
      categories: ["every"],
    },
    scope: "Namespaced",
    conversion: {
      strategy: "Webhook",
      webhook: {
        clientConfig: { service: serviceReference },
        conversionReviewVersions: ["v1", "v1beta1"],
      },
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "d",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                title: "t",
                nullable: true,
                minProperties: 0,
                maxProperties: 20,
                properties: {
                  size: {
                    type: "integer",
                    format: "int32",
                    default: 3,
                    minimum: 1,
                    exclusiveMinimum: true,
                    maximum: 9,
                    exclusiveMaximum: true,
                    multipleOf: 1,
                    example: 5,
                  },
                  name: { type: "string", minLength: 1, maxLength: 9, pattern: "^a", enum: ["a", "aa"] },
                  either: { "x-kubernetes-int-or-string": true },
                  list: {
                    type: "array",
                    minItems: 0,
                    maxItems: 5,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["key"],
                    items: { type: "object", required: ["key"], properties: { key: { type: "string" } } },
                  },
                  map: {
                    type: "object",
                    "x-kubernetes-map-type": "atomic",
                    additionalProperties: { type: "string" },
                  },
                  any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  object: {
                    type: "object",
                    "x-kubernetes-embedded-resource": true,
                    "x-kubernetes-preserve-unknown-fields": true,
                  },
                  logic: {
                    type: "string",
                    allOf: [{ minLength: 1 }],
                    anyOf: [{ maxLength: 5 }, { maxLength: 6 }],
                    oneOf: [{ pattern: "^b" }, { pattern: "^c" }],
                    not: { enum: ["bb"] },
                    externalDocs: { description: "d", url: "https://docs.example.org/" },
                  },
                },
              },
              status: {
                type: "object",
                properties: { replicas: { type: "integer" }, selector: { type: "string" } },
              },
            },
          },
        },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.size",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
        additionalPrinterColumns: [
          {
            name: "Size",
            type: "integer",
            format: "int32",
            description: "d",
            priority: 1,
            jsonPath: ".spec.size",
          },
        ],
      },
      {
        name: "v1alpha1",
        served: true,
        storage: false,
        deprecated: true,
        deprecationWarning: "use v1",
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** Converted by a webhook outside the cluster. */
const otherDefinition: ObjectParts = {
  metadata: { name: "others.full.example.com" },
  spec: {
    group: "full.example.com",
    names: { plural: "others", kind: "Other" },
    scope: "Cluster",
    conversion: {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: "https://convert.example.org/", caBundle },
        conversionReviewVersions: ["v1"],
      },
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
