import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { openStore3, type Store3 } from "../../src/storage/store3/store3.js";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const { group } = createNaming("kubernetes");
const container = { name: "c", image: "i" };
const podTemplate = { metadata: { labels: { a: "b" } }, spec: { containers: [container] } };
const selector = { matchLabels: { a: "b" } };
const roleRef = { apiGroup: group("rbac.authorization"), kind: "ClusterRole", name: "r" };
const reference = { apiVersion: "v1", kind: "Pod", name: "p", namespace: "default" };
const base64 = (text: string) => Buffer.from(text).toString("base64");
const request = base64(`-----BEGIN CERTIFICATE REQUEST-----
MIHGMG4CAQAwDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BDnBTmRKMFpusTX0LkTXE6hE+UN9RjWKMTcSfRhq85e9uwUxzQaL45MLRCJh6ao0
tNaiDN3J230qgiwyHp9KRWygADAKBggqhkjOPQQDAgNIADBFAiEAhCjPM1WK85EQ
FmQIq2u8x1VWikjiSmRoMa4PHGQ2X9kCIBfedz/+HV4RkrvWt7fH3MEn9cTiUfYG
Mfa0p/ARexcN
-----END CERTIFICATE REQUEST-----
`);

interface Row {
  /** Group and version that the object is written in. */
  readonly api: string;
  readonly plural: string;
  readonly kind: string;
  /** Below the prefix of the store; as in Kubernetes 1.23. */
  readonly prefix: string;
  /** The stored version, if it differs from that of `api`. */
  readonly stored?: string;
  /** Stored as JSON instead of protobuf. */
  readonly isJson?: true;
  readonly cluster?: true;
  readonly name?: string;
  readonly body?: object;
}

