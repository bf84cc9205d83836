import "reflect-metadata";
import { generateKeyPairSync, sign, type webcrypto } from "node:crypto";
import { BasicConstraintsExtension, X509CertificateGenerator } from "@peculiar/x509";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { type ApiLevel, isAtLeast, oldestLevel } from "../../src/apimachinery/levels/api-level.js";
import type { Naming } from "../../src/naming/naming.js";

/** Little more than a kind's validation requires, without kind, apiVersion and name. */
export type ObjectParts = Readonly<Record<string, unknown>>;

const labels = { app: "a" };
const selector = { matchLabels: labels };
const container = { name: "c", image: "image" };
const podTemplate = { metadata: { labels }, spec: { containers: [container] } };
const webhook = {
  name: "hook.example.org",
  clientConfig: { url: "https://hook.example.org/" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const resourceRules = [
  { operations: ["CREATE"], apiGroups: ["example.org"], apiVersions: ["v1"], resources: ["things"] },
];
const deviceClaim = {
  spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.example.org" } }] } },
};
/** The fields as they were before 1.31. */
const classicClaimObjects = {
  "resourceclaims.resource": { spec: { resourceClassName: "c" } },
  "resourceclaimtemplates.resource": { spec: { spec: { resourceClassName: "c" } } },
  "resourceclasses.resource": { driverName: "driver.example.org" },
  "resourceclaimparameters.resource": {
    driverRequests: [
      { driverName: "driver.example.org", requests: [{ namedResources: { selector: "true" } }] },
    ],
  },
  "resourceclassparameters.resource": { filters: [], vendorParameters: [] },
  "resourceslices.resource": {
    nodeName: "node-1",
    driverName: "driver.example.org",
    namedResources: { instances: [{ name: "gpu-0", attributes: [{ name: "model", string: "a100" }] }] },
  },
};
const microTime = "2022-03-04T05:06:07.123456Z";

/**
 * An object of every kind that can be stored, by `resource.group` (the group up to its first dot), in the first version that is
 * served. Namespaced ones have their place in `default`.
 */
export async function minimalObjects(
  naming: Naming,
  level: ApiLevel = oldestLevel,
): Promise<Readonly<Record<string, ObjectParts>>> {
  const shares = isAtLeast(level, "1.26") ? "nominalConcurrencyShares" : "assuredConcurrencyShares";
  const rbac = naming.group("rbac.authorization");
  return {
    "apiservices.apiregistration": {
      metadata: { name: "v1.example.org" },
      spec: {
        group: "example.org",
        version: "v1",
        groupPriorityMinimum: 1000,
        versionPriority: 10,
        service: { name: "s", namespace: "default" },
        insecureSkipTLSVerify: true,
      },
    },
    "certificatesigningrequests.certificates": {
      spec: {
        request: await testSigningRequest(),
        signerName: "example.org/signer",
        usages: ["client auth"],
      },
    },
    "clustertrustbundles.certificates": { spec: { trustBundle: await trustAnchor() } },
    "clusterrolebindings.rbac": {
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "s", namespace: "default" }],
    },
    "clustercidrs.networking": { spec: { perNodeHostBits: 8, ipv4: "10.1.0.0/16" } },
    "clusterroles.rbac": { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    configmaps: { data: { a: "<b>&\u2028", "c.d": "" }, binaryData: { bytes: "AAEC/w==" } },
    "controllerrevisions.apps": { revision: 9_007_199_254, data: { spec: { any: ["thing", 1, null] } } },
    "cronjobs.batch": {
      spec: {
        schedule: "*/5 * * * *",
        jobTemplate: { spec: { template: { spec: { ...podTemplate.spec, restartPolicy: "Never" } } } },
      },
    },
    "csidrivers.storage": { spec: { attachRequired: false } },
    "csinodes.storage": {
      spec: { drivers: [{ name: "driver.example.org", nodeID: "n", topologyKeys: ["zone"] }] },
    },
    "csistoragecapacities.storage": { storageClassName: "c", capacity: "1Gi", nodeTopology: selector },
    "customresourcedefinitions.apiextensions": {
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        names: { plural: "things", kind: "Thing" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  spec: { type: "object", properties: { size: { type: "integer", default: 3 } } },
                },
              },
            },
          },
        ],
      },
    },
    "daemonsets.apps": { spec: { selector, template: podTemplate } },
    "deployments.apps": {
      spec: {
        replicas: 0,
        selector,
        template: podTemplate,
        strategy: { rollingUpdate: { maxSurge: "50%", maxUnavailable: 1 } },
      },
    },
    endpoints: { subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }] },
    "endpointslices.discovery": {
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.1"], conditions: { ready: true } }],
      ports: [{ name: "p", port: 80 }],
    },
    events: {
      involvedObject: { kind: "Pod", name: "p", namespace: "default" },
      reason: "Why",
      message: "m",
      type: "Normal",
      count: 2,
    },
    // The same objects as the core group's.
    "events.events": {
      metadata: { name: "minimal-in-group" },
      regarding: { kind: "Pod", name: "p", namespace: "default" },
      reason: "Why",
      action: "Did",
      type: "Normal",
      eventTime: microTime,
      reportingController: "example.org/c",
      reportingInstance: "i",
    },
    "flowschemas.flowcontrol": {
      spec: {
        priorityLevelConfiguration: { name: "l" },
        matchingPrecedence: 500,
        distinguisherMethod: { type: "ByUser" },
      },
    },
    "horizontalpodautoscalers.autoscaling": {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        maxReplicas: 3,
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
          },
        ],
      },
    },
    "ingressclasses.networking": { spec: { controller: "example.org/c" } },
    "ingresses.networking": { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
    "ipaddresses.networking": {
      metadata: { name: "192.0.2.1" },
      spec: { parentRef: { resource: "things", name: "t" } },
    },
    // Without labels of its own, an update would give it those of its template.
    "jobs.batch": {
      metadata: { labels },
      spec: { template: { spec: { ...podTemplate.spec, restartPolicy: "Never" } } },
    },
    "leases.coordination": { spec: { holderIdentity: "h", leaseDurationSeconds: 15, renewTime: microTime } },
    "leasecandidates.coordination": {
      spec: {
        leaseName: "l",
        binaryVersion: "1.2.3",
        emulationVersion: "1.2.0",
        ...(isAtLeast(level, "1.32")
          ? { strategy: "OldestEmulationVersion" }
          : { preferredStrategies: ["OldestEmulationVersion"] }),
      },
    },
    limitranges: { spec: { limits: [{ type: "Container", max: { cpu: "0.5" }, default: { cpu: "250m" } }] } },
    "mutatingadmissionpolicies.admissionregistration": {
      spec: {
        matchConstraints: { resourceRules },
        mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object{}" } }],
        reinvocationPolicy: "Never",
      },
    },
    "mutatingadmissionpolicybindings.admissionregistration": { spec: { policyName: "p" } },
    "mutatingwebhookconfigurations.admissionregistration": { webhooks: [webhook] },
    namespaces: {},
    "networkpolicies.networking": {
      spec: { podSelector: selector, ingress: [{ ports: [{ port: "http" }, { port: 80 }] }] },
    },
    nodes: { spec: { podCIDR: "10.1.0.0/24", taints: [{ key: "k", effect: "NoSchedule" }] } },
    persistentvolumeclaims: {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1.5Gi" } } },
    },
    persistentvolumes: {
      spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1000Mi" }, hostPath: { path: "/data" } },
    },
    "podcertificaterequests.certificates": { spec: podCertificateRequest() },
    "poddisruptionbudgets.policy": { spec: { minAvailable: "50%", selector } },
    pods: {
      metadata: { labels, annotations: { note: 'a "quoted" <text>' } },
      spec: {
        containers: [
          {
            ...container,
            ports: [{ containerPort: 80 }],
            resources: { requests: { cpu: "0.1", memory: "128Mi" } },
            livenessProbe: { httpGet: { port: "http" } },
            env: [{ name: "E", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
          },
        ],
        volumes: [{ name: "v", emptyDir: {} }],
        tolerations: [{ operator: "Exists" }],
      },
    },
    "podsecuritypolicies.policy": {
      spec: {
        seLinux: { rule: "RunAsAny" },
        supplementalGroups: { rule: "RunAsAny" },
        runAsUser: { rule: "RunAsAny" },
        fsGroup: { rule: "RunAsAny" },
      },
    },
    "podschedulingcontexts.resource": { spec: { selectedNode: "n", potentialNodes: ["n", "m"] } },
    "podschedulings.resource": { spec: { selectedNode: "n" } },
    "podgroups.scheduling": { spec: { schedulingPolicy: { gang: { minCount: 2 } } } },
    podtemplates: { template: podTemplate },
    "priorityclasses.scheduling": { value: -5, description: "low" },
    "prioritylevelconfigurations.flowcontrol": {
      spec: { type: "Limited", limited: { [shares]: 5, limitResponse: { type: "Reject" } } },
    },
    "devicetaintrules.resource": {
      spec: {
        deviceSelector: { driver: "driver.example.org" },
        taint: { key: "example.org/broken", effect: "NoSchedule", timeAdded: "2022-03-04T05:06:07Z" },
      },
    },
    "resourcepoolstatusrequests.resource": { spec: { driver: "driver.example.org" } },
    "storageversionmigrations.storagemigration": {
      spec: {
        resource: {
          group: "apps",
          resource: "deployments",
          ...(!isAtLeast(level, "1.35") && { version: "v1" }),
        },
      },
    },
    "storageversions.internal": { metadata: { name: "example.org.things" }, spec: {} },
    "deviceclasses.resource": {
      spec: { selectors: [{ cel: { expression: 'device.driver == "driver.example.org"' } }] },
    },
    "resourceclaims.resource": deviceClaim,
    "resourceclaimtemplates.resource": { spec: deviceClaim },
    "resourceslices.resource": {
      spec: {
        driver: "driver.example.org",
        pool: { name: "node-1", generation: 1, resourceSliceCount: 1 },
        nodeName: "node-1",
        devices: [{ name: "gpu-0", attributes: { model: { string: "a100" } } }],
      },
    },
    "replicasets.apps": { spec: { replicas: 0, selector, template: podTemplate } },
    replicationcontrollers: { spec: { replicas: 0, selector: labels, template: podTemplate } },
    resourcequotas: { spec: { hard: { pods: "1e3", "requests.cpu": "1500m" } } },
    "rolebindings.rbac": {
      roleRef: { apiGroup: rbac, kind: "Role", name: "r" },
      subjects: [{ kind: "ServiceAccount", name: "s", namespace: "default" }],
    },
    "roles.rbac": { rules: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["*"] }] },
    "runtimeclasses.node": { handler: "h", overhead: { podFixed: { memory: "10Mi" } } },
    secrets: { data: { a: "Yg==" }, stringData: { c: "d" } },
    serviceaccounts: { automountServiceAccountToken: false },
    "servicecidrs.networking": { spec: { cidrs: ["192.0.2.0/24"] } },
    services: { spec: { selector: labels, ports: [{ port: 80, targetPort: "http" }] } },
    "statefulsets.apps": { spec: { replicas: 0, serviceName: "s", selector, template: podTemplate } },
    "storageclasses.storage": { provisioner: "example.org/p", parameters: { a: "b" } },
    "validatingadmissionpolicies.admissionregistration": {
      spec: {
        matchConstraints: { resourceRules },
        validations: [{ expression: "object != null" }],
      },
    },
    "validatingadmissionpolicybindings.admissionregistration": {
      spec: { policyName: "p", ...(isAtLeast(level, "1.27") && { validationActions: ["Audit"] }) },
    },
    "validatingwebhookconfigurations.admissionregistration": { webhooks: [webhook] },
    "volumeattributesclasses.storage": { driverName: "example.org", parameters: { a: "b" } },
    "volumeattachments.storage": {
      spec: { attacher: "example.org", nodeName: "n", source: { persistentVolumeName: "v" } },
    },
    ...(isAtLeast(level, "1.31") ? {} : classicClaimObjects),
    "workloads.scheduling": {
      spec: isAtLeast(level, "1.36")
        ? { podGroupTemplates: [{ name: "g", schedulingPolicy: { basic: {} } }] }
        : { podGroups: [{ name: "g", policy: { basic: {} } }] },
    },
  };
}

/** The certificate of an authority, in PEM. */
export async function trustAnchor(): Promise<string> {
  const keys = await ellipticKeys();
  const made = await X509CertificateGenerator.createSelfSigned({
    name: "CN=authority",
    keys,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    extensions: [new BasicConstraintsExtension(true)],
  });
  return `${made.toString("pem")}\n`;
}

function podCertificateRequest(): ObjectParts {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const podUID = "pod-uid";
  return {
    signerName: "example.org/signer",
    podName: "p",
    podUID,
    serviceAccountName: "default",
    serviceAccountUID: "account-uid",
    nodeName: "n",
    nodeUID: "node-uid",
    pkixPublicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    proofOfPossession: sign(null, Buffer.from(podUID), privateKey).toString("base64"),
  };
}

function ellipticKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
}
