const secretRef = { name: "s" };
const items = [{ key: "k", path: "p", mode: 0o400 }];
const downwardItems = [
  { path: "labels", fieldRef: { apiVersion: "v1", fieldPath: "metadata.labels" }, mode: 0o440 },
  { path: "cpu", resourceFieldRef: { containerName: "main", resource: "requests.cpu", divisor: "1" } },
];

/** Sources that pods and persistent volumes have in the same form. */
export const sharedSources = {
  hostPath: { path: "/data", type: "DirectoryOrCreate" },
  gcePersistentDisk: { pdName: "disk", fsType: "ext4", partition: 1, readOnly: true },
  awsElasticBlockStore: { volumeID: "vol-1", fsType: "ext4", partition: 1, readOnly: true },
  nfs: { server: "nfs.example.org", path: "/export", readOnly: true },
  flocker: { datasetName: "dataset" },
  fc: { targetWWNs: ["500a0982991b8dc5"], lun: 2, fsType: "ext4", readOnly: true },
  vsphereVolume: {
    volumePath: "[store] volume",
    fsType: "ext4",
    storagePolicyName: "policy",
    storagePolicyID: "id",
  },
  quobyte: { registry: "r:1", volume: "v", readOnly: true, user: "u", group: "g", tenant: "t" },
  azureDisk: {
    diskName: "disk",
    diskURI: "https://blob.example.org/disk.vhd",
    cachingMode: "ReadOnly",
    fsType: "ext4",
    readOnly: true,
    kind: "Dedicated",
  },
  photonPersistentDisk: { pdID: "id", fsType: "ext4" },
  portworxVolume: { volumeID: "id", fsType: "ext4", readOnly: true },
};

/** Sources that differ in how they refer to secrets. */
export function sourcesWithSecret<Reference>(secret: Reference) {
  return {
    iscsi: {
      targetPortal: "192.0.2.1:3260",
      iqn: "iqn.2001-04.com.example:storage",
      lun: 1,
      iscsiInterface: "default",
      fsType: "ext4",
      readOnly: true,
      portals: ["192.0.2.2:3260"],
      chapAuthDiscovery: true,
      chapAuthSession: true,
      secretRef: secret,
      initiatorName: "iqn.2001-04.com.example:initiator",
    },
    rbd: {
      monitors: ["192.0.2.1:6789"],
      image: "image",
      fsType: "ext4",
      pool: "pool",
      user: "user",
      keyring: "/keyring",
      secretRef: secret,
      readOnly: true,
    },
    flexVolume: {
      driver: "example.org/driver",
      fsType: "ext4",
      secretRef: secret,
      readOnly: true,
      options: { a: "b" },
    },
    cinder: { volumeID: "id", fsType: "ext4", readOnly: true, secretRef: secret },
    cephfs: {
      monitors: ["192.0.2.1:6789"],
      path: "/path",
      user: "user",
      secretFile: "/secret",
      secretRef: secret,
      readOnly: true,
    },
    scaleIO: {
      gateway: "https://gateway.example.org",
      system: "system",
      secretRef: secret,
      sslEnabled: true,
      protectionDomain: "domain",
      storagePool: "pool",
      storageMode: "ThinProvisioned",
      volumeName: "volume",
      fsType: "xfs",
      readOnly: true,
    },
  };
}

export const claimSpec = {
  accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
  selector: { matchLabels: { a: "b" } },
  resources: { requests: { storage: "1Gi" }, limits: { storage: "2Gi" } },
  volumeName: "volume",
  storageClassName: "class",
  volumeMode: "Block",
  dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "snapshot" },
};

const sources = {
  ...sharedSources,
  ...sourcesWithSecret(secretRef),
  emptyDir: { medium: "Memory", sizeLimit: "1Gi" },
  gitRepo: { repository: "https://git.example.org/r", revision: "main", directory: "d" },
  secret: { secretName: "s", items, defaultMode: 0o600, optional: true },
  glusterfs: { endpoints: "endpoints", path: "path", readOnly: true },
  persistentVolumeClaim: { claimName: "claim", readOnly: true },
  downwardAPI: { items: downwardItems, defaultMode: 0o600 },
  azureFile: { secretName: "s", shareName: "share", readOnly: true },
  configMap: { name: "m", items, defaultMode: 0o600, optional: false },
  projected: {
    sources: [
      { secret: { name: "s", items, optional: true } },
      { downwardAPI: { items: downwardItems.slice(0, 1) } },
      { configMap: { name: "m", items: [{ key: "k", path: "q", mode: 0o400 }], optional: true } },
      { serviceAccountToken: { audience: "example.org", expirationSeconds: 600, path: "token" } },
    ],
    defaultMode: 0o600,
  },
  storageos: {
    volumeName: "volume",
    volumeNamespace: "ns",
    fsType: "ext4",
    readOnly: true,
    secretRef,
  },
  csi: {
    driver: "driver.example.org",
    readOnly: true,
    fsType: "ext4",
    volumeAttributes: { a: "b" },
    nodePublishSecretRef: secretRef,
  },
  ephemeral: {
    volumeClaimTemplate: { metadata: { labels: { a: "b" }, annotations: { c: "d" } }, spec: claimSpec },
  },
};

/** One volume for each source, and two for sources with two forms. */
export const volumes = [
  ...Object.entries(sources).map(([source, value]) => ({ name: nameOf(source), [source]: value })),
  { name: "fc-wwids", fc: { wwids: ["3600508b400105e210000900000490000"] } },
  { name: "flocker-uuid", flocker: { datasetUUID: "0e1a4d28-66b0-4a6e-8b1f-1b0f4a1a8d7e" } },
];

/** `hostPath` → `host-path`. */
function nameOf(source: string): string {
  return source.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`);
}
