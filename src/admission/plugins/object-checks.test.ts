import { describe, expect, test } from "vitest";
import { PluginGround } from "../testing/plugin-ground.js";
import { defaultIngressClass, defaultStorageClass } from "./default-class.js";
import { denyServiceExternalIps } from "./deny-service-external-ips.js";
import { namespaceAutoProvision, namespaceExists } from "./namespace-exists.js";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";

test.each([
  ["new addresses", ["1.1.1.1"], undefined, true],
  ["none", undefined, undefined, false],
  ["those it had", ["1.1.1.1"], ["1.1.1.1", "2.2.2.2"], false],
  ["one more", ["1.1.1.1", "3.3.3.3"], ["1.1.1.1"], true],
])("DenyServiceExternalIPs: %s", async (_what, wanted, before, isRefused) => {
  const service = (externalIPs: readonly string[] | undefined) => ({
    metadata: { name: "s" },
    spec: { externalIPs, ports: [{ port: 1 }] },
  });
  const write = {
    resource: "services",
    object: service(wanted),
    ...(before !== undefined && { old: service(before) }),
  };
  expect((await new PluginGround(denyServiceExternalIps).admit(write)).refusal).toBe(
    isRefused ? 'services "s" is forbidden: Use of external IPs is denied by admission control' : undefined,
  );
});

describe.each([
  ["storage", "storageclass", "persistentvolumeclaims", "storageclasses", defaultStorageClass],
  ["networking", "ingressclass", "ingresses", "ingressclasses", defaultIngressClass],
] as const)("the default class of %s", (kind, prefix, resource, classes, plugin) => {
  const annotations = { [`${prefix}.kubernetes.io/is-default-class`]: "true" };
  const classNamed = (name: string, isDefault: boolean) => ({
    metadata: { name, ...(isDefault && { annotations }) },
    ...(kind === "storage" ? { provisioner: "p" } : { spec: { controller: "c/d" } }),
  });
  const field = kind === "storage" ? "storageClassName" : "ingressClassName";
  const objectOf = (spec: object, metadata: object = {}) => ({ metadata: { name: "x", ...metadata }, spec });
  const first = classNamed("first", true);
  const other = classNamed("other", false);
  const second = classNamed("second", true);

  test.each([
    ["there is one", [first, other], {}, "first"],
    ["there is none", [other], {}, undefined],
    ["one is named", [first], { [field]: "mine" }, "mine"],
  ])("%s", async (_what, known, spec, expected) => {
    const ground = new PluginGround(plugin, { known: { [classes]: known } });
    const { object, refusal } = await ground.admit({ resource, object: objectOf(spec) });
    expect(refusal).toBeUndefined();
    expect((object as unknown as { spec: Record<string, unknown> }).spec[field]).toBe(expected);
  });

  test("an annotation names one as well", async () => {
    const key =
      kind === "storage" ? "volume.beta.kubernetes.io/storage-class" : "kubernetes.io/ingress.class";
    const ground = new PluginGround(plugin, { known: { [classes]: [first] } });
    const object = objectOf({}, { annotations: { [key]: "mine" } });
    const after = (await ground.admit({ resource, object })).object as unknown as { spec: object };
    expect(after.spec).not.toHaveProperty(field, "first");
  });

  test("of several the newest is taken since 1.26, of those of one moment the first by name", async () => {
    const created = (name: string, creationTimestamp: string) => {
      const made = classNamed(name, true);
      return { ...made, metadata: { ...made.metadata, creationTimestamp } };
    };
    const known = [
      created("old", "2020-01-01T00:00:00Z"),
      created("newest-b", "2022-01-01T00:00:00Z"),
      created("newest-a", "2022-01-01T00:00:00Z"),
    ];
    const [since, last] = kind === "storage" ? (["1.26", "1.25"] as const) : (["1.25", "1.24"] as const);
    const ground = new PluginGround(plugin, { level: since, known: { [classes]: known } });
    const { object } = await ground.admit({ resource, object: objectOf({}) });
    expect((object as unknown as { spec: Record<string, unknown> }).spec[field]).toBe("newest-a");
    const before = new PluginGround(plugin, { level: last, known: { [classes]: known } });
    expect((await before.admit({ resource, object: objectOf({}) })).refusal).toMatch("3 default");
  });

  test("several are a problem of the cluster before", async () => {
    const ground = new PluginGround(plugin, { known: { [classes]: [first, second] } });
    const found =
      kind === "storage" ? "StorageClasses were found" : "IngressClasses were found, only 1 allowed";
    expect((await ground.admit({ resource, object: objectOf({}) })).refusal).toMatch(
      new RegExp(`"x" is forbidden: Internal error occurred: 2 default ${found}$`),
    );
  });
});

