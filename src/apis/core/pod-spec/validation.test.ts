import { describe, expect, test } from "vitest";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { validatePodSpec, validatePodTemplateSpec } from "./validation.js";
import { podValidationOptions } from "./validation-options.js";

const context = testApiContext({ gates: { ExpandedDNSConfig: false } });

function errorsOf(spec: JsonObject): string[] {
  const pod = testPod(context, spec);
  return errorTexts(
    validatePodSpec(pod.spec, pod.metadata, FieldPath.of("spec"), podValidationOptions(context, pod)),
  );
}

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const everything: JsonObject = {
  volumes: [
    { name: "config", configMap: { name: "c", items: [{ key: "k", path: "p" }] } },
    { name: "data", persistentVolumeClaim: { claimName: "data" } },
    {
      name: "scratch",
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { a: "b" } },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      },
    },
  ],
  initContainers: [{ name: "init", image: "init:1" }],
  containers: [
    {
      name: "app",
      image: "app:1",
      ports: [{ name: "http", containerPort: 80, hostPort: 80 }],
      env: [
        { name: "A", value: "1" },
        { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.labels['a/b']" } } },
        { name: "C", valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } } },
      ],
      envFrom: [{ prefix: "P_", secretRef: { name: "s" } }],
      resources: {
        limits: { cpu: "1", memory: "1Gi", "example.com/gpu": "2", "hugepages-2Mi": "4Mi" },
        requests: { cpu: "500m", "example.com/gpu": "2", "hugepages-2Mi": "4Mi" },
      },
      volumeMounts: [{ name: "config", mountPath: "/config", subPath: "a/b" }],
      volumeDevices: [{ name: "data", devicePath: "/dev/data" }],
      livenessProbe: { httpGet: { port: "http" }, terminationGracePeriodSeconds: 1 },
      startupProbe: { tcpSocket: { port: 80 } },
      readinessProbe: { grpc: { port: 80 } },
      lifecycle: { preStop: { exec: { command: ["stop"] } } },
      securityContext: {
        privileged: true,
        runAsUser: 0,
        procMount: "Unmasked",
        seccompProfile: { type: "Localhost", localhostProfile: "a.json" },
      },
    },
  ],
  nodeSelector: { "kubernetes.io/os": "linux" },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] } },
      ],
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 100, podAffinityTerm: { topologyKey: "zone", namespaces: ["ns"], labelSelector: {} } },
      ],
    },
  },
  tolerations: [
    { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 },
    { operator: "Exists" },
  ],
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }],
  dnsPolicy: "None",
  dnsConfig: { nameservers: ["1.1.1.1"], searches: ["a.b.", "c"], options: [{ name: "ndots", value: "2" }] },
  hostAliases: [{ ip: "::1", hostnames: ["a.b"] }],
  readinessGates: [{ conditionType: "example.com/ready" }],
  securityContext: { fsGroup: 1, sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }] },
  overhead: { cpu: "1m" },
  hostname: "h",
  subdomain: "s",
  priorityClassName: "p",
  preemptionPolicy: "Never",
  runtimeClassName: "r",
  serviceAccountName: "sa",
  nodeName: "node-1",
  activeDeadlineSeconds: 1,
  os: { name: "linux" },
};

test("the smallest pod and one with nearly everything are valid", () => {
  expect(errorsOf({})).toEqual([]);
  expect(errorsOf(everything)).toEqual([]);
});

