import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";

const core = "/api/v1/namespaces/default";
const dry = "dryRun=All";
/** In one list each of a body that has two of them, so that both are as long as the limits let in. */
const many = 9_000;
const most = 24_900;

/** Two lists of one object that a check compares, item by item; and values that are looked up among all others. */
export function repeatedItems(): readonly HostileCase[] {
  return [
    { name: "lists of pods", requests: podLists() },
    { name: "lists of other kinds", requests: otherLists() },
    { name: "lists of stored objects", before: storedLists(), requests: listsOfStored() },
    limitRanges(),
    { name: "repeated characters", requests: repeatedCharacters() },
  ];
}

function pod(spec: object, annotations: object = {}): object {
  return {
    metadata: { name: "lists", annotations },
    spec: { containers: [{ name: "c", image: "i" }], ...spec },
  };
}

function createPod(kind: string, spec: object, annotations: object = {}): HostileRequest {
  return json(`pod, ${kind}`, "POST", `${core}/pods?${dry}`, pod(spec, annotations));
}

function podLists(): readonly HostileRequest[] {
  return [
    createPod("mounts and devices", {
      containers: [
        {
          name: "c",
          image: "i",
          volumeMounts: range(many, (i) => ({ name: "v", mountPath: `/m${i}` })),
          volumeDevices: range(many, (i) => ({ name: `d${i}`, devicePath: `/d${i}` })),
        },
      ],
      volumes: [{ name: "v", emptyDir: {} }],
    }),
    createPod("topology spread", {
      topologySpreadConstraints: range(7_000, (i) => ({
        maxSkew: 1,
        topologyKey: `k${i}`,
        whenUnsatisfiable: "DoNotSchedule",
      })),
    }),
    createPod(
      "AppArmor annotations",
      { containers: range(4_000, (i) => ({ name: `c${i}`, image: "i" })) },
      record(9_000, (i) => [`container.apparmor.security.beta.kubernetes.io/c${i % 4_000}`, "unconfined"]),
    ),
    createPod("affinity terms", {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: range(many, (i) => ({ topologyKey: `k${i}` })),
        },
      },
    }),
    createPod("image pull secrets", { imagePullSecrets: range(most, (i) => ({ name: `s${i}` })) }),
    createPod("readiness gates", { readinessGates: range(most, (i) => ({ conditionType: `a/b${i}` })) }),
    createPod("host aliases", { hostAliases: range(most, (i) => ({ ip: "1.2.3.4", hostnames: [`h${i}`] })) }),
    createPod("sysctls", {
      securityContext: { sysctls: range(most, (i) => ({ name: `kernel.a${i}`, value: "1" })) },
    }),
    createPod("capabilities", {
      containers: [
        {
          name: "c",
          image: "i",
          securityContext: {
            capabilities: { add: range(most, (i) => `C${i}`), drop: range(most, (i) => `D${i}`) },
          },
        },
      ],
    }),
    createPod("environment from", {
      containers: [
        { name: "c", image: "i", envFrom: range(most, (i) => ({ configMapRef: { name: `m${i}` } })) },
      ],
    }),
    createPod("resources", {
      containers: [
        {
          name: "c",
          image: "i",
          resources: {
            limits: record(many, (i) => [`a/r${i}`, "1"]),
            requests: record(many, (i) => [`a/r${i}`, "1"]),
          },
        },
      ],
    }),
    createPod("projected sources", {
      volumes: [
        {
          name: "v",
          projected: {
            sources: range(many, (i) => ({ configMap: { name: "m", items: [{ key: "k", path: `p${i}` }] } })),
          },
        },
      ],
    }),
    createPod("files of one volume", {
      volumes: [
        { name: "v", configMap: { name: "m", items: range(most, (i) => ({ key: "k", path: `p${i}` })) } },
      ],
    }),
    createPod("node selector", {
      nodeSelector: record(most, (i) => [`k${i}`, "v"]),
    }),
    createPod("node affinity values", {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: "a", operator: "In", values: range(most, (i) => `v${i}`) }] },
            ],
          },
        },
      },
    }),
    createPod("ports of many containers", {
      containers: range(8_000, (i) => ({
        name: `c${i}`,
        image: "i",
        ports: [{ containerPort: i + 1, hostPort: i + 1 }],
      })),
    }),
    createPod("init and ephemeral", {
      initContainers: range(many, (i) => ({ name: `i${i}`, image: "i" })),
      containers: range(many, (i) => ({ name: `c${i}`, image: "i" })),
    }),
  ];
}

