import type { TypeDescriptions } from "./type-descriptions.js";

export const storageTypes: TypeDescriptions = {
  StorageClass: {
    about: "A class of storage, and how volumes of it are made.",
  },
  VolumeAttachment: {
    about: "Asks for a volume to be attached to a node.",
  },
  VolumeError: {
    about: "What went wrong with a volume.",
  },
  CSIDriver: {
    about: "Tells how a CSI driver wants to be used.",
  },
  TokenRequest: {
    about: "Asks for a token of a service account.",
  },
  CSINode: {
    about: "The CSI drivers of a node.",
  },
  CSINodeDriver: {
    about: "One CSI driver on a node.",
  },
  VolumeNodeResources: {
    about: "How many volumes a node takes.",
  },
  CSIStorageCapacity: {
    about: "How much storage of a class is left in a part of the cluster.",
  },
};
