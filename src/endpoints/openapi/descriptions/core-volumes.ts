import type { TypeDescriptions } from "./type-descriptions.js";

const defaultMode =
  "Permission bits of the files, 0 to 511 in decimal or 0 to 0777 in octal. Default: 0644 in octal.";
const mode = "Permission bits of this file, as in defaultMode. Default: that of the volume.";
const keys =
  "Entries that become files, and their paths; a missing key is an error. Default: all, named by their key.";
const optional = "Whether the pod may start without the object or its keys. Default: false.";

/** Kinds of storage that volumes of pods and persistent volumes have in common. */
export const storageKinds = {
  awsElasticBlockStore: "A disk of AWS Elastic Block Store, attached to the node.",
  azureDisk: "A data disk of Azure, attached to the node.",
  azureFile: "A file share of Azure.",
  cephfs: "A directory of a Ceph file system.",
  cinder: "A Cinder volume of OpenStack, attached to the node.",
  csi: "Storage of an external driver that speaks CSI.",
  fc: "A Fibre Channel disk that the node can reach.",
  flexVolume: "Storage of a Flexvolume plugin, a program on the node. Deprecated in favour of CSI.",
  flocker:
    "A dataset of a Flocker control service, which must run in the cluster. Flocker is no longer maintained.",
  gcePersistentDisk: "A persistent disk of Google Compute Engine, attached to the node.",
  glusterfs: "A volume of GlusterFS servers, shared over the network.",
  hostPath: "A file or directory of the node itself. Risky: it can give access to the whole node.",
  iscsi: "An iSCSI disk that the node can reach.",
  nfs: "A directory that an NFS server exports.",
  photonPersistentDisk: "A disk of a Photon controller.",
  portworxVolume: "A volume of Portworx, attached to the node.",
  quobyte: "A volume of Quobyte, shared over the network.",
  rbd: "A block device image of Ceph.",
  scaleIO: "A volume of ScaleIO, attached to the node.",
  storageos: "A volume of StorageOS, attached to the node.",
  vsphereVolume: "A virtual disk of vSphere, attached to the node.",
};

