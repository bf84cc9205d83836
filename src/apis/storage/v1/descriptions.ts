import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

export const storageV1Descriptions: TypeDescriptions = {
  StorageClass: {
    about: "A class of storage, and how volumes of it are made.",
    fields: {
      allowVolumeExpansion: "Whether claims may ask for more storage later. Default: false.",
      allowedTopologies:
        "Where volumes may be made, such as in which zones; one of the terms must match. Empty: anywhere.",
      mountOptions:
        "Options for mounting the volumes. They are not checked; a wrong one makes the mount fail.",
      parameters:
        "Settings for the provisioner, which knows what they mean: at most 512, 256 KiB in all. Cannot be changed.",
      provisioner: "Who makes the volumes, such as a CSI driver. Cannot be changed.",
      reclaimPolicy:
        "What becomes of a volume once its claim is gone: Delete or Retain. Default: Delete. Cannot be changed.",
      volumeBindingMode:
        "Immediate makes a volume at once; WaitForFirstConsumer when a pod needs it. Default: Immediate. Cannot be changed.",
    },
  },
  VolumeAttachment: {
    about: "Asks for a volume to be attached to a node.",
    fields: {
      spec: "Which volume goes to which node. Cannot be changed.",
      status: "Whether it is attached; written by who attaches it.",
    },
  },
  VolumeAttachmentSpec: {
    about: "Which volume is to be attached to which node, and by whom.",
    fields: {
      attacher: "Name of the CSI driver that has to attach the volume.",
      nodeName: "The node that the volume is attached to.",
      source: "The volume to attach.",
    },
  },
  VolumeAttachmentSource: {
    about: "The volume to attach; exactly one of the fields is set.",
    fields: {
      inlineVolumeSpec: "A volume that a pod itself defines, in the form that its CSI driver takes.",
      persistentVolumeName: "Name of the persistent volume.",
    },
  },
  VolumeAttachmentStatus: {
    about: "Whether a volume is attached, and what went wrong last.",
    fields: {
      attachError: "What went wrong when the volume was last attached; cleared by success.",
      attached: "Whether the volume is attached.",
      attachmentMetadata: "What the driver said of the attachment and needs for mounting; at most 256 KiB.",
      detachError: "What went wrong when the volume was last detached; cleared by success.",
    },
  },
  VolumeError: {
    about: "What went wrong with a volume.",
    fields: {
      message: "What went wrong, in words; at most 1024 bytes. Must not tell secrets.",
      time: "When it went wrong.",
      errorCode: "Number of the error, as the driver gives it.",
    },
  },
  CSIDriver: {
    about: "Tells how a CSI driver wants to be used. Its name is that of the driver.",
    fields: {
      spec: "What the driver can do, and what it needs when volumes are used.",
    },
  },
  CSIDriverSpec: {
    about: "What a driver can do, and what it needs when volumes are used.",
    fields: {
      attachRequired:
        "Whether volumes must be attached to a node before they are mounted. Default: true. Cannot be changed.",
      fsGroupPolicy:
        "Whether the pod's group gets to own volumes: ReadWriteOnceWithFSType, File (always) or None. Default: the first. Cannot be changed.",
      podInfoOnMount:
        "Whether the driver is told name, namespace, uid and service account of the pod. Default: false. Cannot be changed.",
      requiresRepublish:
        "Whether a mounted volume is published again from time to time, to refresh it. Default: false.",
      storageCapacity:
        "Whether pods wait for nodes where CSIStorageCapacity objects report enough storage. Default: false.",
      tokenRequests:
        "Tokens of the pod's service account that the driver gets when it mounts; one per audience.",
      volumeLifecycleModes:
        "Persistent for volumes with claims, Ephemeral for inline ones, or both. Default: Persistent. Cannot be changed.",
      seLinuxMount: "Whether each volume can be mounted with an SELinux label of its own. Default: false.",
      nodeAllocatableUpdatePeriodSeconds:
        "How often nodes report how many volumes they can take, in seconds; at least 10. Unset: never again.",
      serviceAccountTokenInSecrets:
        "Whether tokens of service accounts reach the driver among the secrets instead of the volume context.",
      preventPodSchedulingIfMissing:
        "Whether pods with volumes of the driver stay away from nodes that lack it.",
    },
  },
  TokenRequest: {
    about: "Asks for a token of a service account.",
    fields: {
      audience: "Who the token is for. Empty: the API server.",
      expirationSeconds: "Seconds for which the token is valid, at least 600. Default: 3600.",
    },
  },
  CSINode: {
    about: "The CSI drivers of a node. Its name is that of the node.",
    fields: {
      spec: "The drivers on the node and what is known of them.",
    },
  },
  CSINodeSpec: {
    about: "What is known of the drivers that run on a node.",
    fields: { drivers: "The drivers, each name once; what is said of one cannot be changed, only removed." },
  },
  CSINodeDriver: {
    about: "One CSI driver on a node.",
    fields: {
      allocatable: "How many volumes of the driver the node takes.",
      name: "Name of the driver, as in its CSIDriver object.",
      nodeID: "What the driver calls the node; at most 256 bytes.",
      topologyKeys: "Labels of the node that say where it is for the driver, such as its zone.",
    },
  },
  VolumeNodeResources: {
    about: "How many volumes a node takes.",
    fields: { count: "The most volumes of the driver in use on the node. Unset: no limit; 0 takes none." },
  },
  CSIStorageCapacity: {
    about: "How much storage of a class is left in a part of the cluster.",
    fields: {
      capacity: "How much storage is left. Unset: unknown, which counts as none.",
      maximumVolumeSize: "The largest volume that can be made. Unset: capacity is the limit known.",
      nodeTopology:
        "Labels of the nodes that reach the storage. Empty: all nodes; unset: none. Cannot be changed.",
      storageClassName: "The storage class that the numbers are for. Cannot be changed.",
    },
  },
  VolumeAttributesClass: {
    about: "Attributes of volumes that can be changed while they are in use.",
    fields: {
      driverName: "Name of the driver. Cannot be changed.",
      parameters: "Attributes as the driver knows them. Cannot be changed.",
    },
  },
};
