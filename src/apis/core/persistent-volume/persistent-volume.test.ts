import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { persistentVolumes } from "./resource.js";

const ground = kindGround(persistentVolumes(testApiContext()), "1.23");
const hostPath = { path: "/data" };
const volume = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", creationTimestamp: "2021-12-31T23:59:00Z", ...metadata },
  spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...spec },
});
const affinity = (...terms: JsonObject[]): JsonObject => ({ required: { nodeSelectorTerms: terms } });
const onNode = affinity({ matchExpressions: [{ key: "a", operator: "Exists" }] });

test("defaults", () => {
  expect(ground.read(volume({ rbd: { image: "i" }, iscsi: {}, azureDisk: {}, scaleIO: {} }))).toMatchObject({
    spec: {
      persistentVolumeReclaimPolicy: "Retain",
      volumeMode: "Filesystem",
      rbd: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
      iscsi: { iscsiInterface: "default" },
      azureDisk: { cachingMode: "ReadWrite", kind: "Shared", fsType: "ext4", readOnly: false },
      scaleIO: { storageMode: "ThinProvisioned", fsType: "xfs" },
    },
    status: { phase: "Pending" },
  });
  expect(ground.read(volume({ hostPath })).spec.hostPath).toEqual({ path: "/data", type: "" });
});

test.each<[JsonObject, string[]]>([
  [{ hostPath, storageClassName: "fast", volumeMode: "Block", persistentVolumeReclaimPolicy: "Delete" }, []],
  [{ hostPath, accessModes: ["ReadWriteOncePod"] }, []],
  [{ local: { path: "/x" }, nodeAffinity: onNode }, []],
  [{ hostPath, nodeAffinity: affinity({}) }, []],
  [{}, ["spec: Required value: must specify a volume type"]],
  [
    { hostPath, accessModes: [], capacity: {} },
    [
      "spec.accessModes: Required value",
      "spec.capacity: Required value",
      'spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"',
    ],
  ],
  [
    { hostPath, accessModes: ["x", "ReadWriteOncePod", "ReadOnlyMany"] },
    [
      'spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
    ],
  ],
  [
    { hostPath, capacity: { storage: "1Gi", cpu: "1" } },
    [
      'spec.capacity: Unsupported value: core.ResourceList{"cpu":resource.Quantity{i:resource.int64Amount{value:1, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1", Format:"DecimalSI"}, "storage":resource.Quantity{i:resource.int64Amount{value:1073741824, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1Gi", Format:"BinarySI"}}: supported values: "storage"',
    ],
  ],
  [
    { hostPath, capacity: { storage: "-1" } },
    [
      "spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
      'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
    ],
  ],
  [
    { hostPath, persistentVolumeReclaimPolicy: "x", volumeMode: "y", storageClassName: "Z" },
    [
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "x": supported values: "Delete", "Recycle", "Retain"',
      expect.stringContaining('spec.storageClassName: Invalid value: "Z"'),
      'spec.volumeMode: Unsupported value: "y": supported values: "Block", "Filesystem"',
    ],
  ],
  [
    { hostPath: { path: "/x/.." }, persistentVolumeReclaimPolicy: "Recycle" },
    [
      `spec.hostPath.path: Invalid value: "/x/..": must not contain '..'`,
      "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
    ],
  ],
  [
    { hostPath, nfs: { server: "s", path: "/" }, cephfs: { monitors: ["m"] } },
    [
      "spec.nfs: Forbidden: may not specify more than 1 volume type",
      "spec.cephFS: Forbidden: may not specify more than 1 volume type",
    ],
  ],
  [{ local: { path: "/x" } }, ["spec.nodeAffinity: Required value: Local volume requires node affinity"]],
  [
    { hostPath, nodeAffinity: {} },
    ["spec.nodeAffinity.required: Required value: must specify required node constraints"],
  ],
  [
    { hostPath, nodeAffinity: affinity() },
    [
      "spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term",
    ],
  ],
])("a new volume %#", (spec, errors) => {
  expect(ground.createErrors(volume(spec))).toEqual(errors);
});

