import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { printQuantity } from "../../../apimachinery/errors/printed-quantity.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { validatePodSpec } from "./validation.js";
import { podValidationOptions } from "./validation-options.js";

const context = testApiContext({ options: { allowPrivileged: false } });
const volumes = [
  { name: "dir", emptyDir: {} },
  { name: "disk", persistentVolumeClaim: { claimName: "c" } },
];

function errorsOf(spec: JsonObject): string[] {
  const pod = testPod(context, { volumes, ...spec });
  const options = podValidationOptions(context, pod);
  return errorTexts(validatePodSpec(pod.spec, pod.metadata, FieldPath.of("spec"), options));
}

function containerErrors(container: JsonObject): string[] {
  return errorsOf({ containers: [{ name: "app", image: "app", ...container }] });
}

const c = "spec.containers[0]";

test.each<[JsonObject, unknown[]]>([
  [{ name: "" }, [`${c}.name: Required value`]],
  [{ name: "A" }, [expect.stringContaining(`${c}.name: Invalid value: "A"`)]],
  [{ image: "" }, [`${c}.image: Required value`]],
  [
    { imagePullPolicy: "Odd" },
    [`${c}.imagePullPolicy: Unsupported value: "Odd": supported values: "Always", "IfNotPresent", "Never"`],
  ],
  [
    { terminationMessagePolicy: "Odd" },
    [`${c}.terminationMessagePolicy: Invalid value: "Odd": must be 'File' or 'FallbackToLogsOnError'`],
  ],
  [
    {
      ports: [
        { containerPort: 0, name: "x--1" },
        { containerPort: 65536, hostPort: -1, protocol: "X" },
      ],
    },
    [
      `${c}.ports[0].name: Invalid value: "x--1": must not contain consecutive hyphens`,
      `${c}.ports[0].containerPort: Required value`,
      `${c}.ports[1].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive`,
      `${c}.ports[1].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive`,
      `${c}.ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"`,
    ],
  ],
  [
    {
      ports: [
        { containerPort: 1, hostPort: 5, name: "a" },
        { containerPort: 2, hostPort: 5, name: "a" },
        { containerPort: 3, hostPort: 5, protocol: "UDP" },
      ],
    },
    [`${c}.ports[1].name: Duplicate value: "a"`, `${c}.ports[1].hostPort: Duplicate value: "TCP//5"`],
  ],
])("container %j: %j", (container, expected) => {
  expect(containerErrors(container)).toEqual(expected);
});