test.each<[JsonObject, string[]]>([
  [{ containers: [] }, ["spec.containers: Required value"]],
  [
    { restartPolicy: "Sometimes" },
    ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
  ],
  [
    { dnsPolicy: "Odd" },
    [
      'spec.dnsPolicy: Unsupported value: "Odd": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
  ],
  [
    { preemptionPolicy: "Odd" },
    ['spec.preemptionPolicy: Unsupported value: "Odd": supported values: "PreemptLowerPriority", "Never"'],
  ],
  [{ preemptionPolicy: "" }, ["spec.preemptionPolicy: Required value"]],
  [{ serviceAccountName: "A" }, [`spec.serviceAccountName: Invalid value: "A": ${subdomain}`]],
  [{ nodeName: "A" }, [`spec.nodeName: Invalid value: "A": ${subdomain}`]],
  [{ hostname: "a.b" }, [`spec.hostname: Invalid value: "a.b": ${label}`]],
  [{ subdomain: "a.b" }, [`spec.subdomain: Invalid value: "a.b": ${label}`]],
  [{ priorityClassName: "A" }, [`spec.priorityClassName: Invalid value: "A": ${subdomain}`]],
  [{ runtimeClassName: "A" }, [`spec.runtimeClassName: Invalid value: "A": ${subdomain}`]],
  [
    { activeDeadlineSeconds: 0 },
    ["spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"],
  ],
  [
    { readinessGates: [{ conditionType: "a/b/c" }] },
    [
      expect.stringContaining(
        'spec.readinessGates[0].conditionType: Invalid value: "a/b/c": a qualified name',
      ),
    ],
  ],
  [
    { overhead: { pods: "1" } },
    ['spec.overhead.limits[pods]: Invalid value: "pods": must be a standard resource for containers'],
  ],
  [{ nodeSelector: { a: "b c" } }, [expect.stringContaining('spec.nodeSelector: Invalid value: "b c"')]],
  [{ os: { name: "plan9" } }, ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']],
  [{ os: { name: "" } }, ["spec.os.name: Required value: cannot be empty"]],
])("spec %j: %j", (spec, expected) => {
  expect(errorsOf(spec)).toEqual(expected);
});

describe("scheduling", () => {
  const nodePath =
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  const podPath = "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]";

  test.each<[JsonObject, string[]]>([
    [
      { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
      [`${nodePath}: Required value: must have at least one node selector term`],
    ],
    [
      {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Gt", values: ["1", "2"] }] }],
          },
        },
      },
      [
        `${nodePath}[0].matchExpressions[0].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      ],
    ],
    [
      {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 101, preference: { matchFields: [{ key: "spec.x", operator: "In", values: ["a"] }] } },
          ],
        },
      },
      [
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100",
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchFields[0].key: Invalid value: "spec.x": not a valid field selector key',
      ],
    ],
    [
      {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "", namespaces: ["A"] }],
        },
      },
      [
        `${podPath}.namespace: Invalid value: "A": ${label}`,
        `${podPath}.topologyKey: Required value: can not be empty`,
        expect.stringContaining(`${podPath}.topologyKey: Invalid value: "": name part must be non-empty`),
        expect.stringContaining(`${podPath}.topologyKey: Invalid value: "": name part must consist of`),
      ],
    ],
  ])("affinity %j: %j", (affinity, expected) => {
    expect(errorsOf({ affinity })).toEqual(expected);
  });

  const at = "spec.topologySpreadConstraints[0]";
  test.each<[JsonObject[], string[]]>([
    [
      [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "" }],
      [
        `${at}.maxSkew: Invalid value: 0: must be greater than zero`,
        `${at}.topologyKey: Required value: can not be empty`,
        `${at}.whenUnsatisfiable: Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"`,
      ],
    ],
    [
      [
        { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
        { maxSkew: 2, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
      ],
      [`${at}.{topologyKey, whenUnsatisfiable}: Duplicate value: "{z, DoNotSchedule}"`],
    ],
  ])("topology spread %j: %j", (topologySpreadConstraints, expected) => {
    expect(errorsOf({ topologySpreadConstraints })).toEqual(expected);
  });

  test.each<[JsonObject, string[]]>([
    [
      { operator: "Equal", value: "v" },
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      { key: "a", operator: "Exists", value: "v" },
      [
        'spec.tolerations[0].operator: Invalid value: core.Toleration{Key:"a", Operator:"Exists", Value:"v", Effect:"", TolerationSeconds:(*int64)(nil)}: value must be empty when `operator` is \'Exists\'',
      ],
    ],
    [
      { key: "a", tolerationSeconds: 1, effect: "NoSchedule" },
      [
        "spec.tolerations[0].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when `tolerationSeconds` is set",
      ],
    ],
    [
      { key: "a", operator: "Odd", effect: "No" },
      [
        'spec.tolerations[0].operator: Unsupported value: "Odd": supported values: "Equal", "Exists"',
        'spec.tolerations[0].effect: Unsupported value: "No": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
  ])("toleration %j: %j", (toleration, expected) => {
    expect(errorsOf({ tolerations: [toleration] })).toEqual(expected);
  });
});

describe("names and addresses", () => {
  const long = Array.from({ length: 7 }, (_, index) => `s${index}`);

  test.each<[JsonObject, string[]]>([
    [
      { dnsPolicy: "None" },
      ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"],
    ],
    [
      { dnsPolicy: "None", dnsConfig: {} },
      [
        "spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None",
      ],
    ],
    [
      { dnsConfig: { nameservers: ["1", "1.1.1.1", "1.1.1.1", "1.1.1.1"] } },
      [
        'spec.dnsConfig.nameservers: Invalid value: []string{"1", "1.1.1.1", "1.1.1.1", "1.1.1.1"}: must not have more than 3 nameservers',
        'spec.dnsConfig.nameservers[0]: Invalid value: "1": must be valid IP address',
      ],
    ],
    [
      { dnsConfig: { searches: long } },
      [
        'spec.dnsConfig.searches: Invalid value: []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6"}: must not have more than 6 search paths',
      ],
    ],
    [
      { dnsConfig: { searches: ["A."], options: [{ value: "1" }] } },
      [
        `spec.dnsConfig.searches[0]: Invalid value: "A": ${subdomain}`,
        "spec.dnsConfig.options[0]: Required value: must not be empty",
      ],
    ],
    [
      { hostAliases: [{ ip: "x", hostnames: ["A"] }] },
      [
        'spec.hostAliases.ip: Invalid value: "x": must be valid IP address',
        `spec.hostAliases.hostnames: Invalid value: "A": ${subdomain}`,
      ],
    ],
  ])("%j: %j", (spec, expected) => {
    expect(errorsOf(spec)).toEqual(expected);
  });
});

test("a template is checked with its labels and annotations, and has no ephemeral containers", () => {
  const pod = testPod(
    context,
    { ephemeralContainers: [{ name: "e", image: "e" }] },
    { name: "", labels: { a: "b c" }, annotations: { "": "x" } },
  );
  const errors = validatePodTemplateSpec(
    { metadata: pod.metadata, spec: pod.spec },
    FieldPath.of("spec", "template"),
    podValidationOptions(context, pod),
  );
  expect(errorTexts(errors)).toEqual([
    expect.stringContaining('spec.template.labels: Invalid value: "b c"'),
    expect.stringContaining('spec.template.annotations: Invalid value: "": name part must be non-empty'),
    expect.stringContaining('spec.template.annotations: Invalid value: "": name part must consist of'),
    "spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
  ]);
});
