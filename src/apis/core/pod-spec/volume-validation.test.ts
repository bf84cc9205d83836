import { expect, test } from "vitest";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { podValidationOptions } from "./validation-options.js";
import { validateVolumes } from "./volume-validation.js";

const context = testApiContext({ gates: { DownwardAPIHugePages: false } });

function errorsOf(...volumes: JsonObject[]): string[] {
  const pod = testPod(context, { volumes });
  const options = podValidationOptions(context, pod);
  return errorTexts(validateVolumes(pod.spec.volumes, pod.metadata, FieldPath.of("volumes"), options).errors);
}

test.each<JsonObject>([
  { emptyDir: { sizeLimit: "1Gi" } },
  { hostPath: { path: "/a", type: "Socket" } },
  { gitRepo: { repository: "r", directory: "a/b" } },
  { gcePersistentDisk: { pdName: "p" } },
  { awsElasticBlockStore: { volumeID: "v", partition: 1 } },
  { secret: { secretName: "s", items: [{ key: "k", path: ".a", mode: 0 }] } },
  { nfs: { server: "s", path: "/" } },
  { iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2015-02.example.com:test", lun: 1 } },
  { iscsi: { targetPortal: "1.2.3.4", iqn: "eui.0123456789ABCDEF", lun: 1 } },
  { glusterfs: { endpoints: "e", path: "p" } },
  { flocker: { datasetName: "d" } },
  { persistentVolumeClaim: { claimName: "c" } },
  { rbd: { monitors: ["m"], image: "i" } },
  { cinder: { volumeID: "v", secretRef: { name: "s" } } },
  { cephfs: { monitors: ["m"] } },
  { quobyte: { registry: "a:1,[::1]:2", volume: "v" } },
  { downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.annotations['A/b']" } }] } },
  { fc: { targetWWNs: ["a"], lun: 0 } },
  { fc: { wwids: ["a"] } },
  { flexVolume: { driver: "d", options: { "example.com/a": "b" } } },
  { configMap: { name: "c" } },
  { azureFile: { secretName: "s", shareName: "s" } },
  { vsphereVolume: { volumePath: "p" } },
  { photonPersistentDisk: { pdID: "p" } },
  { portworxVolume: { volumeID: "v" } },
  { azureDisk: { diskName: "d", diskURI: "https://x", kind: "Shared" } },
  { storageos: { volumeName: "v", volumeNamespace: "ns" } },
  { projected: { sources: [{ secret: { name: "s" } }, { serviceAccountToken: { path: "t" } }] } },
  { scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef: { name: "s" } } },
  { csi: { driver: "Csi.example.com", nodePublishSecretRef: { name: "s" } } },
])("%j is valid", (source) => {
  expect(errorsOf({ name: "v", ...source })).toEqual([]);
});

const v = "volumes[0]";
test.each<[JsonObject, string[]]>([
  [
    { emptyDir: { sizeLimit: "-1" } },
    [`${v}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
  ],
  [{ hostPath: { path: "" } }, [`${v}.hostPath.path: Required value`]],
  [
    { hostPath: { path: "/a/../b", type: "Odd" } },
    [
      `${v}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
      `${v}.hostPath.type: Unsupported value: "Odd": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
    ],
  ],
  [
    { gitRepo: { repository: "", directory: "/a" } },
    [
      `${v}.gitRepo.repository: Required value`,
      `${v}.gitRepo.directory: Invalid value: "/a": must be a relative path`,
    ],
  ],
  [
    { gcePersistentDisk: { pdName: "", partition: 256 } },
    [
      `${v}.persistentDisk.pdName: Required value`,
      `${v}.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive`,
    ],
  ],
  [
    { secret: { secretName: "", defaultMode: 512, items: [{ key: "", path: "..a", mode: -1 }] } },
    [
      `${v}.secret.secretName: Required value`,
      `${v}.secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`,
      `${v}.secret.items[0].key: Required value`,
      `${v}.secret.items[0].path: Invalid value: "..a": must not start with '..'`,
      `${v}.secret.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive`,
    ],
  ],
  [{ nfs: { server: "s", path: "a" } }, [`${v}.nfs.path: Invalid value: "a": must be an absolute path`]],
  [
    {
      iscsi: { targetPortal: "", iqn: "odd", lun: 256, chapAuthSession: true, initiatorName: "iqn.x" },
    },
    [
      `${v}.iscsi.targetPortal: Required value`,
      `${v}.iscsi.iqn: Invalid value: "odd": must be valid format starting with iqn, eui, or naa`,
      `${v}.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive`,
      `${v}.iscsi.secretRef: Required value`,
      `${v}.iscsi.initiatorname: Invalid value: "iqn.x": must be valid format`,
    ],
  ],
  [
    {
      iscsi: {
        targetPortal: "p".repeat(63),
        iqn: "iqn.2015-02.example.com:test",
        lun: 0,
        initiatorName: "iqn.2015-02.example.com:init",
      },
    },
    [
      `${v}.name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    ],
  ],
  [{ flocker: {} }, [`${v}.flocker: Required value: one of datasetName and datasetUUID is required`]],
  [
    { quobyte: { registry: "a", volume: "" } },
    [
      `${v}.quobyte.registry: Invalid value: "a": must be a host:port pair or multiple pairs separated by commas`,
      `${v}.quobyte.volume: Required value`,
    ],
  ],
  [{ fc: {} }, [`${v}.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both`]],
  [
    { flexVolume: { driver: "", options: { "x.K8s.io/a": "b" } } },
    [
      `${v}.flexVolume.driver: Required value`,
      `${v}.flexVolume.options[x.K8s.io/a]: Invalid value: "x.K8s.io/a": kubernetes.io and k8s.io namespaces are reserved`,
    ],
  ],
  [
    { downwardAPI: { items: [{ path: "a" }] } },
    [`${v}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`],
  ],
  [
    { downwardAPI: { items: [{ path: "", fieldRef: { fieldPath: "spec.nodeName" } }] } },
    [
      `${v}.downwardAPI.path: Required value`,
      `${v}.downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"`,
    ],
  ],
  [
    { downwardAPI: { items: [{ path: "a", resourceFieldRef: { resource: "limits.cpu" } }] } },
    [`${v}.downwardAPI.resourceFieldRef.containerName: Required value`],
  ],
  [
    {
      downwardAPI: {
        items: [{ path: "a", resourceFieldRef: { containerName: "c", resource: "limits.hugepages-2Mi" } }],
      },
    },
    [
      `${v}.downwardAPI.resourceFieldRef.resource: Unsupported value: "limits.hugepages-2Mi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"`,
    ],
  ],
  [
    {
      projected: {
        sources: [
          { secret: { name: "", items: [{ key: "k", path: "p" }] }, configMap: { name: "c" } },
          { configMap: { name: "c", items: [{ key: "k", path: "p" }] } },
          { serviceAccountToken: { path: "", expirationSeconds: 599 } },
        ],
      },
    },
    [
      `${v}.projected.sources[0].secret.name: Required value`,
      `${v}.projected.sources[0]: Forbidden: may not specify more than 1 volume type`,
      `${v}.projected: Invalid value: "c": conflicting duplicate paths`,
      `${v}.projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes`,
      `${v}.projected.path: Required value`,
    ],
  ],
  [
    { azureDisk: { diskName: "", diskURI: "x", kind: "Managed", cachingMode: "Odd" } },
    [
      `${v}.azureDisk.diskName: Required value`,
      `${v}.azureDisk.cachingMode: Unsupported value: "Odd": supported values: "None", "ReadOnly", "ReadWrite"`,
      `${v}.azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"`,
    ],
  ],
  [
    { csi: { driver: "", nodePublishSecretRef: {} } },
    [
      `${v}.csi.driver: Required value`,
      expect.stringContaining(`${v}.csi.driver: Invalid value: ""`),
      `${v}.csi.nodePublishSecretRef .name: Required value`,
    ],
  ],
  [
    { storageos: { secretRef: {} } },
    [`${v}.storageos.volumeName: Required value`, `${v}.storageos.secretRef.name: Required value`],
  ],
  [{ ephemeral: {} }, [`${v}.ephemeral.volumeClaimTemplate: Required value`]],
  [
    {
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { name: "n", uid: "u" },
          spec: { resources: { requests: { storage: "0" } } },
        },
      },
    },
    [
      `${v}.ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set for an ephemeral volume`,
      `${v}.ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set for an ephemeral volume`,
      `${v}.ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required`,
      `${v}.ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "0": must be greater than zero`,
    ],
  ],
  [
    { emptyDir: {}, configMap: { name: "" }, cephfs: {}, downwardAPI: {} },
    [
      `${v}.cephFS: Forbidden: may not specify more than 1 volume type`,
      `${v}.downwarAPI: Forbidden: may not specify more than 1 volume type`,
      `${v}.configMap: Forbidden: may not specify more than 1 volume type`,
    ],
  ],
])("%j: %j", (source, expected) => {
  expect(errorsOf({ name: "v", ...source })).toEqual(expected);
});

test("names are labels, and each is used once", () => {
  expect(errorsOf({ name: "" }, { name: "A" }, { name: "b" }, { name: "b" })).toEqual([
    "volumes[0].name: Required value",
    expect.stringContaining('volumes[1].name: Invalid value: "A"'),
    'volumes[3].name: Duplicate value: "b"',
  ]);
});

test("a claim that the pod makes is not to be mounted by its name", () => {
  const claim = {
    volumeClaimTemplate: {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
    },
  };
  expect(
    errorsOf({ name: "a", ephemeral: claim }, { name: "b", persistentVolumeClaim: { claimName: "web-a" } }),
  ).toEqual([
    'volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-a": must not reference a PVC that gets created for an ephemeral volume',
  ]);
});