const rows: readonly Row[] = [
  { api: "v1", plural: "configmaps", kind: "ConfigMap", prefix: "configmaps" },
  { api: "v1", plural: "endpoints", kind: "Endpoints", prefix: "services/endpoints" },
  { api: "v1", plural: "events", kind: "Event", prefix: "events", body: { involvedObject: reference } },
  {
    api: "v1",
    plural: "limitranges",
    kind: "LimitRange",
    prefix: "limitranges",
    body: { spec: { limits: [] } },
  },
  { api: "v1", plural: "namespaces", kind: "Namespace", prefix: "namespaces", cluster: true },
  { api: "v1", plural: "nodes", kind: "Node", prefix: "minions", cluster: true },
  {
    api: "v1",
    plural: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    prefix: "persistentvolumeclaims",
    body: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  },
  {
    api: "v1",
    plural: "persistentvolumes",
    kind: "PersistentVolume",
    prefix: "persistentvolumes",
    cluster: true,
    body: {
      spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/x" } },
    },
  },
  { api: "v1", plural: "pods", kind: "Pod", prefix: "pods", body: { spec: podTemplate.spec } },
  {
    api: "v1",
    plural: "podtemplates",
    kind: "PodTemplate",
    prefix: "podtemplates",
    body: { template: podTemplate },
  },
  {
    api: "v1",
    plural: "replicationcontrollers",
    kind: "ReplicationController",
    prefix: "controllers",
    body: { spec: { selector: { a: "b" }, template: podTemplate } },
  },
  { api: "v1", plural: "resourcequotas", kind: "ResourceQuota", prefix: "resourcequotas" },
  { api: "v1", plural: "secrets", kind: "Secret", prefix: "secrets" },
  { api: "v1", plural: "serviceaccounts", kind: "ServiceAccount", prefix: "serviceaccounts" },
  {
    api: "v1",
    plural: "services",
    kind: "Service",
    prefix: "services/specs",
    body: { spec: { ports: [{ port: 1 }] } },
  },
  {
    api: "apps/v1",
    plural: "controllerrevisions",
    kind: "ControllerRevision",
    prefix: "controllerrevisions",
    body: { revision: 1, data: { a: "b" } },
  },
  {
    api: "apps/v1",
    plural: "daemonsets",
    kind: "DaemonSet",
    prefix: "daemonsets",
    body: { spec: { selector, template: podTemplate } },
  },
  {
    api: "apps/v1",
    plural: "deployments",
    kind: "Deployment",
    prefix: "deployments",
    body: { spec: { selector, template: podTemplate } },
  },
  {
    api: "apps/v1",
    plural: "replicasets",
    kind: "ReplicaSet",
    prefix: "replicasets",
    body: { spec: { selector, template: podTemplate } },
  },
  {
    api: "apps/v1",
    plural: "statefulsets",
    kind: "StatefulSet",
    prefix: "statefulsets",
    body: { spec: { selector, serviceName: "s", template: podTemplate } },
  },
  {
    api: `${group("events")}/v1`,
    plural: "events",
    kind: "Event",
    prefix: "events",
    stored: "v1",
    name: "y",
    body: {
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "a/b",
      reportingInstance: "c",
      action: "d",
      reason: "e",
      type: "Normal",
      regarding: reference,
    },
  },
  ...["v1", "v2", "v2beta1", "v2beta2"].map(
    (version): Row => ({
      api: `autoscaling/${version}`,
      plural: "horizontalpodautoscalers",
      kind: "HorizontalPodAutoscaler",
      prefix: "horizontalpodautoscalers",
      stored: "autoscaling/v1",
      name: version,
      body: { spec: { scaleTargetRef: { kind: "ReplicaSet", name: "r" }, maxReplicas: 1 } },
    }),
  ),
  ...["v1", "v1beta1"].map(
    (version): Row => ({
      api: `batch/${version}`,
      plural: "cronjobs",
      kind: "CronJob",
      prefix: "cronjobs",
      stored: "batch/v1",
      name: version,
      body: {
        spec: {
          schedule: "* * * * *",
          jobTemplate: { spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } } },
        },
      },
    }),
  ),
  {
    api: "batch/v1",
    plural: "jobs",
    kind: "Job",
    prefix: "jobs",
    body: { spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } } },
  },
  {
    api: `${group("networking")}/v1`,
    plural: "ingressclasses",
    kind: "IngressClass",
    prefix: "ingressclasses",
    cluster: true,
    body: { spec: { controller: "example.com/c" } },
  },
  {
    api: `${group("networking")}/v1`,
    plural: "ingresses",
    kind: "Ingress",
    prefix: "ingress",
    body: { spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } } },
  },
  {
    api: `${group("networking")}/v1`,
    plural: "networkpolicies",
    kind: "NetworkPolicy",
    prefix: "networkpolicies",
    body: { spec: { podSelector: {} } },
  },
  ...["v1", "v1beta1"].map(
    (version): Row => ({
      api: `policy/${version}`,
      plural: "poddisruptionbudgets",
      kind: "PodDisruptionBudget",
      prefix: "poddisruptionbudgets",
      stored: "policy/v1beta1",
      name: version,
      body: { spec: { minAvailable: 1, selector } },
    }),
  ),
  {
    api: "policy/v1beta1",
    plural: "podsecuritypolicies",
    kind: "PodSecurityPolicy",
    prefix: "podsecuritypolicy",
    cluster: true,
    body: {
      spec: {
        fsGroup: { rule: "RunAsAny" },
        runAsUser: { rule: "RunAsAny" },
        seLinux: { rule: "RunAsAny" },
        supplementalGroups: { rule: "RunAsAny" },
      },
    },
  },
  ...(["clusterroles", "roles"] as const).map(
    (plural): Row => ({
      api: `${group("rbac.authorization")}/v1`,
      plural,
      kind: plural === "roles" ? "Role" : "ClusterRole",
      prefix: plural,
      ...(plural === "clusterroles" && { cluster: true }),
    }),
  ),
  ...(["clusterrolebindings", "rolebindings"] as const).map(
    (plural): Row => ({
      api: `${group("rbac.authorization")}/v1`,
      plural,
      kind: plural === "rolebindings" ? "RoleBinding" : "ClusterRoleBinding",
      prefix: plural,
      ...(plural === "clusterrolebindings" && { cluster: true }),
      body: { roleRef, subjects: [] },
    }),
  ),
  {
    api: `${group("storage")}/v1`,
    plural: "csidrivers",
    kind: "CSIDriver",
    prefix: "csidrivers",
    cluster: true,
    body: { spec: {} },
  },
  {
    api: `${group("storage")}/v1`,
    plural: "csinodes",
    kind: "CSINode",
    prefix: "csinodes",
    cluster: true,
    body: { spec: { drivers: [] } },
  },
  {
    api: `${group("storage")}/v1`,
    plural: "storageclasses",
    kind: "StorageClass",
    prefix: "storageclasses",
    cluster: true,
    body: { provisioner: "p" },
  },
  ...["v1", "v1alpha1"].map(
    (version): Row => ({
      api: `${group("storage")}/${version}`,
      plural: "volumeattachments",
      kind: "VolumeAttachment",
      prefix: "volumeattachments",
      stored: `${group("storage")}/v1`,
      cluster: true,
      name: version,
      body: { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } } },
    }),
  ),
  ...["v1beta1", "v1alpha1"].map(
    (version): Row => ({
      api: `${group("storage")}/${version}`,
      plural: "csistoragecapacities",
      kind: "CSIStorageCapacity",
      prefix: "csistoragecapacities",
      stored: `${group("storage")}/v1beta1`,
      name: version,
      body: { storageClassName: "s" },
    }),
  ),
  ...(["Mutating", "Validating"] as const).map(
    (mode): Row => ({
      api: `${group("admissionregistration")}/v1`,
      plural: `${mode.toLowerCase()}webhookconfigurations`,
      kind: `${mode}WebhookConfiguration`,
      prefix: `${mode.toLowerCase()}webhookconfigurations`,
      cluster: true,
    }),
  ),
  {
    api: `${group("scheduling")}/v1`,
    plural: "priorityclasses",
    kind: "PriorityClass",
    prefix: "priorityclasses",
    cluster: true,
    body: { value: 1 },
  },
  {
    api: `${group("coordination")}/v1`,
    plural: "leases",
    kind: "Lease",
    prefix: "leases",
    body: { spec: {} },
  },
  ...["v1", "v1beta1"].map(
    (version): Row => ({
      api: `${group("node")}/${version}`,
      plural: "runtimeclasses",
      kind: "RuntimeClass",
      prefix: "runtimeclasses",
      stored: `${group("node")}/v1`,
      cluster: true,
      name: version,
      body: { handler: "h" },
    }),
  ),
  ...["v1", "v1beta1"].map(
    (version): Row => ({
      api: `${group("discovery")}/${version}`,
      plural: "endpointslices",
      kind: "EndpointSlice",
      prefix: "endpointslices",
      stored: `${group("discovery")}/v1beta1`,
      name: version,
      body: { addressType: "IPv4", endpoints: [{ addresses: ["10.1.1.1"] }] },
    }),
  ),
  ...["v1beta1", "v1beta2", "v1"].flatMap((version): Row[] => [
    {
      api: `${group("flowcontrol.apiserver")}/${version}`,
      plural: "flowschemas",
      kind: "FlowSchema",
      prefix: "flowschemas",
      stored: `${group("flowcontrol.apiserver")}/v1beta1`,
      cluster: true,
      name: version,
      body: { spec: { priorityLevelConfiguration: { name: "global-default" } } },
    },
    {
      api: `${group("flowcontrol.apiserver")}/${version}`,
      plural: "prioritylevelconfigurations",
      kind: "PriorityLevelConfiguration",
      prefix: "prioritylevelconfigurations",
      stored: `${group("flowcontrol.apiserver")}/v1beta1`,
      cluster: true,
      name: version,
      body: {
        spec: {
          type: "Limited",
          limited: {
            [version === "v1" ? "nominalConcurrencyShares" : "assuredConcurrencyShares"]: 1,
            limitResponse: { type: "Reject" },
          },
        },
      },
    },
  ]),
  {
    api: `${group("internal.apiserver")}/v1alpha1`,
    plural: "storageversions",
    kind: "StorageVersion",
    prefix: "storageversions",
    cluster: true,
    name: "a.b",
    body: { spec: {} },
  },
  {
    api: `${group("certificates")}/v1`,
    plural: "certificatesigningrequests",
    kind: "CertificateSigningRequest",
    prefix: "certificatesigningrequests",
    cluster: true,
    body: { spec: { request, signerName: "example.com/s", usages: ["client auth"] } },
  },
  {
    api: `${group("apiregistration")}/v1`,
    plural: "apiservices",
    kind: "APIService",
    prefix: `${group("apiregistration")}/apiservices`,
    cluster: true,
    name: "v1.example.com",
    body: {
      spec: {
        group: "example.com",
        version: "v1",
        groupPriorityMinimum: 1,
        versionPriority: 1,
        service: { name: "s", namespace: "default" },
        insecureSkipTLSVerify: true,
      },
    },
  },
  {
    api: `${group("apiextensions")}/v1`,
    plural: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
    prefix: `${group("apiextensions")}/customresourcedefinitions`,
    isJson: true,
    cluster: true,
    name: "widgets.example.com",
    body: {
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
        ],
      },
    },
  },
];

