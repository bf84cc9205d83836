import { conditionFields } from "../../../../apimachinery/meta-types/condition-fields.js";
import type { TypeDescriptions } from "../../../../apimachinery/schema/type-descriptions.js";
import { storageKinds } from "./volumes.js";

const volumeMode = "Filesystem, mounted as a directory, or Block, a raw device. Default: Filesystem.";

export const persistentVolumeDescriptions: TypeDescriptions = {
  PersistentVolume: {
    about: "A piece of storage of the cluster, with a life of its own beside pods and namespaces.",
    fields: {
      spec: "Which storage it is, and how it may be used.",
      status: "Phase of the volume. Written by the controller that binds it.",
    },
  },
  PersistentVolumeSpec: {
    about:
      "Which storage a volume is, and how it may be used. Exactly one kind of storage is set, which cannot be changed.",
    fields: {
      ...storageKinds,
      accessModes:
        "Ways in which the storage can be mounted: ReadWriteOnce (by one node), ReadOnlyMany, ReadWriteMany or ReadWriteOncePod (by one pod).",
      capacity: "Size, under the key storage.",
      claimRef: "Claim that the volume is bound to. When given beforehand, the volume is kept for it.",
      local: "Storage that is attached to one node; nodeAffinity must say which.",
      mountOptions:
        "Options for mounting, such as ro or soft. They are not checked; a wrong one makes mounting fail.",
      nodeAffinity:
        "Nodes that can reach the storage; pods that use it run only there. Cannot be changed once set.",
      persistentVolumeReclaimPolicy:
        "What happens when the claim goes: Retain, Delete (the storage too) or, deprecated, Recycle. Default: Retain; of provisioned volumes, the class's.",
      storageClassName: "Storage class that the volume belongs to; only claims of it are bound. Empty: none.",
      volumeMode: `${volumeMode} Cannot be changed.`,
      volumeAttributesClassName: "Attributes class that the volume has. May be changed while it is bound.",
    },
  },
  PersistentVolumeStatus: {
    about: "Whether a persistent volume is free or bound.",
    fields: {
      message: "Why the volume is in its phase, for people.",
      phase:
        "Pending, Available (free), Bound, Released (its claim is gone) or Failed (could not be reclaimed).",
      reason: "Why the volume has failed, in one word.",
      lastPhaseTransitionTime: "When the phase last changed.",
    },
  },
  VolumeNodeAffinity: {
    about: "Which nodes can reach a volume.",
    fields: { required: "Nodes that can reach the volume. Required." },
  },
  PersistentVolumeClaim: {
    about: "Asks for a piece of storage, for pods of its namespace to use.",
    fields: {
      spec: "What storage is asked for. Later only a greater request for storage is accepted, if the class allows it.",
      status: "Phase of the claim and size of its volume. Written by the controllers.",
    },
  },
  PersistentVolumeClaimSpec: {
    about: "What storage a claim asks for.",
    fields: {
      accessModes:
        "Ways in which the volume must be mountable: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod. At least one.",
      dataSource:
        "What the new volume is filled from: a VolumeSnapshot or another claim in the same namespace. Default: nothing.",
      dataSourceRef:
        "As dataSource, but an object of any kind that a populator knows; both must agree. Needs the feature gate AnyVolumeDataSource.",
      resources:
        "Least size, as requests under the key storage. May be raised later if the class allows expansion.",
      selector: "Labels that the volume must have. A claim with it gets no newly provisioned volume.",
      storageClassName:
        "Storage class of the volume; an empty text means a volume of no class. Default: the cluster's default class.",
      volumeMode: `${volumeMode} Cannot be changed.`,
      volumeName: "Volume that the claim is bound to. When given beforehand, only this volume is taken.",
      volumeAttributesClassName: "Attributes class that the volume is to have. May be changed later.",
    },
  },
  PersistentVolumeClaimStatus: {
    about: "What storage a claim got.",
    fields: {
      accessModes: "Ways in which the bound volume can be mounted.",
      allocatedResources:
        "Size that is being made or was allocated, which may exceed capacity during an expansion; quota counts the greater. Needs the feature gate RecoverVolumeExpansionFailure.",
      capacity: "Actual size of the bound volume, under the key storage.",
      conditions: "Progress of an expansion: Resizing or FileSystemResizePending.",
      phase: "Pending until a volume is bound, Bound, or Lost when the bound volume has gone.",
      resizeStatus:
        "State of an expansion: ControllerExpansionInProgress, ControllerExpansionFailed, NodeExpansionPending, NodeExpansionInProgress or NodeExpansionFailed; empty when there is none.",
      allocatedResourceStatuses: "How far an expansion has come, by resource.",
      currentVolumeAttributesClassName: "Attributes class that the volume has now.",
      modifyVolumeStatus: "A change to another attributes class that is under way.",
    },
  },
  PersistentVolumeClaimCondition: {
    fields: {
      ...conditionFields,
      lastProbeTime: "When the condition was last checked.",
      type: "Resizing while the storage is enlarged; FileSystemResizePending while its file system waits for that on a node.",
    },
  },
  ModifyVolumeStatus: {
    about: "A change of a volume's attributes class.",
    fields: {
      targetVolumeAttributesClassName: "The class that it changes to.",
      status: "Pending, InProgress or Infeasible.",
    },
  },
  VolumeResourceRequirements: {
    about: "How large a volume has to be.",
    fields: {
      limits: "The most of each resource.",
      requests: "The least of each resource, such as storage.",
    },
  },
};
