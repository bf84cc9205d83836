/**
 * Encodes and decodes one pod of 1.5 KB, compared with `JSON.parse` and `JSON.stringify` of the same object in the same run. Goals:
 * protobuf at least as fast as those; JSON decoded through the schema at most twice as slow.
 */
import { Buffer } from "node:buffer";
import { parseJson } from "../src/apimachinery/json/json-parse.js";
import { SchemaRegistry } from "../src/apimachinery/schema/schema-registry.js";
import { typePackages } from "../src/apis/type-packages.js";

const roundMs = 300;
const rounds = 5;

const pod = {
  metadata: {
    name: "web-7d5b8c9f6d-x2x7p",
    generateName: "web-7d5b8c9f6d-",
    namespace: "production",
    uid: "5f0c4c0e-3b7e-4b53-9a0e-0d4d2b6f7a11",
    resourceVersion: "1234567",
    creationTimestamp: "2024-03-05T10:11:12Z",
    labels: { app: "web", "pod-template-hash": "7d5b8c9f6d", tier: "frontend" },
    annotations: {
      "example.com/checksum": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    ownerReferences: [
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: "web-7d5b8c9f6d",
        uid: "0a8d2c33-7c0f-4d5e-8a44-b0c7b8b6f001",
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    volumes: [{ name: "config", configMap: { name: "web-config", defaultMode: 420 } }],
    containers: [
      {
        name: "web",
        image: "registry.example.com/web:1.42.0",
        ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
        env: [{ name: "MODE", value: "production" }],
        resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
        volumeMounts: [{ name: "config", mountPath: "/etc/web", readOnly: true }],
        readinessProbe: {
          httpGet: { path: "/ready", port: "http", scheme: "HTTP" },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "IfNotPresent",
      },
    ],
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    nodeName: "node-17.example.com",
    securityContext: {},
    schedulerName: "default-scheduler",
  },
  status: {
    phase: "Running",
    podIP: "10.42.7.19",
    conditions: [
      { type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: "2024-03-05T10:11:20Z" },
    ],
  },
};

const codec = new SchemaRegistry(typePackages).codec<object>("core/v1.Pod");
const object = codec.fromJson(pod);
const text = codec.toJson(object);
const jsonBytes = Buffer.from(text);
const plain: unknown = JSON.parse(text);
const proto = codec.toProto(object);

const cases: readonly (readonly [name: string, run: () => unknown])[] = [
  ["JSON.parse", () => JSON.parse(text)],
  ["JSON.stringify", () => JSON.stringify(plain)],
  ["structuredClone", () => structuredClone(plain)],
  ["parseJson", () => parseJson(text)],
  ["parseJson of bytes", () => parseJson(jsonBytes)],
  ["fromJson of a parsed value", () => codec.fromJson(JSON.parse(text))],
  ["parseJson + fromJson", () => codec.fromJson(parseJson(text))],
  ["toJson", () => codec.toJson(object)],
  ["toJson to bytes", () => Buffer.from(codec.toJson(object))],
  ["fromProto", () => codec.fromProto(proto)],
  ["toProto", () => codec.toProto(object)],
  ["clone", () => codec.clone(object)],
];

console.log(`pod: ${jsonBytes.length} bytes of JSON, ${proto.length} of protobuf`);
const best = new Map<string, number>();
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of cases) best.set(name, Math.max(best.get(name) ?? 0, perSecond(run)));
}
const parseRate = best.get("JSON.parse") ?? 1;
for (const [name, rate] of best) {
  const shown = Math.round(rate).toLocaleString("en").padStart(12);
  console.log(`${name.padEnd(28)}${shown}/s  ${(rate / parseRate).toFixed(2)} x JSON.parse`);
}

function perSecond(run: () => unknown): number {
  let calls = 0;
  let kept: unknown;
  const start = process.hrtime.bigint();
  let elapsedNs = 0;
  while (elapsedNs < roundMs * 1e6) {
    for (let index = 0; index < 500; index++) kept = run();
    calls += 500;
    elapsedNs = Number(process.hrtime.bigint() - start);
  }
  if (kept === undefined) throw new Error("nothing was made");
  return (calls * 1e9) / elapsedNs;
}