describe("environment", () => {
  const at = `${c}.env[0]`;
  const sources = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";

  test.each<[JsonObject, unknown[]]>([
    [{ name: "" }, [`${at}.name: Required value`]],
    [
      { name: "1a" },
      [expect.stringContaining(`${at}.name: Invalid value: "1a": a valid environment variable name`)],
    ],
    [{ name: "A", valueFrom: {} }, [`${at}.valueFrom: Invalid value: "": must specify one of: ${sources}`]],
    [
      { name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      [`${at}.valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      {
        name: "A",
        valueFrom: { secretKeyRef: { name: "s", key: "" }, configMapKeyRef: { name: "c", key: "a b" } },
      },
      [
        expect.stringContaining(`${at}.valueFrom.configMapKeyRef.key: Invalid value: "a b"`),
        `${at}.valueFrom.secretKeyRef.key: Required value`,
        `${at}.valueFrom: Invalid value: "": may not have more than one field specified at a time`,
      ],
    ],
    [
      { name: "A", valueFrom: { fieldRef: { fieldPath: "" } } },
      [`${at}.valueFrom.fieldRef.fieldPath: Required value`],
    ],
    [
      { name: "A", valueFrom: { fieldRef: { apiVersion: "v2", fieldPath: "metadata.name" } } },
      [
        `${at}.valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2`,
      ],
    ],
    [
      { name: "A", valueFrom: { fieldRef: { fieldPath: "spec.odd" } } },
      [
        `${at}.valueFrom.fieldRef.fieldPath: Invalid value: "spec.odd": error converting fieldPath: field label not supported: spec.odd`,
      ],
    ],
    [
      { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name['a']" } } },
      [
        `${at}.valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name['a']": error converting fieldPath: field label does not support subscript: metadata.name['a']`,
      ],
    ],
    [
      { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels" } } },
      [
        `${at}.valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.podIP", "status.podIPs"`,
      ],
    ],
    [
      { name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1k" } } },
      [
        `${at}.valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
    [
      { name: "A", valueFrom: { resourceFieldRef: { resource: "limits.hugepages-2Mi", divisor: "5" } } },
      [
        expect.stringContaining(
          `${at}.valueFrom.resourceFieldRef.divisor: Invalid value: "limits.hugepages-2Mi": only divisor's values 1, 1k`,
        ),
      ],
    ],
  ])("%j: %j", (variable, expected) => {
    expect(containerErrors({ env: [variable] })).toEqual(expected);
  });

  test("sources of many variables", () => {
    expect(
      containerErrors({
        envFrom: [
          {},
          { configMapRef: { name: "" }, secretRef: { name: "s" } },
          { prefix: "=", secretRef: { name: "s-" } },
        ],
      }),
    ).toEqual([
      `${c}.envFrom: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``,
      `${c}.envFrom[1].configMapRef.name: Required value`,
      `${c}.envFrom: Invalid value: "": may not have more than one field specified at a time`,
      expect.stringContaining(`${c}.envFrom[2].prefix: Invalid value: "="`),
    ]);
  });
});

describe("mounts", () => {
  test.each<[JsonObject, unknown[]]>([
    [
      { volumeMounts: [{ name: "none", mountPath: "" }] },
      [`${c}.volumeMounts[0].name: Not found: "none"`, `${c}.volumeMounts[0].mountPath: Required value`],
    ],
    [
      {
        volumeMounts: [
          { name: "dir", mountPath: "/a" },
          { name: "dir", mountPath: "/a", subPath: "/b" },
        ],
      },
      [
        `${c}.volumeMounts[1].mountPath: Invalid value: "/a": must be unique`,
        `${c}.volumeMounts.subPath: Invalid value: "/b": must be a relative path`,
      ],
    ],
    [
      { volumeMounts: [{ name: "dir", mountPath: "/a", subPath: "b", subPathExpr: "c/../d" }] },
      [
        `${c}.volumeMounts[0].subPathExpr: Invalid value: "c/../d": subPathExpr and subPath are mutually exclusive`,
        `${c}.volumeMounts.subPathExpr: Invalid value: "c/../d": must not contain '..'`,
      ],
    ],
    [
      { volumeMounts: [{ name: "dir", mountPath: "/a", mountPropagation: "Bidirectional" }] },
      [
        `${c}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
      ],
    ],
    [
      { volumeMounts: [{ name: "dir", mountPath: "/a", mountPropagation: "Odd" }] },
      [
        `${c}.volumeMounts.mountPropagation: Unsupported value: "Odd": supported values: "Bidirectional", "HostToContainer", "None"`,
      ],
    ],
    [
      {
        volumeMounts: [{ name: "disk", mountPath: "/a" }],
        volumeDevices: [
          { name: "disk", devicePath: "/a" },
          { name: "dir", devicePath: "../b" },
        ],
      },
      [
        `${c}.volumeMounts[0].name: Invalid value: "disk": must not already exist in volumeDevices`,
        `${c}.volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices`,
        `${c}.volumeDevices[0].name: Invalid value: "disk": must not already exist in volumeMounts`,
        `${c}.volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts`,
        `${c}.volumeDevices[1].name: Invalid value: "dir": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
        `${c}.volumeDevices[1].devicePath: Invalid value: "../b": can not contain backsteps ('..')`,
      ],
    ],
  ])("%j: %j", (container, expected) => {
    expect(containerErrors(container)).toEqual(expected);
  });
});

describe("probes and hooks", () => {
  test.each<[JsonObject, unknown[]]>([
    [{ livenessProbe: {} }, [`${c}.livenessProbe: Required value: must specify a handler type`]],
    [
      { livenessProbe: { exec: {}, tcpSocket: { port: 0 } } },
      [
        `${c}.livenessProbe.exec.command: Required value`,
        `${c}.livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`,
      ],
    ],
    [
      { livenessProbe: { httpGet: { port: "-", scheme: "FTP", httpHeaders: [{ name: "a b", value: "" }] } } },
      [
        `${c}.livenessProbe.httpGet.port: Invalid value: "-": must contain at least one letter or number (a-z, 0-9)`,
        `${c}.livenessProbe.httpGet.port: Invalid value: "-": must not begin or end with a hyphen`,
        `${c}.livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`,
        expect.stringContaining(
          `${c}.livenessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header`,
        ),
      ],
    ],
    // As in Kubernetes, each error of a startup probe comes twice.
    [
      { startupProbe: { exec: {} } },
      [`${c}.startupProbe.exec.command: Required value`, `${c}.startupProbe.exec.command: Required value`],
    ],
    [
      {
        livenessProbe: {
          grpc: { port: 0 },
          initialDelaySeconds: -1,
          successThreshold: 2,
          terminationGracePeriodSeconds: 0,
        },
      },
      [
        `${c}.livenessProbe.grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
        `${c}.livenessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0`,
        `${c}.livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0`,
        `${c}.livenessProbe.successThreshold: Invalid value: 2: must be 1`,
      ],
    ],
    [
      { readinessProbe: { tcpSocket: { port: 1 }, terminationGracePeriodSeconds: 1, successThreshold: 3 } },
      [
        `${c}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes`,
      ],
    ],
    [
      { lifecycle: { postStart: {}, preStop: { tcpSocket: { port: 1 } } } },
      [`${c}.lifecycle.postStart: Required value: must specify a handler type`],
    ],
  ])("%j: %j", (container, expected) => {
    expect(containerErrors(container)).toEqual(expected);
  });
});

describe("resources", () => {
  const r = `${c}.resources`;
  test.each<[JsonObject, unknown[]]>([
    [
      { limits: { cpu: "1" }, requests: { cpu: "2", memory: "-1" } },
      [
        `${r}.requests: Invalid value: "2": must be less than or equal to cpu limit`,
        `${r}.requests[memory]: Invalid value: "-1": must be greater than or equal to 0`,
      ],
    ],
    [
      { limits: { storage: "1", odd: "1", "requests.x/y": "1" } },
      [
        `${r}.limits[storage]: Invalid value: "storage": must be a standard resource for containers`,
        `${r}.limits[odd]: Invalid value: "odd": must be a standard resource type or fully qualified`,
        `${r}.limits[odd]: Invalid value: "odd": must be a standard resource for containers`,
        `${r}.limits[requests.x/y]: Invalid value: "requests.x/y": doesn't follow extended resource name standard`,
        `${r}.requests[storage]: Invalid value: "storage": must be a standard resource for containers`,
        `${r}.requests[odd]: Invalid value: "odd": must be a standard resource type or fully qualified`,
        `${r}.requests[odd]: Invalid value: "odd": must be a standard resource for containers`,
        `${r}.requests[requests.x/y]: Invalid value: "requests.x/y": doesn't follow extended resource name standard`,
      ],
    ],
    [
      { limits: {}, requests: { toString: "1" } },
      [
        `${r}.requests[toString]: Invalid value: "toString": must be a standard resource type or fully qualified`,
        `${r}.requests[toString]: Invalid value: "toString": must be a standard resource for containers`,
      ],
    ],
    [
      { limits: { "a.b/gpu": "2" }, requests: { "a.b/gpu": "1" } },
      [`${r}.requests: Invalid value: "1": must be equal to a.b/gpu limit`],
    ],
    [
      { requests: { "a.b/gpu": "1500m" } },
      [
        `${r}.requests[a.b/gpu]: Invalid value: ${printQuantity("1500m").text}: must be an integer`,
        `${r}.limits: Required value: Limit must be set for non overcommitable resources`,
      ],
    ],
    [
      { limits: { "hugepages-2Mi": "3Mi" } },
      [
        `${r}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${r}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${r}: Forbidden: HugePages require cpu or memory`,
      ],
    ],
    [{ limits: { memory: "1.5" } }, []],
  ])("%j: %j", (resources, expected) => {
    expect(containerErrors({ resources })).toEqual(expected);
  });
});

test("names are unique in each list and between init and other containers", () => {
  const app = { name: "app", image: "app" };
  expect(errorsOf({ containers: [app, app], initContainers: [app] })).toEqual([
    'spec.containers[1].name: Duplicate value: "app"',
    'spec.initContainers[0].name: Duplicate value: "app"',
  ]);
});

test("init containers run to their end, one by one", () => {
  const ports = [{ containerPort: 1, hostPort: 1 }];
  const errors = errorsOf({
    initContainers: [
      { name: "a", image: "a", ports, livenessProbe: { tcpSocket: { port: 1 } } },
      { name: "b", image: "b", ports, lifecycle: { preStop: { exec: { command: ["x"] } } } },
    ],
  });
  expect(errors).toEqual([
    "spec.initContainers[0].livenessProbe: Invalid value: core.Probe{ProbeHandler:core.ProbeHandler{Exec:(*core.ExecAction)(nil), HTTPGet:(*core.HTTPGetAction)(nil), TCPSocket:(*core.TCPSocketAction)(0xc000000000), GRPC:(*core.GRPCAction)(nil)}, InitialDelaySeconds:0, TimeoutSeconds:1, PeriodSeconds:10, SuccessThreshold:1, FailureThreshold:3, TerminationGracePeriodSeconds:(*int64)(nil)}: must not be set for init containers",
    "spec.initContainers[1].lifecycle: Invalid value: core.Lifecycle{PostStart:(*core.LifecycleHandler)(nil), PreStop:(*core.LifecycleHandler)(0xc000000000)}: must not be set for init containers",
  ]);
});

test("ephemeral containers are no part of the workload", () => {
  const e = "spec.ephemeralContainers";
  const errors = errorsOf({
    ephemeralContainers: [
      { name: "", image: "x" },
      { name: "app", image: " x", targetContainerName: "none" },
      {
        name: "b",
        image: "x",
        targetContainerName: "app",
        ports: [{ containerPort: 1 }],
        resources: { limits: { cpu: "1" } },
        lifecycle: {},
        volumeMounts: [{ name: "dir", mountPath: "/a", subPath: "b" }],
      },
    ],
  });
  expect(errors).toEqual([
    `${e}[0]: Required value: ephemeralContainer requires a name`,
    `${e}[1].targetContainerName: Not found: "none"`,
    `${e}[1][0].image: Invalid value: " x": must not have leading or trailing whitespace`,
    `${e}[1].name: Duplicate value: "app"`,
    `${e}[2].ports: Forbidden: cannot be set for an Ephemeral Container`,
    `${e}[2].resources: Forbidden: cannot be set for an Ephemeral Container`,
    `${e}[2].lifecycle: Forbidden: cannot be set for an Ephemeral Container`,
    `${e}[2].volumeMounts[0].subPath: Forbidden: cannot be set for an Ephemeral Container`,
  ]);
});

test("names and amounts of resources are shown as each level shows them", () => {
  const resources = { requests: { odd: "1", "a.b/gpu": "1500m" }, limits: { "a.b/gpu": "1500m" } };
  const shown = (minor: number) =>
    withErrorTextsOf(minor, () => containerErrors({ resources })).map(
      (text) => /value: (.*?): (?:must|doesn)/.exec(text)?.[1],
    );
  const quantity = printQuantity("1500m").text;
  expect(shown(28)).toEqual([quantity, quantity, '"odd"', '"odd"']);
  expect(shown(29)).toEqual([quantity, quantity, "odd", "odd"]);
  expect(shown(33)).toEqual(shown(29));
  expect(shown(34)).toEqual(['"1500m"', '"1500m"', '"odd"', '"odd"']);
});
