import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const readOnly = "Whether the storage is mounted read-only. Default: false.";
const fsType = "File system on the device, such as ext4, xfs or ntfs. Default: ext4.";
const partition = "Number of the partition to mount, as 1 for /dev/sda1. Default: 0, the whole disk.";
const monitors = "Addresses of the Ceph monitors, at least one.";
const localSecret = "in the pod's namespace";
const anySecret = "in any namespace";

const azureFile = {
  readOnly,
  secretName: "Secret that holds the storage account's name and key.",
  shareName: "Name of the file share.",
};

function cephFS(place: string) {
  return {
    monitors,
    path: "Directory of the file system to mount. Default: /.",
    readOnly,
    secretFile: "File of the node with the user's key. Default: /etc/ceph/user.secret.",
    secretRef: `Secret ${place} with the user's key, which comes before secretFile.`,
    user: "Ceph user. Default: admin.",
  };
}

function cinder(place: string) {
  return {
    fsType,
    readOnly,
    secretRef: `Secret ${place} with parameters for connecting to OpenStack.`,
    volumeID: "Id of the volume in Cinder.",
  };
}

function flex(place: string) {
  return {
    driver: "Name of the plugin, in the form VENDOR/DRIVER.",
    fsType: "File system to mount, such as ext4. Default: as the plugin decides.",
    options: "Further settings for the plugin.",
    readOnly,
    secretRef: `Secret ${place} whose entries the plugin gets.`,
  };
}

const glusterfs = {
  endpoints: "Endpoints object that lists the addresses of the GlusterFS servers.",
  path: "Name of the GlusterFS volume.",
  readOnly,
};

function iscsi(place: string) {
  return {
    chapAuthDiscovery: "Whether discovery is authenticated by CHAP. Default: false.",
    chapAuthSession: "Whether the session is authenticated by CHAP. Default: false.",
    fsType,
    initiatorName:
      "Name (IQN) the node connects as; with iscsiInterface, a new interface TARGET:VOLUME is made. Default: the node's.",
    iqn: "Name (IQN) of the target.",
    iscsiInterface: "Interface to connect by. Default: the one named default, which uses TCP.",
    lun: "Number of the logical unit at the target, 0 to 255.",
    portals: "Further portals of the target for multipathing, as ADDRESS or ADDRESS:PORT.",
    readOnly,
    secretRef: `Secret ${place} with the names and passwords for CHAP.`,
    targetPortal: "Portal of the target, as ADDRESS or ADDRESS:PORT. Default port: 3260.",
  };
}

function rbd(place: string) {
  return {
    fsType,
    image: "Name of the image in the pool. Cannot be changed.",
    keyring: "File of the node with the user's keyring. Default: /etc/ceph/keyring.",
    monitors,
    pool: "Pool that the image is in. Default: rbd.",
    readOnly,
    secretRef: `Secret ${place} with the user's key, which comes before keyring.`,
    user: "Ceph user. Default: admin.",
  };
}

function scaleIO(place: string) {
  return {
    fsType: "File system on the device, such as ext4 or xfs. Default: xfs.",
    gateway: "Address of the gateway of the ScaleIO API.",
    protectionDomain: "Protection domain that the storage is in.",
    readOnly,
    secretRef: `Secret ${place} with the user's name and password. Required.`,
    sslEnabled: "Whether the gateway is reached by TLS. Default: false.",
    storageMode: "ThickProvisioned or ThinProvisioned. Default: ThinProvisioned.",
    storagePool: "Storage pool of the protection domain.",
    system: "Name of the storage system at the gateway.",
    volumeName: "Name of an existing volume of the system.",
  };
}

function storageOS(place: string) {
  return {
    fsType,
    readOnly,
    secretRef: `Secret ${place} with the credentials for StorageOS. Default: StorageOS's own.`,
    volumeName: "Name of the volume, unique within its StorageOS namespace.",
    volumeNamespace:
      "StorageOS namespace of the volume; the name default stands for none. Default: the pod's.",
  };
}

