import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  causesOf,
  deployment,
  type GroundHere,
  mergePatch,
  openGroundHere,
  pod,
  withoutAddedFields,
} from "../support/fixtures.js";

/** What the kinds refuse that depends on more than one field, or on the object's state. */

let ground: GroundHere;
const core = "/api/v1/namespaces/default";
const apps = "/apis/apps/v1/namespaces/default";
const batch = "/apis/batch/v1/namespaces/default";

beforeAll(async () => {
  ground = await openGroundHere(withoutAddedFields);
});

afterAll(async () => {
  await ground.dispose();
});

const labels = { app: "a" };
const container = { name: "a", image: "a" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const jobSpec = { template: { spec: { restartPolicy: "Never", containers: [container] } } };
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

const updates: readonly (readonly [
  what: string,
  collection: string,
  object: object,
  change: object,
  causes: readonly (string | RegExp)[],
])[] = [
  [
    "a job's completions and template",
    `${batch}/jobs`,
    { spec: { ...jobSpec, completions: 2 } },
    { spec: { completions: 3, template: { spec: { restartPolicy: "OnFailure" } } } },
    [
      /^spec\.completions: Invalid value: 3: field is immutable$/,
      /^spec\.template: Invalid value: .*field is immutable$/,
    ],
  ],
  [
    "a job's selector",
    `${batch}/jobs`,
    { spec: jobSpec },
    { spec: { selector: { matchLabels: { x: "y" } } } },
    [
      /^spec\.selector: Invalid value: .*`selector` not auto-generated$/,
      /^spec\.template\.metadata\.labels: Invalid value: .*`selector` does not match template `labels`$/,
      /^spec\.template\.metadata\.labels: Invalid value: .*`selector` does not match template `labels`$/,
      /^spec\.selector: Invalid value: .*field is immutable$/,
    ],
  ],
  [
    "a claim's size downwards",
    `${core}/persistentvolumeclaims`,
    { spec: { ...claim, volumeName: "v" } },
    { spec: { resources: { requests: { storage: "500Mi" } } } },
    [
      /^spec: Forbidden: spec is immutable after creation except resources.requests for bound claims/,
      /^spec\.resources\.requests\.storage: Forbidden: field can not be less than previous value$/,
    ],
  ],
  [
    "a claim's access modes",
    `${core}/persistentvolumeclaims`,
    { spec: claim },
    { spec: { accessModes: ["ReadOnlyMany"] } },
    [/^spec: Forbidden: spec is immutable after creation except resources.requests for bound claims/],
  ],
  [
    "claim templates of a stateful set",
    `${apps}/statefulsets`,
    {
      spec: {
        serviceName: "s",
        selector: { matchLabels: labels },
        template,
        volumeClaimTemplates: [{ metadata: { name: "v" }, spec: claim }],
      },
    },
    { spec: { volumeClaimTemplates: [] } },
    [/^spec: Forbidden: updates to statefulset spec for fields other than/],
  ],
  [
    "a service's address",
    `${core}/services`,
    { spec: { ports: [{ port: 80 }], clusterIP: "10.0.0.99" } },
    { spec: { clusterIP: "10.0.0.98", clusterIPs: ["10.0.0.98"] } },
    [/^spec\.clusterIPs\[0\]: Invalid value: .*"10\.0\.0\.98".*: may not change once set$/],
  ],
  [
    "two ports without names",
    `${core}/services`,
    { spec: { ports: [{ port: 80 }] } },
    { spec: { ports: [{ port: 80 }, { port: 81 }] } },
    [/^spec\.ports\[0\]\.name: Required value/, /^spec\.ports\[1\]\.name: Required value/],
  ],
  [
    "a secret's type",
    `${core}/secrets`,
    { type: "example.com/a" },
    { type: "example.com/b" },
    [/^type: Invalid value: "example.com\/b": field is immutable$/],
  ],
  [
    "a pod's tolerations other than by adding",
    `${core}/pods`,
    pod("x", { tolerations: [{ key: "a", operator: "Exists" }] }),
    { spec: { tolerations: [{ key: "b", operator: "Exists" }] } },
    [/^spec\.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds$/],
  ],
  [
    "a pod's deadline upwards",
    `${core}/pods`,
    pod("x", { activeDeadlineSeconds: 10 }),
    { spec: { activeDeadlineSeconds: 20 } },
    [/^spec\.activeDeadlineSeconds: Invalid value: 20: must be less than or equal to previous value$/],
  ],
  [
    "both limits of a rolling update at zero",
    `${apps}/deployments`,
    deployment("x"),
    { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } },
    [/^spec\.strategy\.rollingUpdate\.maxUnavailable: Invalid value: .*may not be 0 when `maxSurge` is 0$/],
  ],
  [
    "minAvailable and maxUnavailable at once",
    "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
    { spec: { minAvailable: 1, selector: {} } },
    { spec: { maxUnavailable: 1 } },
    [/^spec: Invalid value: .*minAvailable and maxUnavailable cannot be both set$/],
  ],
  [
    "a volume's class",
    "/apis/storage.k8s.io/v1/storageclasses",
    { provisioner: "example.com/p", parameters: { a: "b" } },
    { parameters: { a: "c" }, reclaimPolicy: "Retain" },
    [
      /^parameters: Forbidden: updates to parameters are forbidden\.$/,
      /^reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden\.$/,
    ],
  ],
  [
    "an ingress without a rule or a backend",
    "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
    { spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } } },
    { spec: { defaultBackend: null } },
    [/^spec: Invalid value: .*either `defaultBackend` or `rules` must be specified$/],
  ],
  [
    "a policy's port range upside down",
    "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
    { spec: { podSelector: {} } },
    { spec: { egress: [{ ports: [{ port: 100, endPort: 50 }] }] } },
    // Kubernetes checks the spec of an updated policy twice, and shows the first port.
    [
      /^spec\.egress\[0\]\.ports\[0\]\.endPort: Invalid value: 100: must be greater than or equal to `port`$/,
      /^spec\.egress\[0\]\.ports\[0\]\.endPort: Invalid value: 100: must be greater than or equal to `port`$/,
    ],
  ],
  [
    "an autoscaler whose least is above its most",
    "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" } } },
    { spec: { minReplicas: 5 } },
    [/^spec\.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`$/],
  ],
  [
    "a limit below its request",
    `${apps}/deployments`,
    deployment("x"),
    {
      spec: {
        template: {
          spec: {
            containers: [{ ...container, resources: { limits: { cpu: "1" }, requests: { cpu: "2" } } }],
          },
        },
      },
    },
    [
      /^spec\.template\.spec\.containers\[0\]\.resources\.requests: Invalid value: "2": must be less than or equal to cpu limit$/,
    ],
  ],
  [
    "a node's pod range once set",
    "/api/v1/nodes",
    { spec: { podCIDR: "10.1.0.0/24" } },
    { spec: { podCIDR: "10.2.0.0/24", podCIDRs: ["10.2.0.0/24"] } },
    [/^spec\.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid$/],
  ],
];

test.each(updates)("%s is refused in an update", async (_what, collection, object, change, causes) => {
  const name = `u-${Math.random().toString(36).slice(2, 10)}`;
  const { metadata, ...rest } = object as { metadata?: object };
  const created = await ground.api.post(collection, { ...rest, metadata: { ...metadata, name } });
  expect(created.status, created.text).toBe(201);
  const answer = await ground.api.patch(`${collection}/${name}`, mergePatch, change);
  expect([answer.status, answer.body.reason], answer.text).toEqual([422, "Invalid"]);
  expect(causesOf(answer)).toEqual(causes.map((cause) => expect.stringMatching(cause)));
  const after = await ground.api.get(`${collection}/${name}`);
  expect(after.body.spec).toEqual(created.body.spec);
});

describe("an amount written in another way is no change", () => {
  const inGi = { resources: { limits: { memory: "1Gi", cpu: "1" } } };
  const inBytes = { resources: { limits: { memory: "1073741824", cpu: "1e0" } } };
  const withContainer = (resources: object) => ({
    ...template.spec,
    containers: [{ ...container, ...resources }],
  });
  const withClaim = (storage: string) => ({
    volumeClaimTemplates: [
      { metadata: { name: "v" }, spec: { ...claim, resources: { requests: { storage } } } },
    ],
  });
  const daemonSpec = { selector: { matchLabels: labels }, template };
  const setSpec = { serviceName: "s", selector: { matchLabels: labels }, template };

  test.each<[string, string, object, object, string]>([
    [
      "pods",
      core,
      { ...withContainer(inGi) },
      withContainer(inBytes),
      "spec.containers.0.resources.limits.memory",
    ],
    [
      "persistentvolumeclaims",
      core,
      { ...claim },
      { resources: { requests: { storage: "1073741824" } } },
      "spec.resources.requests.storage",
    ],
    [
      "statefulsets",
      apps,
      { ...setSpec, ...withClaim("1Gi") },
      withClaim("1073741824"),
      "spec.volumeClaimTemplates.0.spec.resources.requests.storage",
    ],
    [
      "daemonsets",
      apps,
      { ...daemonSpec, template: { ...template, spec: withContainer(inGi) } },
      { template: { spec: withContainer(inBytes) } },
      "spec.template.spec.containers.0.resources.limits.memory",
    ],
    [
      "jobs",
      batch,
      { template: { spec: { ...withContainer(inGi), restartPolicy: "Never" } } },
      { template: { spec: withContainer(inBytes) } },
      "spec.template.spec.containers.0.resources.limits.memory",
    ],
  ])("of %s", async (resource, base, spec, change, amount) => {
    const name = `amounts-${resource}`;
    const path = `${base}/${resource}`;
    const created = await ground.api.post(path, { metadata: { name }, spec });
    expect(created.status).toBe(201);
    const changed = await ground.api.patch(`${path}/${name}`, mergePatch, { spec: change });
    expect(causesOf(changed)).toEqual([]);
    expect(changed.status).toBe(200);
    // It is kept as it was written last, though.
    expect(changed.body).toHaveProperty(amount, "1073741824");
    const counts = ({ metadata }: { metadata: { generation?: number; annotations?: object } }) => [
      metadata.generation,
      metadata.annotations,
    ];
    expect(counts(changed.body)).toEqual(counts(created.body));
  });
});

test("a pod with everything keeps everything, and defaults fill the rest", async () => {
  const answer = await ground.api.post(`${core}/pods`, {
    metadata: { name: "full", labels, annotations: { a: "b" } },
    spec: {
      activeDeadlineSeconds: 100,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "k", operator: "In", values: ["v"] }] }],
          },
        },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: "zone", labelSelector: { matchLabels: labels } } },
          ],
        },
      },
      containers: [
        {
          ...container,
          args: ["$(E)"],
          env: [
            { name: "E", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
            { name: "R", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
          ],
          envFrom: [{ prefix: "P_", configMapRef: { name: "c" } }],
          lifecycle: { preStop: { exec: { command: ["true"] } } },
          ports: [{ containerPort: 80, name: "http" }],
          readinessProbe: { tcpSocket: { port: 80 } },
          resources: { limits: { cpu: "500m", memory: "1Gi" } },
          securityContext: { capabilities: { drop: ["ALL"] }, runAsNonRoot: true },
          volumeMounts: [{ name: "e", mountPath: "/e" }],
        },
      ],
      initContainers: [{ name: "i", image: "i:v1" }],
      hostAliases: [{ ip: "127.0.0.1", hostnames: ["x"] }],
      serviceAccountName: "default",
      securityContext: { fsGroup: 1, seccompProfile: { type: "RuntimeDefault" } },
      tolerations: [{ key: "k", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: labels },
        },
      ],
      volumes: [
        { name: "e", emptyDir: { sizeLimit: "1Gi" } },
        { name: "s", secret: { secretName: "s" } },
        { name: "p", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
        { name: "d", downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
      ],
    },
  });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.spec).toMatchObject({
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    containers: [
      {
        imagePullPolicy: "Always",
        env: [{ name: "E" }, { name: "R", valueFrom: { resourceFieldRef: { divisor: "0" } } }],
        readinessProbe: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
        // A quota requires the values that it limits.
        resources: { limits: { cpu: "500m", memory: "1Gi" }, requests: { cpu: "500m", memory: "1Gi" } },
        ports: [{ protocol: "TCP" }],
      },
    ],
    initContainers: [{ imagePullPolicy: "IfNotPresent" }],
    volumes: [
      { name: "e" },
      { secret: { defaultMode: 420 } },
      { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }] } },
      { downwardAPI: { defaultMode: 420, items: [{ fieldRef: { apiVersion: "v1" } }] } },
    ],
  });
  expect(answer.body.status).toEqual({ phase: "Pending", qosClass: "Burstable" });
});
