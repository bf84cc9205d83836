import { generateKeyPairSync, sign } from "node:crypto";
import { testSigningRequest } from "../../../src/admission/testing/signing-request.js";
import type { LevelRange } from "../../../src/apimachinery/levels/api-level.js";
import { type ObjectParts, trustAnchor } from "../minimal-objects.js";

/**
 * An object of a kind that was added after 1.23, in the form of the newest level in its range; earlier levels have only some of its
 * fields.
 */
export interface LaterObject extends LevelRange {
  readonly parts: ObjectParts;
  /** What is written to its status. */
  readonly status?: ObjectParts;
}

const condition = {
  type: "Ready",
  status: "True",
  observedGeneration: 1,
  lastTransitionTime: "2024-05-06T07:08:09Z",
  reason: "Because",
  message: "m",
};
const driver = "driver.example.org";
const opaque = { driver, parameters: { apiVersion: "example.org/v1", kind: "Config", size: 1 } };
const selectors = [{ cel: { expression: `device.driver == "${driver}"` } }];
const nodeSelector = {
  nodeSelectorTerms: [
    {
      matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }],
      matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }],
    },
  ],
};
const tolerations = [
  {
    key: "example.org/broken",
    operator: "Equal",
    value: "yes",
    effect: "NoExecute",
    tolerationSeconds: 60,
  },
  { operator: "Exists" },
];
const devices = {
  requests: [
    {
      name: "gpu",
      exactly: {
        deviceClassName: "gpu.example.org",
        selectors,
        allocationMode: "ExactCount",
        count: 2,
        adminAccess: true,
        tolerations,
        capacity: { requests: { "example.org/memory": "1Gi" } },
      },
    },
    {
      name: "either",
      firstAvailable: [
        {
          name: "large",
          deviceClassName: "gpu.example.org",
          selectors,
          allocationMode: "ExactCount",
          count: 1,
          tolerations,
          capacity: { requests: { "example.org/memory": "2Gi" } },
        },
        { name: "all", deviceClassName: "gpu.example.org", allocationMode: "All" },
      ],
    },
  ],
  constraints: [
    { requests: ["gpu"], matchAttribute: `${driver}/model` },
    { requests: ["either"], distinctAttribute: `${driver}/slot` },
  ],
  config: [{ requests: ["gpu", "either/large"], opaque }],
};
const device = { driver, pool: "node-1", device: "gpu-0" };
const shareID = "11111111-2222-3333-4444-555555555555";
const claimStatus = {
  allocation: {
    devices: {
      results: [
        {
          request: "gpu",
          ...device,
          adminAccess: true,
          tolerations,
          bindingConditions: ["example.org/Attached"],
          bindingFailureConditions: ["example.org/Lost"],
          shareID,
          consumedCapacity: { "example.org/memory": "1Gi" },
        },
      ],
      config: [{ source: "FromClaim", requests: ["gpu"], opaque }],
    },
    nodeSelector,
    allocationTimestamp: "2024-05-06T07:08:09Z",
  },
  reservedFor: [{ apiGroup: "example.org", resource: "things", name: "t", uid: "uid" }],
  devices: [
    {
      ...device,
      shareID,
      conditions: [condition],
      data: { any: ["thing"] },
      networkData: {
        interfaceName: "net1",
        ips: ["192.0.2.1/24", "2001:db8::1/64"],
        hardwareAddress: "00:11:22:33:44:55",
      },
    },
  ],
};

const sliceDevices = [
  {
    name: "gpu-0",
    attributes: {
      model: { string: "a100" },
      slot: { int: 3 },
      ecc: { bool: true },
      [`${driver}/version`]: { version: "1.2.3" },
    },
    capacity: {
      memory: {
        value: "40Gi",
        requestPolicy: { default: "1Gi", validRange: { min: "1Gi", max: "10Gi", step: "1Gi" } },
      },
      cores: { value: "8", requestPolicy: { default: "1", validValues: ["1", "2"] } },
    },
    allNodes: true,
    taints: [
      { key: "example.org/broken", value: "yes", effect: "NoSchedule", timeAdded: "2024-05-06T07:08:09Z" },
    ],
    bindsToNode: true,
    bindingConditions: ["example.org/Attached"],
    bindingFailureConditions: ["example.org/Lost"],
    allowMultipleAllocations: true,
    nodeAllocatableResourceMappings: {
      memory: { capacityKey: "memory", allocationMultiplier: "2" },
    },
  },
  { name: "gpu-1", nodeName: "n" },
  { name: "gpu-2", nodeSelector },
];
const listDevice = {
  name: "gpu-0",
  attributes: {
    models: { strings: ["a", "b"] },
    slots: { ints: [1, 2] },
    flags: { bools: [true, false] },
    versions: { versions: ["1.2.3"] },
  },
};
const pool = { name: "node-1", generation: 1, resourceSliceCount: 3 };
const counters = { memory: { value: "1Gi" } };
const sharedCounters = [{ name: "set", counters }];
const consuming = [{ name: "part", consumesCounters: [{ counterSet: "set", counters }] }];

const groups = [
  { name: "one", policy: { gang: { minCount: 2 } } },
  { name: "each", policy: { basic: {} } },
];
const groupTemplate = {
  schedulingPolicy: { gang: { minCount: 2 } },
  schedulingConstraints: { topology: [{ key: "zone" }] },
  resourceClaims: [
    { name: "named", resourceClaimName: "claim" },
    { name: "made", resourceClaimTemplateName: "template" },
  ],
  disruptionMode: "PodGroup",
  priorityClassName: "high",
  priority: 5,
};
const controllerRef = { apiGroup: "example.org", kind: "Job", name: "j" };

/**
 * By `resource.group`, like `minimalObjects`. Where names are free, they are `later-0` and so on; the name of a workload is needed by its
 * pod group.
 */