function otherLists(): readonly HostileRequest[] {
  const create = (kind: string, path: string, body: object): HostileRequest =>
    json(kind, "POST", `${path}?${dry}`, { metadata: { name: "lists" }, ...body });
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const webhook = {
    name: "a.b.c",
    clientConfig: { url: "https://a.b/c" },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
  };
  return [
    create("signing request, usages", "/apis/certificates.k8s.io/v1/certificatesigningrequests", {
      spec: { request: "eA==", signerName: "a.b/c", usages: range(most, (i) => `u${i}`) },
    }),
    create("storage class, values", "/apis/storage.k8s.io/v1/storageclasses", {
      provisioner: "a/b",
      allowedTopologies: [{ matchLabelExpressions: [{ key: "k", values: range(most, (i) => `v${i}`) }] }],
    }),
    create("storage class, topologies", "/apis/storage.k8s.io/v1/storageclasses", {
      provisioner: "a/b",
      allowedTopologies: range(14_000, (i) => ({ matchLabelExpressions: [{ key: "k", values: [`v${i}`] }] })),
    }),
    create("storage class, empty topologies", "/apis/storage.k8s.io/v1/storageclasses", {
      provisioner: "a/b",
      allowedTopologies: range(most, () => ({})),
    }),
    create("node, networks", "/api/v1/nodes", {
      spec: { podCIDR: "10.0.0.0/32", podCIDRs: range(most, (i) => `10.0.${i >> 8}.${i & 255}/32`) },
    }),
    create("node, bad networks", "/api/v1/nodes", {
      spec: { podCIDR: "x0", podCIDRs: range(most, (i) => `x${i}`) },
    }),
    create("node, taints", "/api/v1/nodes", {
      spec: { taints: range(most, (i) => ({ key: `k${i}`, effect: "NoSchedule" })) },
    }),
    create("webhook, versions", webhooks, {
      webhooks: [{ ...webhook, admissionReviewVersions: ["v1", ...range(most - 1, (i) => `v${i + 2}`)] }],
    }),
    create("webhooks, resources", webhooks, {
      webhooks: [{ ...webhook, rules: [{ ...webhook.rules[0], resources: range(most, (i) => `r${i}/s`) }] }],
    }),
    create("webhooks", webhooks, {
      webhooks: range(5_000, (i) => ({ ...webhook, name: `a.b.c${i}` })),
    }),
    create("security policy, capabilities", "/apis/policy/v1beta1/podsecuritypolicies", {
      spec: {
        seLinux: { rule: "RunAsAny" },
        runAsUser: { rule: "RunAsAny" },
        fsGroup: { rule: "RunAsAny" },
        supplementalGroups: { rule: "RunAsAny" },
        requiredDropCapabilities: range(most, (i) => `D${i}`),
        allowedCapabilities: range(most, (i) => `A${i}`),
        defaultAddCapabilities: range(most, (i) => `B${i}`),
        runtimeClass: { allowedRuntimeClassNames: range(most, (i) => `r${i}`) },
      },
    }),
    create("security policy, sysctls", "/apis/policy/v1beta1/podsecuritypolicies", {
      spec: {
        seLinux: { rule: "RunAsAny" },
        runAsUser: { rule: "RunAsAny" },
        fsGroup: { rule: "RunAsAny" },
        supplementalGroups: { rule: "RunAsAny" },
        allowedUnsafeSysctls: range(most, (i) => `a${i}*`),
        forbiddenSysctls: range(most, (i) => `b${i}*`),
      },
    }),
    create("service, node ports", `${core}/services`, {
      spec: {
        type: "NodePort",
        ports: range(many, (i) => ({ name: `p${i}`, port: (i % 65_000) + 1 })),
      },
    }),
    create("service, named node ports", `${core}/services`, {
      spec: {
        type: "NodePort",
        ports: range(many, (i) => ({
          name: `p${i}`,
          port: i + 1,
          nodePort: 30_000 + (i % 2_000),
          protocol: i % 2 ? "TCP" : "UDP",
        })),
      },
    }),
    create("service, external addresses", `${core}/services`, {
      spec: { ports: [{ port: 1 }], externalIPs: range(most, (i) => `1.2.${i >> 8}.${i & 255}`) },
    }),
    create("service, families", `${core}/services`, {
      spec: {
        ports: [{ port: 1 }],
        ipFamilies: range(most, () => "IPv4"),
        clusterIPs: range(most, () => "10.0.0.99"),
      },
    }),
    create("cluster role, verbs", `${rbac}/clusterroles`, {
      rules: range(3, (k) => ({
        verbs: range(most, (i) => `v${k}-${i}`),
        apiGroups: ["a"],
        resources: ["r"],
      })),
    }),
    create("cluster role, rules", `${rbac}/clusterroles`, {
      rules: range(14_000, (i) => ({ verbs: ["get"], apiGroups: ["a"], resources: [`r${i}`] })),
    }),
    create("cluster role, URLs", `${rbac}/clusterroles`, {
      rules: [{ verbs: ["get"], nonResourceURLs: range(most, (i) => `/u${i}/*`) }],
    }),
    create("cluster role, aggregation", `${rbac}/clusterroles`, {
      aggregationRule: { clusterRoleSelectors: range(most, (i) => ({ matchLabels: { [`k${i}`]: "v" } })) },
    }),
    create("role binding, subjects", `${rbac}/namespaces/default/rolebindings`, {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: range(19_000, (i) => ({
        kind: "User",
        name: `u${i}`,
        apiGroup: "rbac.authorization.k8s.io",
      })),
    }),
    create("ingress, paths", "/apis/networking.k8s.io/v1/namespaces/default/ingresses", {
      spec: {
        rules: [
          {
            http: {
              paths: range(9_000, (i) => ({
                path: `/${i}`,
                pathType: "Exact",
                backend: { service: { name: "s", port: { number: 1 } } },
              })),
            },
          },
        ],
      },
    }),
    create("network policy, exceptions", "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", {
      spec: {
        podSelector: {},
        ingress: [
          {
            from: [
              { ipBlock: { cidr: "10.0.0.0/8", except: range(most, (i) => `10.0.${i >> 8}.${i & 255}/32`) } },
            ],
          },
        ],
      },
    }),
    create("autoscaler, metrics", "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
        metrics: range(9_000, () => ({
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 5 } },
        })),
      },
    }),
    create("disruption budget, selector", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
      spec: {
        minAvailable: 1,
        selector: {
          matchExpressions: [{ key: "a", operator: "In", values: range(most, (i) => `v${i}`) }],
          matchLabels: record(most, (i) => [`k${i}`, "v"]),
        },
      },
    }),
    create("endpoint slice", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
      addressType: "IPv4",
      endpoints: range(900, () => ({ addresses: range(100, (i) => `10.0.0.${i}`) })),
      ports: range(100, (i) => ({ name: `p${i}`, port: i + 1 })),
    }),
    create("flow schema, rules", "/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas", {
      spec: {
        priorityLevelConfiguration: { name: "global-default" },
        matchingPrecedence: 5,
        rules: range(6_000, (i) => ({
          subjects: [{ kind: "User", user: { name: `u${i}` } }],
          nonResourceRules: [{ verbs: ["*"], nonResourceURLs: [`/${i}`] }],
        })),
      },
    }),
    create("quota, scopes", `${core}/resourcequotas`, {
      spec: {
        hard: record(most, (i) => [`requests.a/r${i}`, "1"]),
        scopes: range(most, () => "Terminating"),
        scopeSelector: {
          matchExpressions: range(most, () => ({ scopeName: "PriorityClass", operator: "Exists" })),
        },
      },
    }),
    create("persistent volume, modes", "/api/v1/persistentvolumes", {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: range(most, () => "ReadWriteOnce"),
        mountOptions: range(most, (i) => `o${i}`),
        hostPath: { path: "/a" },
      },
    }),
    create("deployment, template", "/apis/apps/v1/namespaces/default/deployments", {
      spec: {
        selector: { matchLabels: record(many, (i) => [`k${i}`, "v"]) },
        template: {
          metadata: { labels: record(many, (i) => [`k${i}`, "v"]) },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
      },
    }),
    create("csi driver, modes", "/apis/storage.k8s.io/v1/csidrivers", {
      spec: {
        volumeLifecycleModes: range(most, () => "Persistent"),
        tokenRequests: range(most, (i) => ({ audience: `a${i}` })),
      },
    }),
    create("csi node", "/apis/storage.k8s.io/v1/csinodes", {
      spec: { drivers: range(9_000, (i) => ({ name: `d${i}`, nodeID: "n", topologyKeys: [`k${i}`] })) },
    }),
    create("access review", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
      spec: { namespace: "default" },
    }),
    create("token request", `${core}/serviceaccounts/default/token`, {
      metadata: {},
      spec: { audiences: range(most, (i) => `a${i}`) },
    }),
    create("token review, audiences", "/apis/authentication.k8s.io/v1/tokenreviews", {
      spec: { token: "a.b.c", audiences: range(most, (i) => `a${i}`) },
    }),
    create("access review, extra", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      spec: {
        user: "u",
        extra: record(most, (i) => [`k${i}`, ["v"]]),
        resourceAttributes: { verb: "get", resource: "pods" },
      },
    }),
    create("storage version", "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions", {
      metadata: { name: "a.b" },
      status: {
        storageVersions: range(many, (i) => ({
          apiServerID: `s${i}`,
          encodingVersion: "v1",
          decodableVersions: ["v1"],
        })),
      },
    }),
  ];
}