describe.skipIf(etcdMissing)(
  `a store shared with Kubernetes${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let etcd: EtcdCluster;
    let kv: Store3;
    let server: ServerHere;
    let api: ApiClient;

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
      kv = await openStore3({ endpoints: etcd.endpoints });
      server = await startServerHere({
        args: [
          `--etcd-servers=${etcd.endpoints.join()}`,
          "--runtime-config=api/all=true",
          "--advertise-address=10.7.0.1",
        ],
      });
      api = new ApiClient(server);
    });

    afterAll(async () => {
      await api.close();
      await server.dispose();
      await kv.close();
      await etcd.close();
    });

    async function stored(key: string): Promise<Buffer> {
      const { kvs } = await kv.range({ start: key });
      expect(kvs.map((each) => each.key)).toEqual([key]);
      return Buffer.from(kvs[0]?.value ?? []);
    }

    test.each(rows)("$api $plural is at $prefix", async (row) => {
      const { api: apiVersion, kind, plural, prefix, name = "x" } = row;
      const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
      const path = row.cluster ? `${root}/${plural}` : `${root}/namespaces/default/${plural}`;
      const metadata = { name };
      const answer = await api.post(path, { apiVersion, kind, metadata, ...row.body });
      expect(answer.body.message).toBeUndefined();
      expect(answer.status).toBe(201);

      const bytes = await stored(`/registry/${prefix}/${row.cluster ? "" : "default/"}${name}`);
      const { uid } = answer.body.metadata;
      if (row.isJson) {
        const object = JSON.parse(bytes.toString("utf8"));
        expect(object).toMatchObject({ apiVersion, kind, metadata: { name, uid } });
        expect(object.metadata).not.toHaveProperty("resourceVersion");
        return;
      }
      const envelope = envelopeOf(bytes);
      expect(envelope.apiVersion).toBe(row.stored ?? apiVersion);
      expect(envelope.kind).toBe(kind);
      const meta = field(envelope.raw, 1);
      expect(field(meta, 1).toString()).toBe(name);
      expect(field(meta, 3).toString()).toBe(row.cluster ? "" : "default");
      expect(field(meta, 5).toString()).toBe(uid);
      // The store derives the version from its revisions.
      expect(field(meta, 6)).toHaveLength(0);
    });

    test("every resource that is stored is in the table", async () => {
      const { kvs } = await kv.range({ start: "/registry/", end: "/registry0", keysOnly: true });
      const known = rows.map(({ prefix, cluster }) => ({
        prefix: `/registry/${prefix}/`,
        parts: cluster ? 1 : 2,
      }));
      const others = kvs
        .map(({ key }) => key)
        .filter(
          (key) =>
            !known.some(
              ({ prefix, parts }) =>
                key.startsWith(prefix) && key.slice(prefix.length).split("/").length === parts,
            ),
        );
      expect(others.sort()).toEqual([
        "/registry/masterleases/10.7.0.1",
        "/registry/ranges/serviceips",
        "/registry/ranges/servicenodeports",
      ]);
    });

    test("the bytes of simple objects are those of Kubernetes' encoder", async () => {
      const made = await api.post("/api/v1/namespaces/default/secrets", {
        metadata: { name: "bytes", labels: { b: "2", a: "1" } },
        data: { k2: base64("two"), k1: base64("one") },
      });
      const { uid, creationTimestamp } = made.body.metadata;
      const { raw } = envelopeOf(await stored("/registry/secrets/default/bytes"));
      const meta = field(raw, 1);
      const known = Buffer.concat([
        text(1, "bytes"),
        text(2, ""), // generateName
        text(3, "default"),
        text(4, ""), // selfLink
        text(5, uid),
        text(6, ""), // resourceVersion
        Buffer.of(0x38, 0), // generation
        message(8, Buffer.concat([varint(1, Date.parse(creationTimestamp) / 1000), Buffer.of(0x10, 0)])),
        message(11, Buffer.concat([text(1, "a"), text(2, "1")])),
        message(11, Buffer.concat([text(1, "b"), text(2, "2")])),
        text(15, ""), // clusterName
      ]);
      expect(meta.subarray(0, known.length).toString("hex")).toBe(known.toString("hex"));
      const rest = Buffer.concat([
        message(2, Buffer.concat([text(1, "k1"), text(2, "one")])),
        message(2, Buffer.concat([text(1, "k2"), text(2, "two")])),
        text(3, "Opaque"),
      ]);
      expect(raw.subarray(message(1, meta).length).toString("hex")).toBe(rest.toString("hex"));
    });

    test("the address of a server is an Endpoints object on a lease of 15 seconds", async () => {
      const { kvs } = await kv.range({ start: "/registry/masterleases/10.7.0.1" });
      const envelope = envelopeOf(Buffer.from(kvs[0]?.value ?? []));
      expect([envelope.apiVersion, envelope.kind]).toEqual(["v1", "Endpoints"]);
      // subsets[0].addresses[0].ip
      expect(field(field(field(envelope.raw, 2), 1), 1).toString()).toBe("10.7.0.1");
      const left = await kv.keepLeaseAlive(kvs[0]?.lease ?? 0n);
      expect(left).toBe(15);
    });
  },
);

/** The envelope, byte by byte: magic, type, object, and two empty fields that are always written. */
function envelopeOf(bytes: Buffer): { apiVersion: string; kind: string; raw: Buffer } {
  expect(bytes.subarray(0, 4).toString("hex")).toBe("6b387300");
  expect(bytes.subarray(-4).toString("hex")).toBe("1a002200");
  const body = bytes.subarray(4);
  const typeMeta = field(body, 1);
  const raw = field(body, 2);
  const whole = Buffer.concat([message(1, typeMeta), message(2, raw), text(3, ""), text(4, "")]);
  expect(body.equals(whole)).toBe(true);
  return { apiVersion: field(typeMeta, 1).toString(), kind: field(typeMeta, 2).toString(), raw };
}

/** The first length-delimited field with a number; empty when missing. */
function field(bytes: Buffer, number: number): Buffer {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = next();
    const length = (tag & 7) === 2 ? next() : undefined;
    if (length === undefined) {
      next();
      continue;
    }
    if (tag >>> 3 === number) return bytes.subarray(at, at + length);
    at += length;
  }
  return Buffer.alloc(0);
}

function text(number: number, value: string): Buffer {
  return message(number, Buffer.from(value));
}

function message(number: number, value: Buffer): Buffer {
  return Buffer.concat([bytesOfVarint(number * 8 + 2), bytesOfVarint(value.length), value]);
}

function varint(number: number, value: number): Buffer {
  return Buffer.concat([bytesOfVarint(number * 8), bytesOfVarint(value)]);
}

function bytesOfVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
