import type { TypeDescriptions } from "./type-descriptions.js";

export const persistentVolumeTypes: TypeDescriptions = {
  PersistentVolume: {
    about: "A piece of storage of the cluster.",
  },
  VolumeNodeAffinity: {
    about: "Which nodes can reach a volume.",
  },
  PersistentVolumeClaim: {
    about: "Asks for a piece of storage.",
  },
  PersistentVolumeClaimSpec: {
    fields: {
      accessModes: "How the volume must be mountable.",
      dataSource: "What the volume is filled from.",
      dataSourceRef: "What the volume is filled from, of any kind.",
      resources: "How much storage is needed.",
      selector: "Labels that the volume must have.",
      storageClassName: "The class of storage.",
      volumeMode: "Filesystem or Block.",
      volumeName: "The volume that is bound.",
    },
  },
};