/** Objects that later requests meet. */
function storedLists(): readonly HostileRequest[] {
  const store = (path: string, body: object): HostileRequest => json("prepare", "POST", path, body);
  return [
    store(`${core}/pods`, {
      metadata: { name: "tolerating" },
      spec: {
        containers: [{ name: "c", image: "i" }],
        tolerations: range(20_000, (i) => ({ key: `k${i}`, operator: "Exists" })),
      },
    }),
    store(`${core}/pods`, {
      metadata: { name: "gated" },
      spec: {
        containers: [{ name: "c", image: "i" }],
        restartPolicy: "Never",
        readinessGates: range(many, (i) => ({ conditionType: `a/b${i}` })),
      },
    }),
    store(`${core}/configmaps`, {
      metadata: { name: "held", finalizers: range(most, (i) => `a.b/f${i}`) },
    }),
    store(`${core}/endpoints`, {
      metadata: { name: "both" },
      subsets: [
        {
          addresses: range(2_000, (i) => ({ ip: `1.2.${i >> 8}.${i & 255}` })),
          ports: range(2_000, (i) => ({ name: `p${i}`, port: i + 1 })),
        },
      ],
    }),
    json(
      "prepare",
      "PATCH",
      `${core}/pods/gated/status`,
      {
        status: {
          conditions: range(many, (i) => ({ type: `a/b${many - 1 - i}`, status: "True" })),
        },
      },
      "application/merge-patch+json",
    ),
  ];
}

