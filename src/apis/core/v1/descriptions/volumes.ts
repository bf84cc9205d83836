import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";

const defaultMode =
  "Permission bits of the files, 0 to 511 in decimal or 0 to 0777 in octal. Default: 0644 in octal.";
const mode = "Permission bits of this file, as in defaultMode. Default: that of the volume.";
const keys =
  "Entries that become files, and their paths; a missing key is an error. Default: all, named by their key.";
const optional = "Whether the pod may start without the object or its keys. Default: false.";

/** Volume sources that pods and persistent volumes share. */
export const storageKinds = {
  awsElasticBlockStore: "An AWS disk, attached to the node that uses it; its data outlives the pod.",
  azureDisk: "An Azure disk, attached to the node that uses it; its data outlives the pod.",
  azureFile: "An Azure file share, which many nodes can mount for writing at once.",
  cephfs: "A Ceph file system, which many nodes can mount for writing at once.",
  cinder: "An OpenStack disk, attached to the node that uses it; its data outlives the pod.",
  csi: "Storage of an external driver that speaks CSI: the way to use storage of any kind.",
  fc: "A Fibre Channel disk that the node can reach; its data outlives the pod.",
  flexVolume: "Storage by way of a program on the node. Deprecated: use a CSI driver.",
  flocker: "A Flocker dataset. Deprecated: Flocker is no longer maintained.",
  gcePersistentDisk:
    "A Google Compute Engine disk, attached to the node that uses it; its data outlives the pod.",
  glusterfs: "A GlusterFS volume, which many nodes can mount for writing at once.",
  hostPath: "A file or directory of the node itself. Risky: it can give access to the whole node.",
  iscsi: "An iSCSI disk, which one node can mount for writing or many for reading.",
  nfs: "A directory on an NFS server, which many nodes can mount for writing at once.",
  photonPersistentDisk: "A Photon disk, attached to the node that uses it.",
  portworxVolume: "A Portworx volume, provided by Portworx software on the nodes.",
  quobyte: "A Quobyte volume, which many nodes can mount at once. Deprecated.",
  rbd: "A Ceph block device, which one node can mount for writing or many for reading.",
  scaleIO: "A ScaleIO volume. Deprecated: nodes may no longer support it.",
  storageos: "A StorageOS volume, attached to the node that uses it. Deprecated.",
  vsphereVolume: "A vSphere disk, attached to the node that uses it; its data outlives the pod.",
};

export const volumeDescriptions: TypeDescriptions = {
  Volume: {
    about:
      "Storage that the containers of a pod can mount. Apart from the name, exactly one field is set: it tells what storage it is.",
    fields: {
      ...storageKinds,
      configMap: "A config map as read-only files, which follow its changes after a while.",
      csi: "A short-lived volume of a CSI driver, made for this pod.",
      downwardAPI: "What the containers want to know of their pod, as read-only files.",
      emptyDir: "A directory that is empty when the pod starts and deleted when it leaves its node.",
      ephemeral: "Storage by a claim that is made for this pod and deleted with it.",
      gitRepo:
        "A git repository's content at the start. Deprecated: clone it into an emptyDir in an init container.",
      name: "Name of the volume as a DNS label, unique in the pod, for mounts to refer to.",
      persistentVolumeClaim: "The persistent volume that a claim is bound to; its data outlives the pod.",
      projected: "Config maps, secrets, facts about the pod and tokens together in one directory.",
      secret: "A secret as read-only files, which follow its changes after a while.",
      image: "The content of an image or artifact, read-only.",
    },
  },
  ConfigMapVolumeSource: {
    about: "Names a config map and tells which of its entries become which files.",
    fields: { defaultMode, items: keys, name: "Config map in the pod's namespace.", optional },
  },
  SecretVolumeSource: {
    about: "Names a secret and tells which of its entries become which files. The node keeps them in memory.",
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
    about: "Tells which fields of the pod and which resource amounts become which files.",
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
    about: "Lists sources whose files are shown in one directory.",
    fields: { defaultMode, sources: "Sources whose files are put together; their paths must differ." },
  },
  VolumeProjection: {
    about: "One source of a projected volume; exactly one field is set.",
    fields: {
      configMap: "Files from a config map in the pod's namespace.",
      downwardAPI: "Files that tell of the pod.",
      secret: "Files from a secret in the pod's namespace.",
      serviceAccountToken: "A token of the pod's service account, renewed before it expires.",
      clusterTrustBundle: "Certificates of cluster trust bundles, in one file.",
      podCertificate: "A private key and a certificate that is renewed while the pod runs.",
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
    about: "Tells where a pod's scratch directory is kept and how large it may get.",
    fields: {
      medium:
        "What stores it: empty for the node's disk, Memory for RAM, HugePages or HugePages-SIZE. Default: the node's disk.",
      sizeLimit:
        "Greatest size; beyond it the pod is evicted. In memory the containers' limits count too. Default: none.",
    },
  },
  HostPathVolumeSource: {
    about: "Names a file or directory of the node and what it must be.",
    fields: {
      path: "Path on the node; a symbolic link is followed. Must not contain '..'.",
      type: "What must be there: Directory, File, Socket, CharDevice or BlockDevice; DirectoryOrCreate and FileOrCreate make it. Default: no check.",
    },
  },
  EphemeralVolumeSource: {
    about: "Describes the claim to make for a pod; it is deleted with the pod.",
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
    about: "Names a claim whose storage is used.",
    fields: {
      claimName: "Claim in the pod's namespace.",
      readOnly: "Whether all mounts of the volume are read-only. Default: false.",
    },
  },
  CSIVolumeSource: {
    about: "Names a CSI driver and the settings by which it makes a volume for the pod.",
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
    about: "Names a git repository and what to check out of it. Deprecated.",
    fields: {
      directory:
        "Directory in the volume to clone into; '.' is the volume itself. Default: one named as the repository.",
      repository: "URL of the repository.",
      revision: "Commit to check out. Default: the repository's default branch.",
    },
  },
  ClusterTrustBundleProjection: {
    about: "The certificates of some trust bundles.",
    fields: {
      name: "Name of one bundle. Excludes signerName and labelSelector.",
      signerName: "Takes all bundles of this signer that labelSelector allows.",
      labelSelector: "Which of the signer's bundles are taken. Unset: none; empty: all.",
      optional: "Whether the pod may start without any bundle. Default: false.",
      path: "Path of the file within the volume.",
    },
  },
  ImageVolumeSource: {
    about: "An image or artifact whose files a pod reads.",
    fields: {
      reference: "Which image: registry/name:tag or registry/name@digest.",
      pullPolicy:
        "When it is pulled: Always, Never or IfNotPresent. Default: Always for the tag latest, else IfNotPresent.",
    },
  },
  ImageVolumeStatus: {
    fields: {
      imageRef: "The image with its digest.",
    },
  },
  PodCertificateProjection: {
    about: "A key pair and a certificate for the pod's identity.",
    fields: {
      signerName: "Signer that issues the certificate.",
      keyType: "Kind of the private key, such as ED25519 or ECDSAP256.",
      maxExpirationSeconds:
        "Longest time that a certificate may be valid, in seconds; at least an hour. Default: 86400.",
      credentialBundlePath: "Path of a file with the key and the chain of certificates.",
      keyPath: "Path of a file with the key alone.",
      certificateChainPath: "Path of a file with the chain of certificates alone.",
      userAnnotations: "Entries that the request shows to the signer.",
    },
  },
};