describe("sources", () => {
  test.each<[JsonObject, string[]]>([
    [{ hostPath: { path: "", type: "x" } }, ["hostPath.path: Required value"]],
    [
      { hostPath: { path: "/", type: "x" } },
      [
        'hostPath.type: Unsupported value: "x": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      ],
    ],
    [
      { gcePersistentDisk: { pdName: "", partition: 256 } },
      [
        "persistentDisk.pdName: Required value",
        "persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive",
      ],
    ],
    [{ awsElasticBlockStore: { volumeID: "" } }, ["awsElasticBlockStore.volumeID: Required value"]],
    [
      { glusterfs: { endpoints: "", path: "", endpointsNamespace: "" } },
      [
        "glusterfs.endpoints: Required value",
        "glusterfs.path: Required value",
        'glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      ],
    ],
    [{ flocker: {} }, ["flocker: Required value: one of datasetName and datasetUUID is required"]],
    [
      { flocker: { datasetName: "a/b", datasetUUID: "u" } },
      [
        'flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
        `flocker.datasetName: Invalid value: "a/b": must not contain '/'`,
      ],
    ],
    [
      { nfs: { server: "", path: "x" } },
      ["nfs.server: Required value", 'nfs.path: Invalid value: "x": must be an absolute path'],
    ],
    [{ rbd: { image: "" } }, ["rbd.monitors: Required value", "rbd.image: Required value"]],
    [
      { quobyte: { registry: "a:1,b", volume: "" } },
      [
        'quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas',
        "quobyte.volume: Required value",
      ],
    ],
    [{ quobyte: { registry: "[::1]:1", volume: "v" } }, []],
    [{ cephfs: {} }, ["cephfs.monitors: Required value"]],
    [
      {
        iscsi: {
          targetPortal: "p",
          iqn: "iqn.2001-04.com.example:storage",
          lun: 0,
          initiatorName: "eui.0123456789abcdef",
        },
      },
      [],
    ],
    [
      {
        iscsi: {
          targetPortal: "p".repeat(64),
          iqn: "x",
          lun: 256,
          chapAuthSession: true,
          initiatorName: "naa.1",
        },
      },
      [
        `iscsi.targetportal: Invalid value: "${"p".repeat(64)}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
        'iscsi.iqn: Invalid value: "x": must be valid format',
        "iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive",
        "iscsi.secretRef: Required value",
        'iscsi.initiatorname: Invalid value: "naa.1": must be valid format',
      ],
    ],
    [
      { cinder: { volumeID: "", secretRef: {} } },
      [
        "cinder.volumeID: Required value",
        "cinder.secretRef.name: Required value",
        "cinder.secretRef.namespace: Required value",
      ],
    ],
    [{ fc: {} }, ["fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"]],
    [
      { fc: { targetWWNs: ["a"], wwids: ["b"] } },
      [
        'fc.targetWWNs: Invalid value: []string{"a"}: targetWWNs and wwids can not be specified simultaneously',
        "fc.lun: Required value: lun is required if targetWWNs is specified",
      ],
    ],
    [
      { flexVolume: { driver: "", options: { "x.Kubernetes.io/a": "b", "example.com/a": "b" } } },
      [
        "flexVolume.driver: Required value",
        'flexVolume.options[x.Kubernetes.io/a]: Invalid value: "x.Kubernetes.io/a": kubernetes.io and k8s.io namespaces are reserved',
      ],
    ],
    [
      { azureFile: { secretName: "", shareName: "", secretNamespace: "" } },
      [
        "azureFile.secretName: Required value",
        "azureFile.shareName: Required value",
        "azureFile.secretNamespace: Required value",
      ],
    ],
    [{ vsphereVolume: { volumePath: "" } }, ["vsphereVolume.volumePath: Required value"]],
    [{ photonPersistentDisk: { pdID: "" } }, ["photonPersistentDisk.pdID: Required value"]],
    [{ portworxVolume: { volumeID: "" } }, ["portworxVolume.volumeID: Required value"]],
    [
      { azureDisk: { diskName: "", diskURI: "x", cachingMode: "x", kind: "Managed" } },
      [
        "azureDisk.diskName: Required value",
        'azureDisk.cachingMode: Unsupported value: "x": supported values: "None", "ReadOnly", "ReadWrite"',
        'azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    [
      { scaleIO: { gateway: "", system: "" } },
      [
        "scaleIO.gateway: Required value",
        "scaleIO.system: Required value",
        "scaleIO.volumeName: Required value",
      ],
    ],
    [
      { storageos: { volumeNamespace: "A" } },
      [
        "storageos.volumeName: Required value",
        expect.stringContaining('storageos.volumeNamespace: Invalid value: "A"'),
      ],
    ],
    [{ csi: { driver: "Example.com", volumeHandle: "h" } }, []],
    [
      { csi: { driver: "", volumeHandle: "", nodePublishSecretRef: { namespace: "A" } } },
      [
        "csi.driver: Required value",
        expect.stringContaining('csi.driver: Invalid value: ""'),
        "csi.volumeHandle: Required value",
        "csi.nodePublishSecretRef .name: Required value",
        expect.stringContaining('csi.namespace: Invalid value: "A"'),
      ],
    ],
  ])("%j", (source, errors) => {
    const expected = errors.map((error) => (typeof error === "string" ? `spec.${error}` : error));
    expect(ground.createErrors(volume(source))).toEqual(expected);
  });
});

test("only some volumes take mount options by annotation", () => {
  const annotations = { "volume.beta.kubernetes.io/mount-options": "ro" };
  expect(ground.createErrors(volume({ nfs: { server: "s", path: "/" } }, { annotations }))).toEqual([]);
  expect(ground.createErrors(volume({ hostPath }, { annotations }))).toEqual([
    "metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type",
  ]);
});

test("where a volume is does not change, but for a missing reference", () => {
  const csi = { driver: "a.b", volumeHandle: "h" };
  const old = volume({ csi, nodeAffinity: onNode });
  const added = volume({
    csi: { ...csi, controllerExpandSecretRef: { name: "n", namespace: "ns" } },
    nodeAffinity: onNode,
  });
  expect(ground.updateErrors(old, added)).toEqual([]);
  const [source, mode, place, ...more] = ground.updateErrors(
    added,
    volume({ csi: { ...csi, volumeHandle: "i" }, volumeMode: "Block" }),
  );
  expect(source).toMatch(
    /^spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n/,
  );
  expect(source).toContain('volumeHandle: "i"');
  expect(mode).toBe('volumeMode: Invalid value: "Block": field is immutable');
  expect(place).toBe('nodeAffinity: Invalid value: "null": field is immutable');
  expect(more).toEqual([]);
  expect(ground.updateErrors(volume({ csi }), old)).toEqual([]);
});

test("the access mode of one pod is behind a gate, and stays where it is", () => {
  const without = kindGround(persistentVolumes(testApiContext({ gates: { ReadWriteOncePod: false } })));
  const oncePod = volume({ hostPath, accessModes: ["ReadWriteOncePod"] });
  expect(without.createErrors(oncePod)).toHaveLength(1);
  expect(without.updateErrors(oncePod, oncePod)).toEqual([]);
});

test("the secret for expansion is behind a gate, and stays where it is", () => {
  const without = kindGround(persistentVolumes(testApiContext({ gates: { ExpandCSIVolumes: false } })));
  const secret = { name: "n", namespace: "ns" };
  const csi = { driver: "a.b", volumeHandle: "h", controllerExpandSecretRef: secret };
  expect(without.write(volume({ csi })).spec.csi?.controllerExpandSecretRef).toBeUndefined();
  expect(without.rewrite(volume({ csi }), volume({ csi })).spec.csi?.controllerExpandSecretRef).toEqual(
    secret,
  );
});

test("rows name the class of changeable attributes since 1.29", () => {
  const at = (level: "1.28" | "1.29") =>
    kindGround(persistentVolumes(testApiContext({ level })), level).cells(
      volume({ hostPath, volumeAttributesClassName: "gold" }),
    );
  expect(at("1.29")).toMatchObject({ VolumeAttributesClass: "gold" });
  expect(at("1.28")).not.toHaveProperty("VolumeAttributesClass");
});

test("rows", () => {
  const bound = volume({
    hostPath,
    accessModes: ["ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"],
    claimRef: { namespace: "ns", name: "c" },
    storageClassName: "fast",
  });
  expect(ground.cells({ ...bound, status: { phase: "Bound", reason: "why" } })).toEqual({
    Name: "a",
    Capacity: "1Gi",
    "Access Modes": "RWO,RWX,RWOP",
    "Reclaim Policy": "Retain",
    Status: "Bound",
    Claim: "ns/c",
    StorageClass: "fast",
    Reason: "why",
    Age: "60s",
    VolumeMode: "Filesystem",
  });
  const leaving = volume(
    { hostPath },
    {
      deletionTimestamp: "2022-01-01T00:00:00Z",
      annotations: { "volume.beta.kubernetes.io/storage-class": "slow" },
    },
  );
  expect(ground.cells(leaving)).toMatchObject({ Status: "Terminating", Claim: "", StorageClass: "slow" });
});
