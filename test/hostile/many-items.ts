import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";
import { most } from "./sizes.js";

const core = "/api/v1/namespaces/default";
const maps = `${core}/configmaps`;

/** Built-in objects with as many items as a body has room for. */
export function manyItems(): HostileCase {
  const wide = { metadata: { name: "wide" }, data: record(most.stored, (i) => [`k${i}`, "v"]) };
  return { name: "many items", before: [json("prepare", "POST", maps, wide)], requests: requests() };
}

function requests(): readonly HostileRequest[] {
  const ports = range(most.pairs, (i) => ({ containerPort: 1 + i, hostPort: 1 + i }));
  const pod = (spec: object): object => ({ metadata: { name: "items" }, spec });
  const container = { name: "c", image: "i" };
  const dry = "dryRun=All";
  const pods = `${core}/pods?${dry}`;
  const managers = range(4_000, (i) => ({
    manager: `m${i}`,
    operation: "Update",
    apiVersion: "v1",
    time: "2022-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": { [`f:k${i}`]: {} } },
  }));
  const map = (metadata: object): object => ({ metadata: { name: "items", ...metadata } });
  return [
    json("pod, ports", "POST", pods, pod({ containers: [{ ...container, ports }] })),
    json(
      "pod, containers",
      "POST",
      pods,
      pod({ containers: range(most.pairs, (i) => ({ ...container, name: `c${i}` })) }),
    ),
    json(
      "pod, too many containers",
      "POST",
      pods,
      pod({ containers: range(most.refused, (i) => ({ ...container, name: `c${i}` })) }),
    ),
    json(
      "pod, too many containers, YAML",
      "POST",
      pods,
      pod({ containers: range(most.refused, (i) => ({ ...container, name: `c${i}` })) }),
      "application/yaml",
    ),
    json("pod, same containers", "POST", pods, pod({ containers: range(most.pairs, () => container) })),
    json(
      "pod, env",
      "POST",
      pods,
      pod({
        containers: [{ ...container, env: range(most.pairs, (i) => ({ name: `E${i}`, value: "$(E1)" })) }],
      }),
    ),
    json(
      "pod, volumes",
      "POST",
      pods,
      pod({ containers: [container], volumes: range(24_900, (i) => ({ name: `v${i}`, emptyDir: {} })) }),
    ),
    json(
      "pod, tolerations",
      "POST",
      pods,
      pod({
        containers: [container],
        tolerations: range(most.pairs, (i) => ({ key: `k${i}`, operator: "Exists" })),
      }),
    ),
    json(
      "labels, bad",
      "POST",
      `${maps}?${dry}`,
      map({ labels: record(most.members, (i) => [`bad key ${i}`, "v"]) }),
    ),
    json(
      "annotations",
      "POST",
      `${maps}?${dry}`,
      map({ annotations: record(most.members, (i) => [`a${i}`, "v"]) }),
    ),
    json(
      "finalizers, bad",
      "POST",
      `${maps}?${dry}`,
      map({ finalizers: range(most.members, (i) => `bad/fin/${i}`) }),
    ),
    json(
      "owners",
      "POST",
      `${maps}?${dry}`,
      map({
        ownerReferences: range(19_900, (i) => ({
          apiVersion: "v1",
          kind: "Pod",
          name: `p${i}`,
          uid: `u${i}`,
        })),
      }),
    ),
    json("managed fields", "POST", `${maps}?${dry}`, map({ managedFields: managers })),
    json("data, bad keys", "POST", `${maps}?${dry}`, {
      metadata: { name: "items" },
      data: record(most.members, (i) => [`bad key ${i}`, "v"]),
    }),
    json("unknown fields", "POST", `${maps}?${dry}&fieldValidation=Strict`, {
      metadata: { name: "items" },
      ...record(most.members, (i) => [`unknown${i}`, 1]),
    }),
    {
      kind: "duplicate fields",
      method: "POST",
      path: `${maps}?${dry}&fieldValidation=Strict`,
      headers: { "content-type": "application/json" },
      body: `{"metadata":{"name":"items"},"data":{${range(most.members, () => '"a":"b"').join(",")}}}`,
    },
    json(
      "apply, wide",
      "PATCH",
      `${maps}/applied?${dry}&fieldManager=m`,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "applied" },
        data: record(most.members, (i) => [`k${i}`, "v"]),
      },
      "application/apply-patch+yaml",
    ),
    json(
      "merge patch, wide",
      "PATCH",
      `${maps}/wide?${dry}`,
      { data: record(most.stored, (i) => [`k${i}`, "w"]) },
      "application/merge-patch+json",
    ),
    json(
      "strategic patch, wide",
      "PATCH",
      `${maps}/wide?${dry}`,
      { data: record(most.stored, (i) => [`k${i}`, "w"]) },
      "application/strategic-merge-patch+json",
    ),
    json(
      "merge patch, small, of a wide object",
      "PATCH",
      `${maps}/wide?${dry}`,
      { data: { k1: "x" } },
      "application/merge-patch+json",
    ),
    json("update, wide", "PUT", `${maps}/wide?${dry}`, {
      metadata: { name: "wide" },
      data: record(most.stored, (i) => [`k${(i * 7919) % most.stored}`, "w"]),
    }),
    json(
      "apply, taking all over",
      "PATCH",
      `${maps}/wide?${dry}&fieldManager=m&force=true`,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "wide" },
        data: record(most.stored, (i) => [`k${i}`, "w"]),
      },
      "application/apply-patch+yaml",
    ),
    json(
      "apply, conflicts",
      "PATCH",
      `${maps}/wide?${dry}&fieldManager=m`,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "wide" },
        data: record(most.stored, (i) => [`k${i}`, "w"]),
      },
      "application/apply-patch+yaml",
    ),
    ...[
      "application/yaml",
      "application/vnd.kubernetes.protobuf",
      "application/json;as=Table;g=meta.k8s.io;v=v1",
    ].map(
      (accept): HostileRequest => ({
        kind: `get, wide, ${accept.slice(12, 30)}`,
        method: "GET",
        path: `${maps}/wide`,
        headers: { accept },
      }),
    ),
    { kind: "get, wide, pretty", method: "GET", path: `${maps}/wide?pretty=true` },
    { kind: "delete, wide", method: "DELETE", path: `${maps}/wide?${dry}` },
    {
      kind: "protobuf, map entries",
      method: "POST",
      path: `${maps}?${dry}`,
      headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      body: protobufConfigMap(most.members),
    },
    {
      kind: "protobuf, empty entries",
      method: "POST",
      path: `${maps}?${dry}`,
      headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      body: protobufEnvelope(Buffer.alloc(2_900_000, Buffer.from([0x12, 0x00]))),
    },
    json("token review", "POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
      spec: { token: "a.".repeat(700_000) },
    }),
    json("token review, claims", "POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
      spec: {
        token: `e30.${Buffer.from(JSON.stringify(record(190_000, (i) => [`k${i}`, 1]))).toString("base64url")}.c2ln`,
      },
    }),
    json("access review, groups", "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      spec: {
        user: "u",
        groups: range(most.members, (i) => `g${i}`),
        resourceAttributes: { verb: "get", resource: "pods" },
      },
    }),
    {
      kind: "nesting",
      method: "POST",
      path: `${maps}?${dry}`,
      headers: { "content-type": "application/json" },
      body: `${'{"a":'.repeat(500_000)}1${"}".repeat(500_000)}`,
    },
    {
      kind: "numbers",
      method: "POST",
      path: `${maps}?${dry}`,
      headers: { "content-type": "application/json" },
      body: `{"data":{"a":${"9".repeat(2_900_000)}}}`,
    },
  ];
}

/** A config map of that many keys: entries of two short strings in field 2. */
function protobufConfigMap(keys: number): Uint8Array {
  const entries = range(keys, (i) => {
    const key = Buffer.from(`k${i}`);
    return Buffer.concat([
      Buffer.from([0x12, key.length + 5, 0x0a, key.length]),
      key,
      Buffer.from([0x12, 1, 118]),
    ]);
  });
  return protobufEnvelope(Buffer.concat([Buffer.from([0x0a, 7, 0x0a, 5]), Buffer.from("items"), ...entries]));
}

/** The message of a config map in what Kubernetes sends around it: type and bytes. */
function protobufEnvelope(message: Uint8Array): Uint8Array {
  const length = [0, 7, 14, 21].map((shift) => ((message.length >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
  const type = [0x0a, 15, 0x0a, 2, ...Buffer.from("v1"), 0x12, 9, ...Buffer.from("ConfigMap")];
  return Buffer.concat([Buffer.from("k8s\0"), Buffer.from([...type, 0x12, ...length]), message]);
}