export const volumeTypes: TypeDescriptions = {
  Volume: {
    about: "Storage that the containers of a pod can mount. Besides the name exactly one field is set.",
    fields: {
      ...storageKinds,
      configMap: "Entries of a config map as read-only files.",
      csi: "A short-lived volume of a CSI driver, made for this pod.",
      downwardAPI: "Fields of the pod and resource amounts as files.",
      emptyDir: "A directory that is empty when the pod starts and deleted when it leaves its node.",
      ephemeral: "Storage by a claim that is made for this pod and deleted with it.",
      gitRepo: "A clone of a git repository. Deprecated: clone into an emptyDir in an init container.",
      name: "Name of the volume as a DNS label, unique in the pod, for mounts to refer to.",
      persistentVolumeClaim: "Storage of a claim in the pod's namespace.",
      projected: "Several sources in one directory.",
      secret: "Entries of a secret as read-only files.",
    },
  },
  ConfigMapVolumeSource: {
    about: "Entries of a config map as files.",
    fields: { defaultMode, items: keys, name: "Config map in the pod's namespace.", optional },
  },
  SecretVolumeSource: {
    about: "Entries of a secret as files, kept in the node's memory.",
    fields: { defaultMode, items: keys, optional, secretName: "Secret in the pod's namespace." },
  },
  KeyToPath: {
    about: "Gives an entry the path of its file.",
    fields: {
      key: "Key of the entry.",
      mode,
      path: "Relative path of the file in the volume; must not contain '..'.",
    },
  },
  DownwardAPIVolumeSource: {
    about: "Fields of the pod and resource amounts as files.",
    fields: { defaultMode, items: "The files, each with its path and source." },
  },
  DownwardAPIVolumeFile: {
    about: "A file that holds a field of the pod or a resource amount.",
    fields: {
      fieldRef:
        "Field of the pod: its name, namespace, uid, labels or annotations. Excludes resourceFieldRef.",
      mode,
      path: "Relative path of the file in the volume, unique; must not contain '..'.",
      resourceFieldRef: "Limit or request of a container, which must be named. Excludes fieldRef.",
    },
  },
  ProjectedVolumeSource: {
    about: "Several sources in one directory.",
    fields: { defaultMode, sources: "Sources whose files are put together; their paths must differ." },
  },
  VolumeProjection: {
    about: "One source of a projected volume; exactly one field is set.",
    fields: {
      configMap: "Entries of a config map.",
      downwardAPI: "Fields of the pod and resource amounts.",
      secret: "Entries of a secret.",
      serviceAccountToken: "A token of the pod's service account, renewed before it expires.",
    },
  },
  ConfigMapProjection: {
    about: "Entries of a config map within a projected volume.",
    fields: { items: keys, name: "Config map in the pod's namespace.", optional },
  },
  SecretProjection: {
    about: "Entries of a secret within a projected volume.",
    fields: { items: keys, name: "Secret in the pod's namespace.", optional },
  },
  DownwardAPIProjection: {
    about: "Fields of the pod and resource amounts within a projected volume.",
    fields: { items: "The files, each with its path and source." },
  },
  ServiceAccountTokenProjection: {
    about: "A token of the pod's service account within a projected volume.",
    fields: {
      audience: "Whom the token is meant for; others must refuse it. Default: this API server.",
      expirationSeconds:
        "Seconds for which the token is valid, at least 600; the node renews it in time. Default: 3600.",
      path: "Relative path of the token's file in the volume.",
    },
  },
  EmptyDirVolumeSource: {
    about: "A directory that is empty at first and goes with the pod.",
    fields: {
      medium:
        "What stores it: empty for the node's disk, Memory for RAM, HugePages or HugePages-SIZE. Default: the node's disk.",
      sizeLimit:
        "Greatest size; beyond it the pod is evicted. In memory the containers' limits count too. Default: none.",
    },
  },
  HostPathVolumeSource: {
    about: "A file or directory of the node.",
    fields: {
      path: "Path on the node; a symbolic link is followed. Must not contain '..'.",
      type: "What must be there: Directory, File, Socket, CharDevice or BlockDevice; DirectoryOrCreate and FileOrCreate make it. Default: no check.",
    },
  },
  EphemeralVolumeSource: {
    about: "A volume with a claim of its own that goes with the pod.",
    fields: {
      volumeClaimTemplate:
        "Claim to make, named POD-VOLUME and owned by the pod. Required; cannot be changed.",
    },
  },
  PersistentVolumeClaimTemplate: {
    about: "The claim that is made for an ephemeral volume.",
    fields: {
      metadata: "Labels and annotations of the claim; nothing else may be set.",
      spec: "What the claim asks for.",
    },
  },
  PersistentVolumeClaimVolumeSource: {
    about: "The storage of a claim.",
    fields: {
      claimName: "Claim in the pod's namespace.",
      readOnly: "Whether all mounts of the volume are read-only. Default: false.",
    },
  },
  CSIVolumeSource: {
    about: "A volume that a CSI driver provides for the life of a pod.",
    fields: {
      driver: "Name of the driver, as it is registered in the cluster.",
      fsType: "File system to mount, such as ext4. Default: as the driver decides.",
      nodePublishSecretRef:
        "Secret in the pod's namespace whose entries the driver gets when it mounts the volume.",
      readOnly: "Whether the volume cannot be written. Default: false.",
      volumeAttributes: "Settings for the driver, whose documentation says which there are.",
    },
  },
  GitRepoVolumeSource: {
    about: "A clone of a git repository. Deprecated: clone into an emptyDir in an init container.",
    fields: {
      directory:
        "Directory in the volume to clone into; '.' is the volume itself. Default: one named as the repository.",
      repository: "URL of the repository.",
      revision: "Commit to check out. Default: the repository's default branch.",
    },
  },
};