export async function laterKinds(): Promise<Readonly<Record<string, readonly LaterObject[]>>> {
  const time = "2024-05-06T07:08:09.000000Z";
  return {
    "clustertrustbundles.certificates": [
      {
        parts: {
          metadata: { name: "example.org:signer:bundle" },
          spec: { signerName: "example.org/signer", trustBundle: await trustAnchor() },
        },
      },
    ],
    "deviceclasses.resource": [
      { parts: { spec: { selectors, config: [{ opaque }], extendedResourceName: "example.org/gpu" } } },
    ],
    "devicetaintrules.resource": [
      {
        parts: {
          spec: {
            deviceSelector: device,
            taint: {
              key: "example.org/broken",
              value: "yes",
              effect: "NoExecute",
              timeAdded: "2024-05-06T07:08:09Z",
            },
          },
        },
        status: { conditions: [condition] },
      },
    ],
    "ipaddresses.networking": [
      {
        parts: {
          metadata: { name: "192.0.2.7" },
          spec: { parentRef: { group: "example.org", resource: "things", namespace: "ns", name: "t" } },
        },
      },
    ],
    "leasecandidates.coordination": [
      {
        parts: {
          spec: {
            leaseName: "lease",
            pingTime: time,
            renewTime: time,
            binaryVersion: "1.2.3",
            emulationVersion: "1.2.0",
            strategy: "OldestEmulationVersion",
          },
        },
      },
    ],
    "podcertificaterequests.certificates": await podCertificateRequests(),
    "podgroups.scheduling": [
      {
        parts: {
          spec: {
            podGroupTemplateRef: { workload: { workloadName: "later-0", podGroupTemplateName: "one" } },
            ...groupTemplate,
          },
        },
        status: {
          conditions: [condition],
          resourceClaimStatuses: [{ name: "made", resourceClaimName: "claim" }],
        },
      },
      { parts: { spec: { schedulingPolicy: { basic: {} } } } },
    ],
    "resourceclaims.resource": [{ parts: { spec: { devices } }, status: claimStatus }],
    "resourceclaimtemplates.resource": [
      {
        parts: {
          spec: { metadata: { labels: { a: "b" }, annotations: { c: "d" } }, spec: { devices } },
        },
      },
    ],
    "resourcepoolstatusrequests.resource": [
      {
        parts: { spec: { driver, poolName: "node-1", limit: 10 } },
        status: {
          poolCount: 1,
          pools: [
            {
              driver,
              poolName: "node-1",
              generation: 1,
              resourceSliceCount: 1,
              totalDevices: 4,
              allocatedDevices: 1,
              availableDevices: 2,
              unavailableDevices: 1,
              nodeName: "n",
            },
          ],
          conditions: [{ ...condition, type: "Complete" }],
        },
      },
    ],
    "resourceslices.resource": [
      { parts: { spec: { driver, pool, perDeviceNodeSelection: true, devices: sliceDevices } } },
      // From 1.35 on, counters are in slices of their own.
      { until: "1.35", parts: { spec: { driver, pool, nodeSelector, sharedCounters, devices: consuming } } },
      { since: "1.35", parts: { spec: { driver, pool, allNodes: true, sharedCounters } } },
      { since: "1.35", parts: { spec: { driver, pool, nodeSelector, devices: consuming } } },
      { since: "1.36", parts: { spec: { driver, pool, nodeName: "n", devices: [listDevice] } } },
      { parts: { spec: { driver, pool, nodeName: "n" } } },
    ],
    "servicecidrs.networking": [
      {
        parts: { spec: { cidrs: ["192.0.2.0/24", "2001:db8::/64"] } },
        status: { conditions: [condition] },
      },
    ],
    "storageversionmigrations.storagemigration": [
      {
        until: "1.35",
        parts: {
          spec: {
            resource: { group: "apps", version: "v1", resource: "deployments" },
            continueToken: "token",
          },
        },
      },
      {
        since: "1.35",
        parts: { spec: { resource: { group: "apps", resource: "deployments" } } },
        status: { conditions: [condition], resourceVersion: "1" },
      },
    ],
    "volumeattributesclasses.storage": [{ parts: { driverName: driver, parameters: { iops: "5" } } }],
    "workloads.scheduling": [
      { until: "1.36", parts: { spec: { controllerRef, podGroups: groups } } },
      {
        since: "1.36",
        parts: {
          spec: {
            controllerRef,
            podGroupTemplates: [
              { name: "one", ...groupTemplate },
              { name: "each", schedulingPolicy: { basic: {} } },
            ],
          },
        },
      },
    ],
  };
}

async function podCertificateRequests(): Promise<readonly LaterObject[]> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const podUID = "pod-uid";
  const spec = {
    signerName: "example.org/signer",
    podName: "p",
    podUID,
    serviceAccountName: "default",
    serviceAccountUID: "account-uid",
    nodeName: "n",
    nodeUID: "node-uid",
    maxExpirationSeconds: 7200,
    unverifiedUserAnnotations: { "example.org/a": "b" },
  };
  const status = { conditions: [{ ...condition, type: "Denied" }] };
  return [
    {
      parts: {
        spec: {
          ...spec,
          pkixPublicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
          proofOfPossession: sign(null, Buffer.from(podUID), privateKey).toString("base64"),
        },
      },
      status,
    },
    { since: "1.36", parts: { spec: { ...spec, stubPKCS10Request: await stubRequest() } }, status },
  ];
}

/** The base64 of DER: a PEM without its first and last line. */
async function stubRequest(): Promise<string> {
  const pem = Buffer.from(await testSigningRequest(), "base64").toString();
  return pem.replaceAll(/-----[^-]+-----|\s/g, "");
}
