import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { testPod } from "../../testing/pod-fixture.js";
import { setPodDefaults } from "./defaults.js";

const context = testApiContext();

function defaulted(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  const codec = context.schemas.codec<object>("core/v1.Pod");
  return JSON.parse(codec.toJson(testPod(context, spec, metadata)));
}

test("a pod of one container gets every default", () => {
  expect(defaulted({})).toEqual({
    metadata: { name: "web", namespace: "ns", creationTimestamp: null },
    spec: {
      containers: [
        {
          name: "app",
          image: "app:1",
          resources: {},
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          imagePullPolicy: "IfNotPresent",
        },
      ],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      securityContext: {},
      schedulerName: "default-scheduler",
      enableServiceLinks: true,
    },
    status: {},
  });
});

test("requests follow limits and both are rounded up to thousandths", () => {
  const container = {
    name: "app",
    image: "app",
    resources: { limits: { cpu: "100100u", memory: "1Gi" }, requests: { memory: "1" } },
  };
  const resources = { limits: { cpu: "101m", memory: "1Gi" }, requests: { cpu: "101m", memory: "1" } };
  const spec = defaulted({
    containers: [container],
    initContainers: [container],
    overhead: { cpu: "1n" },
  }).spec;
  expect(spec).toMatchObject({
    containers: [{ resources }],
    initContainers: [{ resources }],
    overhead: { cpu: "1m" },
  });
});

test("ports of a pod in the host's network are the host's", () => {
  const containers = [
    { name: "app", image: "a", ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 82 }] },
  ];
  expect(defaulted({ hostNetwork: true, containers }).spec).toMatchObject({
    containers: [
      {
        ports: [
          { containerPort: 80, hostPort: 80, protocol: "TCP" },
          { containerPort: 81, hostPort: 82, protocol: "TCP" },
        ],
      },
    ],
  });
  expect(defaulted({ containers }).spec).toMatchObject({
    containers: [{ ports: [{ containerPort: 80, protocol: "TCP" }, { hostPort: 82 }] }],
  });
});

test("probes, hooks and field references are completed in all kinds of containers", () => {
  const container = {
    name: "c",
    image: "c",
    env: [{ name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } }],
    livenessProbe: { httpGet: { port: 80 } },
    readinessProbe: { grpc: { port: 80 }, periodSeconds: 5 },
    startupProbe: { exec: { command: ["a"] }, failureThreshold: 9 },
    lifecycle: { preStop: { httpGet: { port: "http", scheme: "HTTPS" } } },
  };
  const expected = {
    env: [{ name: "IP", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "status.podIP" } } }],
    livenessProbe: {
      httpGet: { path: "/", port: 80, scheme: "HTTP" },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    },
    readinessProbe: { grpc: { port: 80, service: "" }, periodSeconds: 5, timeoutSeconds: 1 },
    startupProbe: { failureThreshold: 9, periodSeconds: 10 },
    lifecycle: { preStop: { httpGet: { path: "/", port: "http", scheme: "HTTPS" } } },
  };
  expect(
    defaulted({ containers: [container], initContainers: [container], ephemeralContainers: [container] })
      .spec,
  ).toMatchObject({ containers: [expected], initContainers: [expected], ephemeralContainers: [expected] });
});

test.each<[JsonObject, JsonObject]>([
  [{}, { emptyDir: {} }],
  [{ emptyDir: { medium: "Memory" } }, { emptyDir: { medium: "Memory" } }],
  [{ hostPath: { path: "/a" } }, { hostPath: { path: "/a", type: "" } }],
  [{ secret: { secretName: "s" } }, { secret: { secretName: "s", defaultMode: 420 } }],
  [{ configMap: { name: "c" } }, { configMap: { name: "c", defaultMode: 420 } }],
  [{ configMap: { name: "c", defaultMode: 0 } }, { configMap: { name: "c", defaultMode: 0 } }],
  [
    { downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.name" } }] } },
    {
      downwardAPI: {
        items: [{ path: "p", fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } }],
        defaultMode: 420,
      },
    },
  ],
  [
    { projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
    {
      projected: {
        sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3600 } }],
        defaultMode: 420,
      },
    },
  ],
  [
    { iscsi: { targetPortal: "p", iqn: "iqn", lun: 0 } },
    { iscsi: { targetPortal: "p", iqn: "iqn", lun: 0, iscsiInterface: "default" } },
  ],
  [
    { rbd: { monitors: ["m"], image: "i" } },
    { rbd: { monitors: ["m"], image: "i", pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" } },
  ],
  [
    { azureDisk: { diskName: "d", diskURI: "u" } },
    {
      azureDisk: {
        diskName: "d",
        diskURI: "u",
        cachingMode: "ReadWrite",
        fsType: "ext4",
        readOnly: false,
        kind: "Shared",
      },
    },
  ],
  [
    { scaleIO: { gateway: "g", system: "s", secretRef: { name: "x" } } },
    {
      scaleIO: {
        gateway: "g",
        system: "s",
        secretRef: { name: "x" },
        storageMode: "ThinProvisioned",
        fsType: "xfs",
      },
    },
  ],
])("volume %j becomes %j", (given, expected) => {
  expect(defaulted({ volumes: [{ name: "v", ...given }] }).spec).toMatchObject({
    volumes: [{ name: "v", ...expected }],
  });
});

test.each([
  [{ serviceAccount: "a" }, "a"],
  [{ serviceAccountName: "a" }, "a"],
  [{ serviceAccount: "a", serviceAccountName: "b" }, "b"],
])("the service account %j is %s by both its names", (spec, name) => {
  expect(defaulted(spec).spec).toMatchObject({ serviceAccount: name, serviceAccountName: name });
});

test.each([
  [{ podIP: "1.1.1.1" }, { podIP: "1.1.1.1", podIPs: [{ ip: "1.1.1.1" }] }],
  [
    { podIPs: [{ ip: "1.1.1.1" }, { ip: "::1" }] },
    { podIP: "1.1.1.1", podIPs: [{ ip: "1.1.1.1" }, { ip: "::1" }] },
  ],
  [
    { podIP: "1.1.1.1", podIPs: [{ ip: "2.2.2.2" }] },
    { podIP: "1.1.1.1", podIPs: [{ ip: "1.1.1.1" }] },
  ],
])("addresses %j are read as %j", (status, expected) => {
  const codec = context.schemas.codec<ReturnType<typeof testPod>>("core/v1.Pod");
  const pod = codec.fromJson({ spec: { containers: [] }, status });
  setPodDefaults(pod, context);
  expect(pod.status).toMatchObject(expected);
});

test("annotations of former init containers are dropped", () => {
  const annotations = {
    "pod.alpha.kubernetes.io/init-containers": "[]",
    "pod.beta.kubernetes.io/init-container-statuses": "[]",
    kept: "yes",
  };
  expect(defaulted({}, { annotations }).metadata).toMatchObject({ annotations: { kept: "yes" } });
});