function listsOfStored(): readonly HostileRequest[] {
  const merge = "application/merge-patch+json";
  const table = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
  return [
    json(
      "tolerations, turned around",
      "PATCH",
      `${core}/pods/tolerating?${dry}`,
      {
        spec: { tolerations: range(20_000, (i) => ({ key: `k${19_999 - i}`, operator: "Exists" })) },
      },
      merge,
    ),
    json(
      "tolerations, removed",
      "PATCH",
      `${core}/pods/tolerating?${dry}`,
      { spec: { tolerations: null } },
      merge,
    ),
    { kind: "pods as a table", method: "GET", path: `${core}/pods`, headers: table },
    { kind: "endpoints as a table", method: "GET", path: `${core}/endpoints`, headers: table },
    { kind: "finalizers, deleted", method: "DELETE", path: `${core}/configmaps/held` },
    {
      kind: "finalizers, orphaned",
      method: "DELETE",
      path: `${core}/configmaps/held?propagationPolicy=Orphan`,
    },
    json(
      "finalizers, removed",
      "PATCH",
      `${core}/configmaps/held`,
      { metadata: { finalizers: null } },
      merge,
    ),
  ];
}

/** Limit ranges whose defaults and limits concern each of the containers of a pod. */
function limitRanges(): HostileCase {
  const namespace = "/api/v1/namespaces/limited";
  const limits = (name: string, of: readonly object[]): HostileRequest =>
    json("prepare", "POST", `${namespace}/limitranges`, { metadata: { name }, spec: { limits: of } });
  const create = (kind: string, resources: object): HostileRequest =>
    json(kind, "POST", `${namespace}/pods?${dry}`, {
      metadata: { name: "limited" },
      spec: { containers: range(4_900, (i) => ({ name: `c${i}`, image: "i", resources })) },
    });
  const remove = (name: string): HostileRequest => ({
    kind: "limit range, removed",
    method: "DELETE",
    path: `${namespace}/limitranges/${name}`,
  });
  const amounts = record(1_200, (i) => [`a.b/r${i}`, "1"]);
  return {
    name: "limit ranges",
    before: [json("prepare", "POST", "/api/v1/namespaces", { metadata: { name: "limited" } })],
    requests: [
      limits("defaults", [{ type: "Container", default: amounts, max: amounts }]),
      create("limit range, defaults", {}),
      remove("defaults"),
      limits("of-pods", [{ type: "Pod", max: record(4_900, (i) => [`a.b/r${i}`, "1"]) }]),
      create("limit range, limits of pods", {}),
      remove("of-pods"),
    ],
  };
}

function repeatedCharacters(): readonly HostileRequest[] {
  const environment = (fieldPath: string): HostileRequest =>
    createPod("field path", {
      containers: [{ name: "c", image: "i", env: [{ name: "A", valueFrom: { fieldRef: { fieldPath } } }] }],
    });
  const role = (kind: string, url: string): HostileRequest =>
    json(kind, "POST", `/apis/rbac.authorization.k8s.io/v1/clusterroles?${dry}`, {
      metadata: { name: "repeated" },
      rules: [{ verbs: ["get"], nonResourceURLs: [url] }],
    });
  const quantity = (text: string): HostileRequest =>
    createPod("quantity", {
      containers: [{ name: "c", image: "i", resources: { limits: { cpu: text } } }],
    });
  return [
    environment(`a${"['".repeat(900_000)}`),
    environment("a".repeat(2_000_000)),
    role("URL", `/${"*".repeat(1_000_000)}a*`),
    quantity(`${"0".repeat(2_000_000)}x`),
    quantity(`${"0".repeat(3_000)}x`),
    quantity(`0.${"0".repeat(2_000_000)}x`),
  ];
}