describe("NamespaceExists and NamespaceAutoProvision", () => {
  const namespaces = [{ metadata: { name: "ns" } }];
  const object = { metadata: { name: "a" } };

  test.each([
    ["CREATE", { object }],
    ["UPDATE", { object, old: object }],
    ["DELETE", { old: object }],
  ])("%s needs a namespace", async (_what, write) => {
    const refusalWith = async (cluster: object) =>
      (await new PluginGround(namespaceExists, cluster).admit({ resource: "configmaps", ...write })).refusal;
    expect(await refusalWith({})).toBe('namespaces "ns" not found');
    expect(await refusalWith({ known: { namespaces } })).toBeUndefined();
    expect(await refusalWith({ unheard: { namespaces } })).toBeUndefined();
  });

  test.each([
    ["there is none", {}, false, ["ns"]],
    ["there is one", { known: { namespaces } }, false, []],
    ["of a dry run", {}, true, []],
  ])("a namespace is made where %s", async (_what, cluster, dryRun, names) => {
    const ground = new PluginGround(namespaceAutoProvision, cluster);
    await ground.admit({ resource: "configmaps", object, dryRun });
    await ground.admit({ resource: "namespaces", object: { metadata: { name: "other" } } });
    expect(ground.created.map(({ metadata }) => metadata.name)).toEqual(names);
  });
});

test.each([
  ["a smaller size", "1Gi", "Bound", "grows", undefined],
  ["a growing class", "3Gi", "Bound", "grows", undefined],
  ["an unbound claim", "3Gi", "Pending", "grows", "Only bound persistent volume claims can be expanded"],
  [
    "a fixed class",
    "3Gi",
    "Bound",
    "fixed",
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  ],
])("PersistentVolumeClaimResize: %s", async (_what, storage, phase, storageClassName, refusal) => {
  const claim = (size: string) => ({
    metadata: { name: "c" },
    spec: { storageClassName, resources: { requests: { storage: size } } },
    status: { phase },
  });
  const ground = new PluginGround(persistentVolumeClaimResize, {
    known: {
      storageclasses: [
        { metadata: { name: "grows" }, provisioner: "p", allowVolumeExpansion: true },
        { metadata: { name: "fixed" }, provisioner: "p" },
      ],
    },
  });
  const outcome = await ground.admit({
    resource: "persistentvolumeclaims",
    object: claim(storage),
    old: claim("2Gi"),
  });
  expect(outcome.refusal).toBe(refusal && `persistentvolumeclaims "c" is forbidden: ${refusal}`);
});

test.each([
  ["persistentvolumeclaims", undefined, ["kubernetes.io/pvc-protection"]],
  ["persistentvolumes", ["a/b"], ["a/b", "kubernetes.io/pv-protection"]],
  ["persistentvolumes", ["kubernetes.io/pv-protection"], ["kubernetes.io/pv-protection"]],
  ["configmaps", undefined, undefined],
])("StorageObjectInUseProtection: %s with %j", async (resource, finalizers, expected) => {
  const ground = new PluginGround(storageObjectInUseProtection);
  const { object } = await ground.admit({
    resource,
    object: { metadata: { name: "x", finalizers }, spec: {} },
  });
  expect(object?.metadata.finalizers).toEqual(expected);
});

test.each([
  ["1.32", true, undefined],
  ["1.33", false, undefined],
  ["1.33", true, ["kubernetes.io/vac-protection"]],
] as const)("classes of volume attributes at %s, with their gate: %s", async (level, isOn, finalizers) => {
  const ground = new PluginGround(storageObjectInUseProtection, {
    level,
    gates: { VolumeAttributesClass: isOn },
  });
  const { object } = await ground.admit({
    resource: "volumeattributesclasses",
    object: { metadata: { name: "x" }, driverName: "d" },
  });
  expect(object?.metadata.finalizers).toEqual(finalizers);
});

test("TaintNodesByCondition taints new nodes", async () => {
  const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
  const ground = new PluginGround(taintNodesByCondition);
  for (const taints of [undefined, [taint]]) {
    const { object } = await ground.admit({
      resource: "nodes",
      object: { metadata: { name: "n" }, spec: { taints } },
    });
    expect(object).toMatchObject({ spec: { taints: [taint] } });
  }
  const status = await ground.admit({ resource: "nodes/status", object: { metadata: { name: "n" } } });
  expect(status.object).not.toHaveProperty("spec.taints");
});