export const storageDriverDescriptions: TypeDescriptions = {
  AWSElasticBlockStoreVolumeSource: {
    about:
      "Names a disk of AWS Elastic Block Store. It must be in the node's zone, and only one node can have it.",
    fields: { fsType, partition, readOnly, volumeID: "Id of the disk at AWS." },
  },
  AzureDiskVolumeSource: {
    about: "Names a data disk of Azure and how it is mounted.",
    fields: {
      cachingMode: "Caching by the host: None, ReadOnly or ReadWrite. Default: ReadWrite.",
      diskName: "Name of the disk.",
      diskURI: "URI of the disk: a resource id for a managed disk, else of the blob.",
      fsType,
      kind: "Shared or Dedicated, for a blob in a storage account of that use, or Managed. Default: Shared.",
      readOnly,
    },
  },
  AzureFileVolumeSource: {
    about: "Names a file share of Azure and the secret to mount it with.",
    fields: azureFile,
  },
  AzureFilePersistentVolumeSource: {
    about: "Names a file share of Azure and the secret to mount it with, for persistent volumes.",
    fields: { ...azureFile, secretNamespace: "Namespace of the secret. Default: the pod's." },
  },
  CSIPersistentVolumeSource: {
    about: "Names a volume of a CSI driver and the secrets that the driver needs for it.",
    fields: {
      controllerExpandSecretRef: "Secret that the driver gets when it enlarges the volume.",
      controllerPublishSecretRef: "Secret that the driver gets when it attaches or detaches the volume.",
      driver: "Name of the driver that handles the volume.",
      fsType: "File system to mount, such as ext4. Default: as the driver decides.",
      nodePublishSecretRef: "Secret that the driver gets when it mounts the volume for a pod.",
      nodeStageSecretRef: "Secret that the driver gets when it prepares the volume on a node.",
      readOnly: "Whether the driver is told that the volume is only read. Default: false.",
      volumeAttributes: "Properties of the volume that the driver gave when it made it.",
      volumeHandle: "The driver's id of the volume, handed to every call about it.",
      nodeExpandSecretRef: "Secret that the driver gets when it expands the volume on a node.",
    },
  },
  CephFSVolumeSource: {
    about: "Names a directory of a Ceph file system and the user to mount it as.",
    fields: cephFS(localSecret),
  },
  CephFSPersistentVolumeSource: {
    about: "Names a directory of a Ceph file system and the user to mount it as, for persistent volumes.",
    fields: cephFS(anySecret),
  },
  CinderVolumeSource: {
    about: "Names a Cinder volume of OpenStack, which must be in the region of the node.",
    fields: cinder(localSecret),
  },
  CinderPersistentVolumeSource: {
    about: "Names a Cinder volume of OpenStack in the region of the nodes, for persistent volumes.",
    fields: cinder(anySecret),
  },
  FCVolumeSource: {
    about: "Names a Fibre Channel disk, by targetWWNs and lun or by wwids.",
    fields: {
      fsType,
      lun: "Number of the logical unit at the targets, 0 to 255. Required with targetWWNs.",
      readOnly,
      targetWWNs: "World wide names of the targets. Excludes wwids.",
      wwids: "World wide identifiers of the disk. Excludes targetWWNs and lun.",
    },
  },
  FlexVolumeSource: {
    about: "Names a Flexvolume plugin, which is a program on the node, and its settings.",
    fields: flex(localSecret),
  },
  FlexPersistentVolumeSource: {
    about:
      "Names a Flexvolume plugin, which is a program on the node, and its settings, for persistent volumes.",
    fields: flex(anySecret),
  },
  FlockerVolumeSource: {
    about: "Names a dataset of Flocker, by its name or its id.",
    fields: {
      datasetName: "Name of the dataset, from its metadata. Deprecated; excludes datasetUUID.",
      datasetUUID: "Id of the dataset. Excludes datasetName.",
    },
  },
  GCEPersistentDiskVolumeSource: {
    about: "Names a persistent disk of Google Compute Engine, which must be in the node's project and zone.",
    fields: { fsType, partition, pdName: "Name of the disk.", readOnly },
  },
  GlusterfsVolumeSource: { about: "Names a GlusterFS volume and its servers.", fields: glusterfs },
  GlusterfsPersistentVolumeSource: {
    about: "Names a GlusterFS volume and its servers, for persistent volumes.",
    fields: {
      ...glusterfs,
      endpointsNamespace: "Namespace of the Endpoints object. Default: the claim's.",
    },
  },
  ISCSIVolumeSource: {
    about: "Names an iSCSI disk by target and unit, and how to log in.",
    fields: iscsi(localSecret),
  },
  ISCSIPersistentVolumeSource: {
    about: "Names an iSCSI disk by target and unit, and how to log in, for persistent volumes.",
    fields: iscsi(anySecret),
  },
  LocalVolumeSource: {
    about: "Names a disk or directory of the node that the volume's nodeAffinity leads to.",
    fields: {
      fsType: "File system on a block device, such as ext4. Default: detected.",
      path: "Path on the node of a directory or, with the mode Block, a device.",
    },
  },
  NFSVolumeSource: {
    about: "Names an NFS server and a directory that it exports.",
    fields: {
      path: "Absolute path that the server exports.",
      readOnly,
      server: "Host name or address of the server.",
    },
  },
  PhotonPersistentDiskVolumeSource: {
    about: "Names a disk of a Photon controller.",
    fields: { fsType, pdID: "Id of the disk at the controller." },
  },
  PortworxVolumeSource: {
    about: "Names a Portworx volume.",
    fields: { fsType, readOnly, volumeID: "Id of the volume at Portworx." },
  },
  QuobyteVolumeSource: {
    about: "Names a Quobyte volume and whom files are accessed as.",
    fields: {
      group: "Group that files are accessed as. Default: no mapping.",
      readOnly,
      registry: "Registry services as HOST:PORT, several separated by commas.",
      tenant: "Tenant that the volume belongs to; set by the provisioner.",
      user: "User that files are accessed as. Default: the user of the service account.",
      volume: "Name of an existing volume.",
    },
  },
  RBDVolumeSource: {
    about: "Names an image of a Ceph pool and the user to map it as.",
    fields: rbd(localSecret),
  },
  RBDPersistentVolumeSource: {
    about: "Names an image of a Ceph pool and the user to map it as, for persistent volumes.",
    fields: rbd(anySecret),
  },
  ScaleIOVolumeSource: {
    about: "Names a volume of a ScaleIO system and the gateway to reach it by.",
    fields: scaleIO(localSecret),
  },
  ScaleIOPersistentVolumeSource: {
    about: "Names a volume of a ScaleIO system and the gateway to reach it by, for persistent volumes.",
    fields: scaleIO(anySecret),
  },
  StorageOSVolumeSource: {
    about: "Names a StorageOS volume and the secret to use it with.",
    fields: storageOS(localSecret),
  },
  StorageOSPersistentVolumeSource: {
    about: "Names a StorageOS volume and the secret to use it with, for persistent volumes.",
    fields: storageOS(anySecret),
  },
  VsphereVirtualDiskVolumeSource: {
    about: "Names a virtual disk of vSphere by the path of its file.",
    fields: {
      fsType,
      storagePolicyID: "Id of the storage policy that storagePolicyName names.",
      storagePolicyName: "Name of the storage policy that the disk was made by.",
      volumePath: "Path of the disk's file on its datastore.",
    },
  },
};
