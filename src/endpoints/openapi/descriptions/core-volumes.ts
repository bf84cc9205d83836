import type { TypeDescriptions } from "./type-descriptions.js";

export const volumeTypes: TypeDescriptions = {
  Volume: {
    about: "A directory that the containers of a pod can mount.",
    fields: {
      configMap: "Entries of a config map as files.",
      csi: "A volume of a CSI driver.",
      downwardAPI: "Facts about the pod as files.",
      emptyDir: "A directory that is empty at first.",
      ephemeral: "A volume with a claim of its own.",
      hostPath: "A file or directory of the node.",
      name: "Unique within the pod.",
      nfs: "A directory of an NFS server.",
      persistentVolumeClaim: "The storage of a claim.",
      projected: "Several sources in one directory.",
      secret: "Entries of a secret as files.",
    },
  },
  ConfigMapVolumeSource: {
    about: "Entries of a config map as files.",
  },
  SecretVolumeSource: {
    about: "Entries of a secret as files.",
  },
  KeyToPath: {
    about: "Gives an entry the path of its file.",
  },
  DownwardAPIVolumeSource: {
    about: "Facts about the pod as files.",
  },
  DownwardAPIVolumeFile: {
    about: "A file that holds a fact about the pod.",
  },
  ProjectedVolumeSource: {
    about: "Several sources in one directory.",
  },
  VolumeProjection: {
    about: "One source of a projected volume.",
  },
  ConfigMapProjection: {
    about: "Entries of a config map within a projected volume.",
  },
  SecretProjection: {
    about: "Entries of a secret within a projected volume.",
  },
  DownwardAPIProjection: {
    about: "Facts about the pod within a projected volume.",
  },
  ServiceAccountTokenProjection: {
    about: "A token of the pod's service account within a projected volume.",
  },
  EmptyDirVolumeSource: {
    about: "A directory that is empty at first and goes with the pod.",
  },
  HostPathVolumeSource: {
    about: "A file or directory of the node.",
  },
  EphemeralVolumeSource: {
    about: "A volume with a claim of its own that goes with the pod.",
  },
  PersistentVolumeClaimTemplate: {
    about: "The claim that is made for a volume.",
  },
  PersistentVolumeClaimVolumeSource: {
    about: "The storage of a claim in the same namespace.",
  },
  CSIVolumeSource: {
    about: "A volume that a CSI driver provides for the life of a pod.",
  },
  GitRepoVolumeSource: {
    about: "A git repository's content. Deprecated.",
  },
};
